#include "conformance/subject.hpp"

#include "engine/host.hpp"
#include "engine/kernel_plugins.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl::conformance {

namespace {

constexpr std::uint64_t first_seed = 1;
/// Prepared variants that a bench holds at a time.
constexpr std::uint64_t slots = 2;

verbs::StatedProblem stated(const ProblemSpec& problem) {
  return {problem.workload, {}, problem.parameters, problem.layout};
}

void want_right(const Verification& verification, const std::string& when) {
  if (!verification.ok) throw Broken(fmt::format("{}, {}", verification.reason, when));
}

}  // namespace

Tried Trials::attempt(std::size_t number) const {
  try {
    trials_.at(number)();
    return {};
  } catch (const Broken& broken) {
    return {Outcome::failed, broken.what()};
  } catch (const NotPossible& impossible) {
    return {Outcome::skipped, impossible.what()};
  } catch (const Failure& failure) {
    return {failure.kind() == FailureKind::unsupported ? Outcome::skipped : Outcome::failed,
            fmt::format("{}: {}", to_string(failure.kind()), failure.what()), failure.sticky()};
  } catch (const std::exception& error) {
    return {Outcome::failed,
            fmt::format("it threw an exception that is not a benchctl::Failure: {}", error.what())};
  } catch (...) {
    return {Outcome::failed, "it threw something that is not a std::exception"};
  }
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

std::unique_ptr<Opened> Subject::open(const Lane& lane) {
  return std::make_unique<Opened>(*host_, lane, entry(), options());
}

Opened& Subject::here() {
  static_cast<void>(entry());
  if (here_ == nullptr) here_ = open(*task_.lane);
  return *here_;
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

std::filesystem::path Subject::reference(const ProblemSpec& problem, std::uint64_t seed) {
  const std::string key =
      fmt::format("{} {} {} {}", problem.workload, to_text(problem.parameters), problem.layout, seed);
  const auto [known, fresh] =
      references_.try_emplace(key, task_.folder / fmt::format("reference-{}.npy", references_.size()));
  if (fresh) {
    LocalChannelFactory factory(*host_);
    Client(factory, {}).ask(verbs::Reference{stated(problem), seed, known->second}, infinite_seconds);
  }
  return known->second;
}

Bench::Bench(Subject& subject, Opened& on, const ProblemSpec& problem, std::uint32_t sets)
    : on_(on),
      id_(subject.next_id()),
      sets_(sets),
      problem_(on.worker, problem,
               {.id = id_,
                .stated = stated(problem),
                .seeds = {first_seed},
                .sets = sets,
                .references = {subject.reference(problem, first_seed)}}) {}

bool Bench::holds(const ProblemSpec& problem) const {
  const ProblemSpec& own = problem_.spec();
  return problem.workload == own.workload && problem.parameters == own.parameters &&
         problem.layout == own.layout && on_.worker.running();
}

std::uint64_t Bench::prepare(const VariantInfo& variant, std::vector<Candidate> candidates,
                             std::uint64_t slot) {
  const std::uint64_t id = id_ * slots + slot;
  problem_.prepare(id, variant, std::move(candidates),
                   fmt::format("{}/{}", variant.workload, variant.name));
  return id;
}

Ready::Ready(Subject& subject, const Case& one, std::uint32_t sets)
    : Ready(subject, one, std::make_shared<Bench>(subject, subject.here(), one.problem, sets)) {}

Ready::Ready(Subject& subject, const Case& one, std::shared_ptr<Bench> bench, std::uint64_t slot)
    : bench_(std::move(bench)),
      id_(bench_->prepare(*one.variant, subject.candidates(one, bench_->worker().lane().device), slot)) {}

CheckReply Ready::check(const std::string& when) {
  CheckReply reply =
      bench_->worker().ask(verbs::Check{.prepared = id_, .execute = true, .sets = bench_->sets()});
  want_right(reply.verification, when);
  return reply;
}

void Ready::sample(const SampleRequest& request, const std::string& when) {
  const SampleReply reply = bench_->worker().sample({id_, request, {}}, false);
  want_right(reply.verification ? *reply.verification
                                : bench_->worker().ask(verbs::Check{id_, false}).verification,
             when);
}

void Ready::check_with_new_inputs(const std::filesystem::path& reference, std::uint64_t seed,
                                  const std::string& when) {
  constexpr double most_seconds = 0.1;
  const double ns = check("in an execution before its inputs were drawn anew").run_ns;
  const verbs::Audit audit{.prepared = id_,
                           .request = {},
                           .seconds = most_seconds,
                           .execution_ns = ns,
                           .keep_scratch = true,
                           .seed = seed,
                           .reference = reference};
  want_right(bench_->worker().ask(audit).verification, when);
}

void prepare_stranger(Bench& bench, const Case& one) {
  bench.prepare(*one.variant, {{"no_such_variant", one.tunables}});
}

void replace_by_garbage(PlannedLaunch& launch, const Subject& subject) {
  const std::filesystem::path file =
      subject.task().folder / std::filesystem::path(launch.source).filename();
  std::ofstream(file) << "this is not a kernel in any language @#$\n";
  launch.source = file.string();
}

}  // namespace benchctl::conformance
