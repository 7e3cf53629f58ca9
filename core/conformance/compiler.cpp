#include "conformance/checks.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace benchctl::conformance {

namespace {

/// Architectures that a variant claims, or, if it claims none, those of the devices that are here.
std::vector<std::string> architectures_of(Subject& subject, const VariantInfo& variant) {
  if (!variant.architectures.empty()) return variant.architectures;
  std::vector<std::string> here;
  for (const Lane& lane : subject.task().lanes) {
    if (!lane.device.architecture.empty()) here.push_back(lane.device.architecture);
  }
  return here;
}

KernelPlan plan_of(Subject& subject, const VariantInfo& variant) {
  DeviceInfo device;
  device.compute_units = 8;
  device.fp64 = device.fp16 = true;
  if (!variant.device_types.empty()) device.type = variant.device_types.front();
  device.features = variant.features;
  BackendEntry one = subject.entry();
  std::erase_if(one.variants, [&](const VariantInfo& other) {
    return other.workload != variant.workload || other.name != variant.name;
  });
  const Cases cases = cases_of(one, device, false);
  if (cases.runnable.empty())
    throw NotPossible("no problem to compile it for: " + cases.without.begin()->second);
  const Case& first = cases.runnable.front();
  return plan_kernel(
      *variant.kernel,
      kernel_values(first.problem.parameters, first.problem.layout, first.tunables, device_values(device)),
      first.problem, one.kernel_directory);
}

void compiles(Subject& subject, const VariantInfo& variant) {
  const std::vector<std::string> architectures = architectures_of(subject, variant);
  if (architectures.empty())
    throw NotPossible("it claims no architecture, and there is no device to ask for one");
  const KernelPlan plan = plan_of(subject, variant);
  const std::size_t wanted = subject.full() ? architectures.size() : 1;
  for (std::size_t i = 0; i < wanted; ++i) {
    static_cast<void>(subject.backend().compile(plan, architectures[i], subject.options()));
    const CompileResult again = subject.backend().compile(plan, architectures[i], subject.options());
    if (!again.cached) {
      throw Broken(fmt::format(
          "for {}: the second compilation did not come from the cache; `prepare` would not find it "
          "there either",
          architectures[i]));
    }
  }
}

void rejects_garbage(Subject& subject, const VariantInfo& variant) {
  const std::vector<std::string> architectures = architectures_of(subject, variant);
  if (architectures.empty())
    throw NotPossible("it claims no architecture, and there is no device to ask for one");
  KernelPlan plan = plan_of(subject, variant);
  const auto file = subject.task().folder / std::filesystem::path(plan.launches[0].source).filename();
  std::ofstream(file) << "this is not a kernel in any language @#$\n";
  plan.launches[0].source = file.string();
  try {
    static_cast<void>(subject.backend().compile(plan, architectures[0], subject.options()));
  } catch (const Failure& failure) {
    if (failure.kind() == FailureKind::compile_error) return;
    throw Broken(fmt::format(
        "a kernel with invalid source must be a compile_error with the compiler's log, not {}: {}",
        to_string(failure.kind()), failure.what()));
  }
  throw Broken("a kernel with invalid source was compiled");
}

}  // namespace

void check_compiler(Subject& subject, Trials& trials) {
  if (!subject.backend().compiles_offline()) {
    trials.run("without a device", [] { throw NotPossible("compiles_offline() says no"); });
    return;
  }
  std::set<std::string> workloads;
  bool first = true;
  for (const VariantInfo& variant : subject.entry().variants) {
    if (!variant.kernel || variant.wrong_on_purpose) continue;
    if (!subject.full() && !workloads.insert(variant.workload).second) continue;
    trials.run(fmt::format("{}/{}", variant.workload, variant.name), [&] { compiles(subject, variant); });
    if (first) trials.run("garbage is rejected", [&] { rejects_garbage(subject, variant); });
    first = false;
  }
  if (first) trials.run("without a device", [] { throw NotPossible("no variant is a kernel file"); });
}

}  // namespace benchctl::conformance
