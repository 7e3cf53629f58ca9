#include "conformance/subject.hpp"

#include "engine/host.hpp"
#include "engine/kernel_plugins.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl::conformance {

namespace {

constexpr std::uint64_t first_seed = 1;

}  // namespace

void Trials::run(const std::string& what, const std::function<void()>& trial) {
  const std::size_t number = next_++;
  if (number < from_) return;
  tell_({{"begin", number}, {"what", what}});
  std::string outcome = "failed";
  std::string reason;
  bool lost = false;
  try {
    trial();
    outcome = "passed";
  } catch (const Broken& broken) {
    reason = broken.what();
  } catch (const NotPossible& impossible) {
    outcome = "skipped";
    reason = impossible.what();
  } catch (const Failure& failure) {
    if (failure.kind() == FailureKind::unsupported) outcome = "skipped";
    reason = fmt::format("{}: {}", to_string(failure.kind()), failure.what());
    lost = failure.sticky();
  } catch (const std::exception& error) {
    reason = fmt::format("it threw an exception that is not a benchctl::Failure: {}", error.what());
  } catch (...) {
    reason = "it threw something that is not a std::exception";
  }
  tell_({{"end", number}, {"outcome", outcome}, {"reason", reason}});
  if (lost) throw SessionLost(reason);
}

const LoadedPlugin& Subject::plugin() {
  if (!host_) host_ = PluginHost::load_libraries({task_.library});
  if (host_->plugins().empty())
    throw NotPossible("the library is refused: " + host_->refused().at(0).reason);
  return host_->plugins()[0];
}

Backend& Subject::backend() {
  if (plugin().backend == nullptr) throw NotPossible("it offers no backend, it only observes");
  return *plugin().backend;
}

const BackendEntry& Subject::entry() {
  static_cast<void>(backend());
  if (entry_) return *entry_;
  PluginTable table = loaded_plugins(*host_);
  if (table.plugins().empty()) throw Broken("the library is refused: " + table.refused().at(0).reason);
  if (!task_.kernels.empty()) add_kernel_plugin(table, task_.kernels);
  if (!table.refused().empty()) throw Broken("its tables are refused: " + table.refused().at(0).reason);
  entry_ = make_catalogue(table).backends.at(0);
  if (!task_.kernels.empty()) entry_->variants = table.plugins().at(1).variants;
  return *entry_;
}

std::unique_ptr<Session> Subject::open(const Lane& lane) {
  std::unique_ptr<Session> session = backend().open(lane.device.id, options());
  want(session != nullptr, "Backend::open returned null; throw a Failure that says why");
  return session;
}

Session& Subject::session() {
  if (session_ == nullptr) session_ = open(*task_.lane);
  return *session_;
}

const Cases& Subject::cases() {
  if (!cases_) cases_ = cases_of(entry(), device(), full());
  return *cases_;
}

std::vector<Case> Subject::typical() {
  std::vector<Case> all = typical_cases(cases());
  if (full()) return all;
  std::set<std::string> seen;
  std::erase_if(all, [&](const Case& one) { return !seen.insert(one.variant->workload).second; });
  return all;
}

PrepareRequest Subject::request(const Case& one, const DeviceInfo& device) {
  PrepareRequest request;
  request.variant = one.variant;
  request.tunables = one.tunables;
  request.label = one.label();
  if (one.variant->kernel) {
    request.kernel =
        plan_kernel(*one.variant->kernel, one.values(device), one.problem, entry().kernel_directory);
  }
  return request;
}

Bench::Bench(Session& session, const ProblemSpec& problem, std::uint32_t sets)
    : buffers_(session, *Workloads::built_in().find(problem.workload), problem, {first_seed}, sets),
      reference_(Workloads::built_in().find(problem.workload)->reference(problem, first_seed)) {}

void Bench::clear(std::uint32_t set) {
  buffers_.poison_outputs(set);
  buffers_.restore_inouts(set);
}

void Bench::draw_anew() {
  const std::uint64_t next = buffers_.seed(0) + 1;
  buffers_.draw_inputs(0, next);
  reference_ = Workloads::built_in().find(buffers_.spec().workload)->reference(buffers_.spec(), next);
}

void Bench::verify(const VariantInfo& variant, std::uint32_t set, const std::string& when) {
  const Verification verification =
      buffers_.verify(set, declared_precision(variant, buffers_.spec()), reference_);
  if (!verification.ok) throw Broken(fmt::format("{}, {}", verification.reason, when));
}

Ready::Ready(Subject& subject, const Case& one, std::uint32_t sets)
    : Ready(subject, one, std::make_shared<Bench>(subject.session(), one.problem, sets), subject.device()) {
}

Ready::Ready(Subject& subject, const Case& one, std::shared_ptr<Bench> bench, const DeviceInfo& device)
    : variant_(one.variant), bench_(std::move(bench)) {
  prepared_ = bench_->device().prepare(subject.request(one, device));
  want(prepared_ != nullptr, "Problem::prepare returned null; throw a Failure that says why");
}

void Ready::execute(std::uint32_t set) {
  bench_->clear(set);
  run(set);
}

void Ready::prove(const std::string& when) {
  execute();
  verify(0, when);
}

void prepare_stranger(Subject& subject, Bench& bench, const Case& one) {
  VariantInfo stranger = *one.variant;
  stranger.name = "no_such_variant";
  stranger.kernel.reset();
  PrepareRequest request = subject.request(one);
  request.variant = &stranger;
  request.kernel.reset();
  static_cast<void>(bench.device().prepare(request));
}

void replace_by_garbage(PlannedLaunch& launch, const Subject& subject) {
  const std::filesystem::path file =
      subject.task().folder / std::filesystem::path(launch.source).filename();
  std::ofstream(file) << "this is not a kernel in any language @#$\n";
  launch.source = file.string();
}

}  // namespace benchctl::conformance
