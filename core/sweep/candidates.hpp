// All combinations of a sweep, in the order of the points to be, as a few numbers each: the values are
// looked up when a combination's turn comes, so that a large sweep takes little memory. Internal to this
// room.
#pragma once

#include "config/config.hpp"
#include "sweep/targets.hpp"
#include "workloads/workload.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace benchctl {

enum class AxisClass : std::uint8_t { problem, layout, measure, tunable };

/// Axes that advance together: one free axis, or those of a zip group that the variant has.
struct Dimension {
  std::vector<const Axis*> axes;
  std::vector<AxisClass> classes;  ///< of the axes
  /// Of the values to take: of tied axes a variant may lack some, and the others then repeat themselves.
  std::vector<std::size_t> places;
  [[nodiscard]] std::size_t length() const { return places.size(); }
};

/// A variant on a target, with the dimensions that it has there.
struct Choice {
  const Target* target = nullptr;
  const VariantInfo* variant = nullptr;
  std::vector<Dimension> dimensions;
  SharedParameters tunables;  ///< defaults
  std::string layout;         ///< when no axis says
  Expect expect = Expect::right;
};

/// The selected variants of a backend, each once, in the order in which the sweep names them.
[[nodiscard]] std::vector<const VariantInfo*> selected_variants(const Sweep& sweep,
                                                                const BackendEntry& backend);
/// What the sweep says of a variant's results.
[[nodiscard]] Expect expectation(const Sweep& sweep, const std::string& variant);

/// The values of one combination.
struct Combination {
  SharedParameters problem;  ///< what the axes give, defaults not filled in
  std::string layout;
  SharedParameters tunables;  ///< all of the variant's
  MeasureSettings measure;
};

/// What the sweeps of a config come to. Doubles, since a product of axes may be beyond every integer.
struct SweepTotals {
  double combinations = 0;
  double condition_bytes = 0;  ///< bytes of `where` times combinations
};

/// Order: problem (values of problem and layout axes, the first axis outermost), measure parameters,
/// target, variant, tunables.
class Candidates {
 public:
  enum class Extent : std::uint8_t {
    all,           ///< every combination
    choices_only,  ///< variants with their dimensions: nothing that grows with the product of the axes
  };

  /// `targets` must outlive the object. Throws ConfigErrors when there are too many combinations, or too
  /// many conditions to evaluate for them, together with what the sweeps `before` came to.
  Candidates(const Config& config, const Sweep& sweep, const Workload& workload,
             const std::vector<Target>& targets, Extent extent = Extent::all, SweepTotals before = {});

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  /// With this sweep.
  [[nodiscard]] const SweepTotals& totals() const { return totals_; }
  [[nodiscard]] const Choice& choice(std::size_t i) const { return choices_[order_[i].choice]; }
  /// Has its parameters in common with those before where they are equal.
  [[nodiscard]] Combination combination(std::size_t i);

  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  [[nodiscard]] AxisClass class_of(const std::string& axis) const;
  /// What a choice has before its dimensions say otherwise.
  [[nodiscard]] static Combination start(const Choice& choice);
  /// Gives the axes of a dimension their values at `place`.
  void apply(const Dimension& dimension, std::size_t place, Combination& combination) const;

 private:
  /// One combination. All of them lie in memory beside their points: no byte more than it takes.
  struct Entry {
    std::uint32_t choice = 0;
    std::uint32_t number = 0;  // of the combination, the last dimension running fastest
  };
  /// One that is still to find its place in the order.
  struct Sorted {
    std::uint64_t problem = 0;  // grows with the values of its problem and layout axes, the first foremost
    std::uint64_t measure = 0;  // the same of measure parameters
    Entry entry;
  };
  /// Positions of an axis's values in the order of all values that the axis has on any target.
  using Ranks = std::vector<std::uint32_t>;
  /// What combinations of a choice had already.
  struct Given {
    SharedParameters problem;                ///< of the last
    std::vector<SharedParameters> tunables;  ///< by the places of their dimensions; empty: not yet
  };
  /// What an axis adds to the order of a choice's combinations.
  struct Digit {
    const Dimension* dimension = nullptr;  // none: the choice does not have the axis
    std::size_t stride = 1;                // numbers with the same value in a row
    const Ranks* ranks = nullptr;
    /// 0 without the axis, else 1 and more.
    [[nodiscard]] std::uint64_t of(std::size_t number) const {
      return dimension == nullptr
                 ? 0
                 : std::uint64_t{(*ranks)[dimension->places[number / stride % dimension->length()]]} + 1;
    }
  };

  [[nodiscard]] std::vector<Dimension> dimensions(const Target& target, const VariantInfo& variant) const;
  [[nodiscard]] std::string default_layout(const VariantInfo& variant) const;
  void collect_choices();
  void rank_axes();
  void refuse_too_many(const Config& config);
  /// By choice.
  [[nodiscard]] std::vector<Digit> digits_of(const std::string& axis) const;
  void enumerate();
  /// Numbers the places that are taken 0, 1, 2 … in the same order; returns how many there are.
  static std::uint64_t close_gaps(std::vector<Sorted>& all, std::uint64_t Sorted::*place);

  const Sweep& sweep_;
  const Workload& workload_;
  const std::vector<Target>& targets_;
  std::vector<Choice> choices_;
  std::vector<std::string> axis_names_;  // of all targets, in order
  std::map<const Axis*, Ranks> ranks_;   // of problem, layout and measure axes
  std::vector<Entry> order_;
  std::vector<Given> given_;  // by choice
  SweepTotals totals_;
};

}  // namespace benchctl
