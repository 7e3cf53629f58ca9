#include "sweep/search.hpp"

#include "expr/expression.hpp"
#include "model/keys.hpp"
#include "model/metrics.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "sweep/configurations.hpp"
#include "sweep/space.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace benchctl {

struct SearchTask::Sweep {
  Sweep(const Config& config, std::size_t index, const Catalogue& catalogue, const LaneTable& lanes,
        std::shared_ptr<Reporter> reporter)
      : warnings(std::move(reporter)), space(config, index, catalogue, lanes, *warnings) {}

  std::shared_ptr<Reporter> warnings;  // of all sweeps; it has a copy of the config's text
  SweepSpace space;
};

/// A variant with the tunables that are searched, all other values fixed.
struct SearchTask::Arm {
  const Placement* placement = nullptr;
  Point fixed;
  std::vector<const Dimension*> dimensions;

  [[nodiscard]] Point at(const std::vector<std::uint32_t>& places) const {
    Point point = fixed;
    for (std::size_t i = 0; i < dimensions.size(); ++i) apply(*dimensions[i], places.at(i), point);
    return point;
  }
};

SearchTask::SearchTask(std::shared_ptr<Sweep> sweep, const SearchSettings& settings, std::string label,
                       std::uint64_t seed)
    : sweep_(std::move(sweep)), settings_(settings), label_(std::move(label)), seed_(seed) {
  space_.possible = [this](const Coordinates& at) { return point(at).status == Status::not_run; };
}

SearchTask::~SearchTask() = default;

void SearchTask::add(Arm arm) {
  std::vector<std::uint32_t>& lengths = space_.arms.emplace_back();
  for (const Dimension* dimension : arm.dimensions) lengths.push_back(dimension->length());
  arms_.push_back(std::move(arm));
}

std::uint64_t SearchTask::max_points() const {
  std::uint64_t wanted = settings_.max_points > 0 ? settings_.max_points
                                                  : find_strategy(settings_.strategy.text)->default_points;
  if (wanted == 0) wanted = max_combinations;
  const double size = space_.size();
  return size < static_cast<double>(wanted) ? static_cast<std::uint64_t>(size) : wanted;
}

Point SearchTask::point(const Coordinates& coordinates) {
  const Arm& arm = arms_.at(coordinates.arm);
  return sweep_->space.finished(*arm.placement, arm.at(coordinates.places));
}

void SearchTask::name_first() {
  constexpr std::size_t most_known = 12;
  VariantInfo choice;
  choice.workload = sweep_->space.workload().name();
  choice.name = settings_.tuned;
  for (const Arm& arm : arms_) {
    name({arm.placement->variant->name, arm.placement->tunables});
    choice.among.push_back(arm.placement->variant->name);
  }
  const Target& target = *arms_.front().placement->target;
  if (target.lane == nullptr) return;
  const Point any = example();
  try {
    const ProblemSpec problem = problem_of(sweep_->space.workload(), any);
    const PlanCase point{sweep_->space.workload(), *target.backend, choice,
                         target.lane->device,      problem,         any.tunables};
    for (const Configuration& one : find_configurations(point, most_known).configurations) name(one);
  } catch (const ProblemError&) {  // no point of it can run
  } catch (const ExpressionError&) {
  }
}

/// Where in the space the configuration is tried first, if it is in it.
void SearchTask::name(const Configuration& one) {
  const auto arm = std::ranges::find(
      arms_, one.variant, [](const Arm& a) -> const std::string& { return a.placement->variant->name; });
  if (arm == arms_.end()) return;
  const ValueOrder less;
  Coordinates at{static_cast<std::uint32_t>(arm - arms_.begin()), {}};
  for (const Dimension* dimension : arm->dimensions) {
    const auto has_values = [&](std::uint32_t place) {
      return std::ranges::all_of(dimension->axes, [&](const Axis* axis) {
        const auto value = one.tunables.find(axis->name);
        const Value& here = axis->values[dimension->places[place]];
        return value != one.tunables.end() && !less(value->second, here) && !less(here, value->second);
      });
    };
    std::uint32_t place = 0;
    while (place < dimension->length() && !has_values(place)) ++place;
    if (place == dimension->length()) return;
    at.places.push_back(place);
  }
  if (equal(arm->at(at.places).tunables, one.tunables)) space_.first.push_back(std::move(at));
}

namespace {

/// The tasks of one sweep.
class SweepSearches {
 public:
  SweepSearches(const Config& config, std::size_t index, const Catalogue& catalogue, const LaneTable& lanes,
                std::shared_ptr<Reporter> reporter, Searches& searches)
      : config_(config),
        sweep_(config.sweeps[index]),
        settings_(search_settings(config, index)),
        parts_(std::make_shared<SearchTask::Sweep>(config, index, catalogue, lanes, std::move(reporter))),
        tasks_(searches.tasks),
        first_(tasks_.size()) {}

  void run() {
    for (const Placement& placement : parts_->space.placements()) add(placement);
    if (settings_.tuned.empty()) return;
    for (std::size_t i = first_; i < tasks_.size(); ++i) tasks_[i]->name_first();
  }

