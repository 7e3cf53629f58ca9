// `run --parallel devices`: groups of different cards are measured at once, after a proof that the cards do
// not disturb each other.
#pragma once

#include "engine/group_runner.hpp"
#include "stats/verdict.hpp"

#include <functional>
#include <span>

namespace benchctl {

/// Groups by what they need quiet.
struct DealtGroups {
  std::map<std::string, std::vector<Group>> of_cards;  ///< by physical identity, in the order of the groups
  std::vector<Group> alone;                            ///< processors, host clocks, pairs across devices
  std::set<std::string> lanes_alone;                   ///< of these
};
/// Splits groups, whose places are those of `points`, by card. A group in which a point is compared in
/// turns with one elsewhere stays together.
[[nodiscard]] DealtGroups deal_groups(const std::vector<Group>& groups, const std::vector<RunPoint>& points,
                                      const LaneTable& lanes, const Catalogue& catalogue,
                                      const CompareSettings& compare);

/// How a card does beside the others.
struct Neighbourhood {
  stats::RatioEstimate together;  ///< time beside the others over time alone
  stats::Verdict verdict = stats::Verdict::not_resolved;
};
/// A paired A/A: in each round each of `cards` alone, then all together. `alone` gives the time of one of
/// them by its place, `together` those of all; NaN where it failed. Ends when all verdicts are known, by
/// `threshold`, at 95 % for all cards together; after 40 rounds; or when `stopped`.
[[nodiscard]] std::vector<Neighbourhood> compare_neighbours(
    std::size_t cards, double threshold, const std::function<double(std::size_t)>& alone,
    const std::function<std::vector<double>()>& together, const std::function<bool()>& stopped);

class ParallelDevices {
 public:
  /// Puts the workers of each card near it. `look_for_roofs` is called after each group of probes.
  ParallelDevices(RunContext& context, DealtGroups groups, std::function<void()> look_for_roofs);
  ParallelDevices(const ParallelDevices&) = delete;
  ParallelDevices& operator=(const ParallelDevices&) = delete;
  ~ParallelDevices();

  /// Measures the groups of cards at once if that is proved to disturb nothing. Otherwise it leaves them,
  /// and the reason becomes an event of the run. Groups that need quiet are left in any case. Throws
  /// StoreError.
  void run(RunId run);
  /// Cards that are being measured at this moment: 1 while nothing runs at once.
  [[nodiscard]] std::size_t width() const { return std::max<std::size_t>(1, width_); }

 private:
  /// A runner of the card's heaviest group that can be made ready; null if none can.
  [[nodiscard]] std::unique_ptr<GroupRunner> ready_on(const std::string& card);
  /// Why cards are not measured at once; empty if they are.
  [[nodiscard]] std::string prove();
  [[nodiscard]] std::string verdict_on(const std::vector<Neighbourhood>& found);
  void tell(RunId run, const std::string& text);
  /// Calls `work` for each card in a thread of its own, which holds the baton, and waits. Throws what the
  /// first of them threw.
  void at_once(const std::function<void(const std::string& card, std::size_t place)>& work);
  void measure(const std::vector<Group>& groups);

  RunContext& context_;
  DealtGroups groups_;
  std::function<void()> look_for_roofs_;
  Baton baton_;
  std::vector<std::string> cards_;
  std::list<Group> trials_;  ///< of runners
  std::string proof_;        ///< what the A/A found, for people
  std::size_t width_ = 0;
  bool failed_ = false;
  std::function<bool()> interrupted_;  ///< the run's own
};

}  // namespace benchctl
