// Runs by a clock that only the scripted plugin's samples and a fixed cost of every verb move: what a point
// gets does not depend on the machine.
#pragma once

#include "engine/fake_machine.hpp"

#include <optional>

namespace benchctl::test {

inline constexpr double verb_seconds = 0.001;
inline constexpr double reference_seconds = 0.1;

struct Script {
  double now = 0;
  double caught_below_ns = 0;  ///< audits of what is said to take less see a hundred times as much
  std::size_t references = 0;  ///< computed of the run's own seed
  std::size_t audits = 0;
  std::size_t prepared = 0;
  std::vector<std::int64_t> problems;  ///< their n, in the order in which they were brought up
  double library_seconds = 0;          ///< that making the library ready takes
  std::vector<std::string> variants;   ///< in the order in which they were made ready
};

inline nlohmann::json scripted(Script& script, Verb verb, const nlohmann::json& arguments,
                               nlohmann::json answer) {
  if (verb == verbs::Blas::verb) return answer;  // asked before the budget's clock begins
  script.now += verb == verbs::Reference::verb ? reference_seconds : verb_seconds;
  if (verb == verbs::Reference::verb && arguments.at("seed") == 1) ++script.references;
  if (verb == verbs::Audit::verb) {
    ++script.audits;
    answer["host"] = nullptr;  // the machine's own clock: it would contradict the script where it is slow
    if (arguments.at("execution_ns") < script.caught_below_ns) {
      for (nlohmann::json& execution : answer.at("executions"))
        execution["ns"] = 100 * execution.at("ns").get<double>();
    }
  }
  if (verb == verbs::Problem::verb)
    script.problems.push_back(arguments.at("stated").at("parameters").at("n"));
  if (verb == verbs::Prepare::verb) {
    ++script.prepared;
    script.variants.push_back(arguments.at("candidates").at(0).at("variant"));
    if (script.variants.back() == "steady") script.now += script.library_seconds;
  }
  if (verb == verbs::Sample::verb) {
    const auto block = decode<SampleReply>(answer).block;
    for (const double ns : block.ns) script.now += ns * 1e-9 * block.batch;
  }
  return answer;
}

struct Performed : Script {
  std::vector<Result> points;
  RunOutcome outcome;
  std::map<std::int64_t, double> sampling_seconds;  ///< duration of rounds, by the n of their problem

  [[nodiscard]] std::size_t stopped_by(StopReason reason) const {
    return static_cast<std::size_t>(std::ranges::count_if(points, [&](const Result& point) {
      return point.measurement && point.measurement->stop == reason;
    }));
  }
};

/// Measures matmul on the scripted plugin, in a folder that sessions of a run may share.
inline Performed run(const std::string& parameters, const std::string& measure, double budget,
                     const TemporaryDirectory& folder = {}, const std::string& order = "written",
                     double caught_below_ns = 0, std::optional<double> library_seconds = {}) {
  Performed result;
  result.caught_below_ns = caught_below_ns;
  FakeMachine machine;
  machine.script = [&result](Verb verb, const nlohmann::json& arguments, nlohmann::json answer) {
    return scripted(result, verb, arguments, std::move(answer));
  };
  std::vector<VariantInfo>& variants = machine.backend().variants;
  variants.emplace_back();
  variants.back().workload = "peaks";
  variants.back().name = "probe";
  if (library_seconds) {
    // `steady` becomes a library that compiles: it is a vendor's, and others of its backend are compiled.
    result.library_seconds = *library_seconds;
    for (VariantInfo& variant : variants) {
      variant.vendor = variant.name == "steady";
      if (variant.name == "twin") variant.kernel.emplace();
    }
  }
  std::string text = fake_config(library_seconds ? list_of({"steady", "noisy"}) : list_of({"noisy"}),
                                 parameters, (measure.starts_with("seed") ? "" : "seed = 1\n") + measure);
  text.replace(text.find("written"), std::string("written").size(), order);
  machine.configure(text);
  RunOptions options = machine.options();
  options.store = folder.path() / "store.db";
  options.folder = folder.path();
  if (std::isfinite(budget)) options.budget_seconds = budget;
  options.clock = [&] { return result.now; };
  Progress progress;
  result.now = 0;
  result.outcome = machine.run(options, progress);
  result.points = Store::open(options.store, Store::Access::read_only).results(result.outcome.run);
  for (const Result& point : result.points) {
    INFO(point.row.point.label() << ": " << point.row.point.reason);
    if (!point.row.finished) continue;
    if (caught_below_ns > 0 && point.row.point.status == Status::implausible) continue;
    REQUIRE(point.measurement);
    std::size_t samples = 0;
    for (const SampleRow& row :
         Store::open(options.store, Store::Access::read_only).samples(point.row.id)) {
      if (row.used) samples += row.block.ns.size();
      double& seconds = result.sampling_seconds[std::get<std::int64_t>(point.row.point.problem.at("n"))];
      seconds += verb_seconds;
      for (const double ns : row.block.ns) seconds += ns * 1e-9 * row.block.batch;
    }
    CHECK(samples == point.measurement->n_samples);
  }
  return result;
}

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

inline const Comparison& against_best(const Result& point) {
  const Comparison* comparison = point.compared(Against::best);
  REQUIRE(comparison);
  return *comparison;
}

}  // namespace benchctl::test
