#include "conformance/subject.hpp"

#include "conformance/trials.hpp"
#include "engine/host.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <set>

namespace benchctl::conformance {

namespace {

constexpr std::uint64_t seed = 1;

std::string precision_of(const VariantInfo& variant, const ProblemSpec& problem) {
  if (variant.precision != "dtype") return variant.precision;
  const auto dtype = problem.parameters.find("dtype");
  return dtype == problem.parameters.end() ? "f32" : std::get<std::string>(dtype->second);
}

}  // namespace

Bench::Bench(Session& session, const ProblemSpec& problem, std::uint32_t sets)
    : buffers_(std::make_unique<ProblemBuffers>(session, *Workloads::built_in().find(problem.workload),
                                                problem, std::vector{seed}, sets)),
      reference_(Workloads::built_in().find(problem.workload)->reference(problem, seed)) {}

void Bench::ready(std::uint32_t set) {
  buffers_->poison_outputs(set);
  buffers_->restore_inouts(set);
}

void Bench::draw_anew() {
  const std::uint64_t next = buffers_->seed(0) + 1;
  buffers_->draw_inputs(0, next);
  reference_ = Workloads::built_in().find(problem().workload)->reference(problem(), next);
}

void Bench::judge(const VariantInfo& variant, std::uint32_t set, const std::string& when) {
  const Verification verification = buffers_->verify(set, precision_of(variant, problem()), reference_);
  if (!verification.ok) throw Broken(fmt::format("{}, {}", verification.reason, when));
}

Subject::Subject(Task task) : task_(std::move(task)) {}

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
  if (!entry_) entry_ = make_catalogue(loaded_plugins(*host_)).backends.at(0);
  return *entry_;
}

SessionOptions Subject::options() const { return {(task_.folder / "cache").string(), false}; }

std::unique_ptr<Session> Subject::open(const Lane& lane) {
  std::unique_ptr<Session> session = backend().open(lane.device.id, options());
  if (session == nullptr) throw Broken("Backend::open returned null; throw a Failure that says why");
  return session;
}

Session& Subject::session() {
  if (session_ == nullptr) session_ = open(lane());
  return *session_;
}

const Cases& Subject::cases() {
  if (!cases_) cases_ = cases_of(entry(), lane().device, full());
  return *cases_;
}

std::vector<Case> Subject::typical() {
  std::vector<Case> all = typical_cases(cases());
  if (full()) return all;
  std::set<std::string> seen;
  std::erase_if(all, [&](const Case& one) { return !seen.insert(one.variant->workload).second; });
  return all;
}

PrepareRequest Subject::request(const Case& one, const ProblemSpec& problem) {
  return request_on(lane(), one, problem);
}

PrepareRequest Subject::request_on(const Lane& lane, const Case& one, const ProblemSpec& problem) {
  PrepareRequest request;
  request.variant = one.variant;
  request.tunables = one.tunables;
  request.label = one.label();
  if (one.variant->kernel) {
    const Parameters values =
        kernel_values(problem.parameters, problem.layout, one.tunables, device_values(lane.device));
    request.kernel = plan_kernel(*one.variant->kernel, values, problem, entry().kernel_directory);
  }
  return request;
}

std::unique_ptr<Prepared> Subject::prepare(const Case& one, Bench& bench) {
  std::unique_ptr<Prepared> prepared = bench.buffers().device().prepare(request(one, bench.problem()));
  if (prepared == nullptr) throw Broken("Problem::prepare returned null; throw a Failure that says why");
  return prepared;
}

}  // namespace benchctl::conformance
