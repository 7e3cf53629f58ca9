#include "sweep/search.hpp"

#include "expr/expression.hpp"
#include "model/key_text.hpp"
#include "model/value_order.hpp"
#include "sweep/configurations.hpp"
#include "sweep/point_maker.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace benchctl {

namespace {

/// What all tasks of a sweep share.
struct SweepParts {
  SweepParts(const Config& config, std::size_t index, const Catalogue& catalogue, const LaneTable& lanes,
             std::shared_ptr<Reporter> reporter)
      : warnings(std::move(reporter)),
        targets(sweep_targets(config, config.sweeps[index], catalogue, lanes, *warnings)),
        workload(*config.workloads.find(config.sweeps[index].workload.text)),
        places(placements(config.sweeps[index], workload, targets)),
        maker(config, index, workload, *warnings) {}

  std::shared_ptr<Reporter> warnings;  // of all sweeps; it has a copy of the config's text
  std::vector<Target> targets;
  const Workload& workload;
  std::vector<Placement> places;
  PointMaker maker;
};

/// A variant with the tunables that are searched, all other values fixed.
struct Arm {
  const Placement* placement = nullptr;
  Combination fixed;
  std::vector<const Dimension*> dimensions;
};

class Task final : public SearchTask {
 public:
  Task(std::shared_ptr<SweepParts> parts, const SearchSettings& settings, std::string label,
       std::uint64_t seed)
      : parts_(std::move(parts)), settings_(settings), label_(std::move(label)), seed_(seed) {
    space_.possible = [this](const Coordinates& coordinates) {
      return point(coordinates).status == Status::not_run;
    };
  }

  void add(Arm arm) {
    std::vector<std::uint32_t> lengths;
    for (const Dimension* dimension : arm.dimensions) lengths.push_back(dimension->length());
    space_.arms.push_back(std::move(lengths));
    arms_.push_back(std::move(arm));
  }

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] const std::string& label() const override { return label_; }
  [[nodiscard]] const SearchSettings& settings() const override { return settings_; }
  [[nodiscard]] std::uint64_t seed() const override { return seed_; }
  [[nodiscard]] std::uint64_t max_points() const override {
    std::uint64_t wanted = settings_.max_points > 0
                               ? settings_.max_points
                               : find_strategy(settings_.strategy.text)->default_points;
    if (wanted == 0) wanted = max_combinations;
    const double size = space_.size();
    return size < static_cast<double>(wanted) ? static_cast<std::uint64_t>(size) : wanted;
  }
  [[nodiscard]] Point point(const Coordinates& coordinates) override {
    return parts_->maker.make(*arms_.at(coordinates.arm).placement, combination(coordinates));
  }

  /// Names the points to try first: the defaults of each arm, then what tuning tables have for the problem.
  void name_first() {
    for (const Arm& arm : arms_) name({arm.placement->variant->name, arm.placement->tunables});
    const Target& target = *arms_.front().placement->target;
    if (target.lane == nullptr) return;
    VariantInfo choice;
    choice.workload = parts_->workload.name();
    choice.name = settings_.tuned;
    for (const Arm& arm : arms_) choice.among.push_back(arm.placement->variant->name);
    const Point any = example();
    try {
      const ProblemSpec problem = parts_->workload.problem(any.problem, any.layout);
      for (const Configuration& one : find_configurations(parts_->workload, choice, *target.backend,
                                                          target.lane->device, problem, most_known)
                                          .configurations) {
        name(one);
      }
    } catch (const ProblemError&) {  // no point of it can run
    } catch (const ExpressionError&) {
    }
  }

 private:
  static constexpr std::size_t most_known = 12;

  [[nodiscard]] Combination combination(const Coordinates& coordinates) const {
    const Arm& arm = arms_.at(coordinates.arm);
    Combination combination = arm.fixed;
    for (std::size_t i = 0; i < arm.dimensions.size(); ++i) {
      apply(*arm.dimensions[i], coordinates.places.at(i), combination);
    }
    return combination;
  }

  /// Where in the space the configuration is tried first, if it is in it.
  void name(const Configuration& one) {
    for (std::uint32_t arm = 0; arm < arms_.size(); ++arm) {
      if (arms_[arm].placement->variant->name != one.variant) continue;
      Coordinates at{arm, {}};
      for (const Dimension* dimension : arms_[arm].dimensions) {
        const auto place = place_of(*dimension, one.tunables);
        if (!place) return;
        at.places.push_back(*place);
      }
      if (equal(combination(at).tunables, one.tunables)) space_.first.push_back(std::move(at));
      return;
    }
  }

  [[nodiscard]] static std::optional<std::uint32_t> place_of(const Dimension& dimension,
                                                             const Parameters& values) {
    const ValueOrder less;
    for (std::size_t i = 0; i < dimension.length(); ++i) {
      const bool same = std::ranges::all_of(dimension.axes, [&](const Axis* axis) {
        const auto value = values.find(axis->name);
        const Value& here = axis->values[dimension.places[i]];
        return value != values.end() && !less(value->second, here) && !less(here, value->second);
      });
      if (same) return static_cast<std::uint32_t>(i);
    }
    return std::nullopt;
  }