 private:
  /// Dimensions of tunables alone are searched; what a problem or a way of measuring depends on is not.
  void add(const Placement& placement) {
    std::vector<const Dimension*> outer;
    std::vector<std::uint32_t> lengths;  // of these
    std::vector<const Dimension*> searched;
    double problems = 1;
    for (const Dimension& dimension : placement.dimensions) {
      if (std::ranges::all_of(dimension.classes,
                              [](AxisClass kind) { return kind == AxisClass::tunable; })) {
        searched.push_back(&dimension);
        continue;
      }
      outer.push_back(&dimension);
      lengths.push_back(dimension.length());
      problems *= dimension.length();
    }
    refuse_too_many(problems);
    std::vector<std::uint32_t> at(outer.size(), 0);
    do {
      Point fixed = parts_->space.start(placement);
      for (std::size_t i = 0; i < outer.size(); ++i) apply(*outer[i], at[i], fixed);
      observe_objective(fixed.measure.observe);
      task_for(fixed).add({&placement, fixed, searched});
    } while (next_places(at, lengths));
  }

  /// An objective that an observer reads is asked for.
  void observe_objective(std::vector<std::string>& observe) const {
    const MetricInfo& objective = *find_metric(settings_.objective.text);
    if (!objective.observed || std::ranges::find(observe, reading_of(objective)) != observe.end()) return;
    std::erase(observe, "none");
    observe.emplace_back(reading_of(objective));
  }

  void refuse_too_many(double problems) const {
    constexpr double max_searches = 10'000;
    if (problems + static_cast<double>(tasks_.size()) <= max_searches) return;
    Reporter reporter = config_.reporter();
    reporter.error(
        sweep_.position,
        fmt::format("sweep '{}' comes to {:.0f} problems and more, each with a search of its own",
                    sweep_.name, problems),
        fmt::format("at most {}; a search is over tunables", max_searches));
    reporter.throw_if_any();
  }

  SearchTask& task_for(const Point& fixed) {
    const TaskKey key(RivalKey(fixed), fixed.layout, fixed.device);
    const auto [place, fresh] = places_.try_emplace(key, tasks_.size());
    if (fresh) {
      std::string problem = to_text(fixed.problem);
      if (!fixed.layout.empty()) problem += " layout=" + fixed.layout;
      // Tasks of one seed would otherwise begin at the same places.
      const std::uint64_t seed = settings_.seed * 1'000'003 + tasks_.size();
      tasks_.push_back(
          std::make_unique<SearchTask>(parts_, settings_,
                                       fmt::format("sweep '{}' on {}{}", sweep_.name, fixed.device,
                                                   problem.empty() ? "" : ", " + problem),
                                       seed));
    }
    return *tasks_[place->second];
  }

  const Config& config_;
  const Sweep& sweep_;
  const SearchSettings& settings_;
  std::shared_ptr<SearchTask::Sweep> parts_;
  std::vector<std::unique_ptr<SearchTask>>& tasks_;                ///< all sweeps'
  std::size_t first_;                                              ///< this sweep's first task
  using TaskKey = std::tuple<RivalKey, std::string, std::string>;  // layout, lane
  std::map<TaskKey, std::size_t> places_;                          // among these
};

}  // namespace

const SearchSettings& search_settings(const Config& config, std::size_t sweep) {
  const auto& own = config.sweeps.at(sweep).search;
  return own ? *own : config.search;
}

void check_search(const SearchSettings& search, Reporter& reporter) {
  if (find_strategy(search.strategy.text) == nullptr) {
    reporter.unknown_name(search.strategy.position, search.strategy.text,
                          fmt::format("unknown search strategy '{}'", search.strategy.text),
                          names_of(strategies(), &StrategyInfo::name));
  }
  const Word& objective = search.objective;
  const MetricInfo* metric = find_metric(objective.text);
  if (metric != nullptr && metric->better != Better::neither) return;
  Names names;
  for (const MetricInfo& known : metric_table) {
    if (known.better != Better::neither) names.emplace_back(known.id);
  }
  reporter.unknown_name(
      objective.position, objective.text,
      metric == nullptr
          ? fmt::format("unknown metric '{}' as the objective of a search", objective.text)
          : fmt::format("a search cannot make '{}' best: neither direction is better", objective.text),
      names);
}

bool is_searched(const Config& config, std::size_t sweep) {
  const SearchSettings& settings = search_settings(config, sweep);
  if (!settings.tuned.empty()) return true;
  // The roofs are probed, all of them, and a search among probes would mean nothing.
  return settings.strategy.text != strategies().front().name &&
         config.sweeps.at(sweep).workload.text != roof_workload().name();
}

Searches make_searches(const Config& config, const Catalogue& catalogue, const LaneTable& lanes) {
  Searches searches;
  const auto warnings = std::make_shared<Reporter>(config.reporter());
  for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
    if (is_searched(config, i)) SweepSearches(config, i, catalogue, lanes, warnings, searches).run();
  }
  searches.warnings = warnings->take();
  return searches;
}

}  // namespace benchctl
