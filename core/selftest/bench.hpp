// What the checks of the self-test measure with, the same configs, points, workers and store as
// `benchctl run`, and what they find.
#pragma once

#include "engine/coordinator.hpp"
#include "engine/host.hpp"
#include "store/store.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::selftest {

enum class Outcome : std::uint8_t {
  pass,
  fail,
  not_possible,  ///< the machine has not what it takes, or is too restless to tell; `note` says which
};

/// One line of the self-test's table.
struct CaseResult {
  std::string check;
  std::string lane;      ///< empty: no device has a part in it
  std::string what;      ///< which case of the check: `500 µs, one at a time`
  std::string expected;  ///< with the tolerance
  std::string found;
  Outcome outcome = Outcome::fail;
  std::string note;
  /// The same as numbers, by name with the unit at its end: `expected_ns`.
  std::map<std::string, double, std::less<>> figures = {};
};

/// A case that cannot be told, and why.
[[nodiscard]] CaseResult not_possible(std::string what, std::string why, std::string expected = "");
/// A time that must be as expected, give or take what is allowed.
[[nodiscard]] CaseResult compare_times(std::string what, double expected_ns, double allowed_ns,
                                       double found_ns);

/// The user wants no more: what was found so far still counts.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

class Bench {
 public:
  /// `options` hold the store and folders of the runs. All that is referred to must outlive the object.
  Bench(const PluginTable& plugins, ChannelFactory& factory, LaneTable lanes, RunOptions options,
        Progress& progress, bool full);

  /// Many repetitions, or few?
  [[nodiscard]] bool full() const { return full_; }
  /// All but simulators: nothing can be timed on these.
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  [[nodiscard]] bool has_variant(const Lane& lane, std::string_view workload,
                                 std::string_view variant) const;
  /// Does any variant of the workload have it on that lane's backend?
  [[nodiscard]] bool has_tunable(const Lane& lane, std::string_view workload,
                                 std::string_view tunable) const;

  /// Runs a config on one lane, as a run of its own in the store, and returns all its points. Throws
  /// Interrupted; ConfigErrors if the text is wrong.
  [[nodiscard]] std::vector<Result> measure(const std::string& config, const Lane& lane);

  /// The last of a config's variants that runs on a lane, on processors the widest; empty if none does.
  [[nodiscard]] std::string last_variant(const std::string& config, const Lane& lane) const;

  /// Points of the workload `spin`, and the variant that they are of.
  struct Spun {
    std::string variant;
    std::vector<Result> points;
  };
  /// Measures with the variant `clock`, and with `loop` if that is missing or gives nothing usable. Without
  /// anything usable, the points measured last.
  [[nodiscard]] Spun spin(const Lane& lane, const std::function<std::string(const std::string&)>& config,
                          const std::function<bool(const std::vector<Result>&)>& usable);

 private:
  const PluginTable& plugins_;
  ChannelFactory& factory_;
  Catalogue catalogue_;
  std::vector<Lane> lanes_;
  RunOptions options_;
  Progress& progress_;
  bool full_;
};

/// The config of a check: the keys of its `[measure]`, a line each, and what follows `[[sweep]]`.
[[nodiscard]] std::string config_of(std::string_view check, std::string_view measure,
                                    std::string_view sweep);

/// A problem parameter or tunable of a point as a number; -1 if it has none of that name.
[[nodiscard]] double number_of(const Result& point, std::string_view name);
/// Was it measured to the target, or without one?
[[nodiscard]] bool is_settled(const Result& point);
/// The first point that fulfils a condition, or null.
[[nodiscard]] const Result* find_point(const std::vector<Result>& points,
                                       const std::function<bool(const Result&)>& condition);
/// The point of `spin` that has a time on that basis, or null.
[[nodiscard]] const Result* find_spin(const std::vector<Result>& points, int duration_us, Basis basis);
/// Why there is no usable time: status and reason; of several points, of the first that was to be measured.
[[nodiscard]] std::string why_not(const std::vector<Result>& points);

}  // namespace benchctl::selftest

namespace benchctl::detail {
template <>
struct Spellings<selftest::Outcome> {
  static constexpr std::array<Spelling<selftest::Outcome>, 3> table{
      {{selftest::Outcome::pass, "pass"},
       {selftest::Outcome::fail, "fail"},
       {selftest::Outcome::not_possible, "not possible here"}}};
};
}  // namespace benchctl::detail