  std::shared_ptr<SweepParts> parts_;
  const SearchSettings& settings_;
  std::string label_;
  std::uint64_t seed_;
  std::vector<Arm> arms_;
  SearchSpace space_;
};

class SweepSearches {
 public:
  SweepSearches(const Config& config, std::size_t index, const Catalogue& catalogue, const LaneTable& lanes,
                std::shared_ptr<Reporter> reporter, Searches& searches)
      : config_(config),
        index_(index),
        parts_(std::make_shared<SweepParts>(config, index, catalogue, lanes, std::move(reporter))),
        searches_(searches) {}

  void run() {
    for (const Placement& placement : parts_->places) add(placement);
    for (const auto& task : tasks_) {
      if (!task->settings().tuned.empty()) task->name_first();
    }
    std::ranges::move(tasks_, std::back_inserter(searches_.tasks));
  }

 private:
  /// Dimensions of tunables alone are searched; what a problem or a way of measuring depends on is not.
  [[nodiscard]] static bool is_searched(const Dimension& dimension) {
    return std::ranges::all_of(dimension.classes,
                               [](AxisClass kind) { return kind == AxisClass::tunable; });
  }

  void add(const Placement& placement) {
    std::vector<const Dimension*> outer;
    std::vector<std::uint32_t> lengths;  // of these
    std::vector<const Dimension*> inner;
    double problems = 1;
    for (const Dimension& dimension : placement.dimensions) {
      (is_searched(dimension) ? inner : outer).push_back(&dimension);
      if (is_searched(dimension)) continue;
      lengths.push_back(dimension.length());
      problems *= dimension.length();
    }
    refuse_too_many(problems);
    std::vector<std::uint32_t> at(outer.size(), 0);
    do {
      Combination fixed = start(placement);
      for (std::size_t i = 0; i < outer.size(); ++i) apply(*outer[i], at[i], fixed);
      task_for(placement, fixed).add({&placement, fixed, inner});
    } while (next_places(at, lengths));
  }

  void refuse_too_many(double problems) {
    if (problems + static_cast<double>(tasks_.size() + searches_.tasks.size()) <= max_searches) return;
    Reporter reporter = config_.reporter();
    const Sweep& sweep = config_.sweeps[index_];
    reporter.error(
        sweep.position, sweep.name,
        fmt::format("sweep '{}' comes to {:.0f} problems and more, each with a search of its own",
                    sweep.name, problems),
        fmt::format("at most {}; a search is over tunables", max_searches));
    throw ConfigErrors(reporter.take());
  }

  Task& task_for(const Placement& placement, const Combination& fixed) {
    const MeasureSettings& measure = fixed.measure;
    const std::string problem =
        to_text(fixed.problem) + (fixed.layout.empty() ? "" : " layout=" + fixed.layout);
    std::string key = KeyText()
                          .add(fixed.problem)
                          .add(fixed.layout)
                          .add(to_string(measure.cache))
                          .add(to_string(measure.launch))
                          .add(to_string(measure.basis))
                          .add(placement.target->name)
                          .take();
    const auto [place, fresh] = places_.try_emplace(std::move(key), tasks_.size());
    if (!fresh) return *tasks_[place->second];
    const SearchSettings& settings = search_settings(config_, index_);
    // Tasks of one seed would otherwise begin at the same places.
    const std::uint64_t seed = settings.seed * 1'000'003 + searches_.tasks.size() + tasks_.size();
    auto task =
        std::make_unique<Task>(parts_, settings,
                               fmt::format("sweep '{}' on {}{}", config_.sweeps[index_].name,
                                           placement.target->name, problem.empty() ? "" : ", " + problem),
                               seed);
    tasks_.push_back(std::move(task));
    return *tasks_.back();
  }

  static constexpr double max_searches = 10'000;

  const Config& config_;
  std::size_t index_;
  std::shared_ptr<SweepParts> parts_;
  Searches& searches_;
  std::vector<std::unique_ptr<Task>> tasks_;  ///< in the order of first appearance
  /// Among these, by problem, way of measuring and lane.
  std::map<std::string, std::size_t> places_;
};

}  // namespace

const SearchSettings& search_settings(const Config& config, std::size_t sweep) {
  const auto& own = config.sweeps.at(sweep).search;
  return own ? *own : config.search;
}

bool is_searched(const Config& config, std::size_t sweep) {
  const SearchSettings& settings = search_settings(config, sweep);
  if (!settings.tuned.empty()) return true;
  // The roofs are probed, all of them, and a search among probes would mean nothing.
  return settings.strategy.text != strategies().front().name &&
         config.sweeps.at(sweep).workload.text != "peaks";
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
