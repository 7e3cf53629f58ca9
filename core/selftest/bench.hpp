// What the checks of the self-test measure with: the same configs, points, workers and store as
// `benchctl run`, and nothing else.
#pragma once

#include "engine/coordinator.hpp"
#include "engine/host.hpp"
#include "store/store.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::selftest {

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
  [[nodiscard]] std::vector<StoredPoint> measure(const std::string& config, const Lane& lane);

 private:
  const PluginTable& plugins_;
  ChannelFactory& factory_;
  Catalogue catalogue_;
  std::vector<Lane> lanes_;
  RunOptions options_;
  Progress& progress_;
  bool full_;
};

/// A problem parameter or tunable of a point as a number; -1 if it has none of that name.
[[nodiscard]] double number_of(const StoredPoint& point, std::string_view name);
/// Was it measured to the target, or without one?
[[nodiscard]] bool is_settled(const StoredPoint& point);
/// The first point that fulfils a condition, or null.
[[nodiscard]] const StoredPoint* find_point(const std::vector<StoredPoint>& points,
                                            const std::function<bool(const StoredPoint&)>& condition);
/// Why there is no usable time: status and reason; of several points, of the first that was to be measured.
[[nodiscard]] std::string why_not(const std::vector<StoredPoint>& points);

}  // namespace benchctl::selftest
