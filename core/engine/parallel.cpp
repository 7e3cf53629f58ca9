#include "engine/parallel.hpp"

#include <benchctl/cpu_packages.hpp>

#include "stats/summary.hpp"
#include "sweep/lanes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <exception>
#include <thread>

namespace benchctl {

namespace {

/// The verdicts are looked at after so many rounds: an interval that is looked at all the time comes out
/// too narrow.
constexpr std::array<std::size_t, 3> looks{10, 20, 40};
constexpr double confidence_of_all = 0.95;

/// What a group loads its device with, roughly.
double work_of(const Group& group) {
  const Cost cost = find_workload(group.workload)->cost(group.problem);
  return cost.flops + cost.bytes_read + cost.bytes_written + cost.accesses;
}

bool is_vendors(const Point& point, const Catalogue& catalogue) {
  const BackendEntry* backend = catalogue.find(point.backend);
  const VariantInfo* variant =
      backend != nullptr ? backend->find_variant(point.workload, point.variant) : nullptr;
  return variant != nullptr && variant->vendor;
}

PairCandidate pair_candidate(const Point& point, const LaneTable& lanes, const Catalogue& catalogue) {
  const Lane* lane = find_lane(lanes, point.device);
  return {&point, lane != nullptr ? lane->device.type : DeviceType::cpu, is_vendors(point, catalogue)};
}

}  // namespace

DealtGroups deal_groups(const std::vector<Group>& groups, const std::vector<RunPoint>& points,
                        const LaneTable& lanes, const Catalogue& catalogue,
                        const CompareSettings& compare) {
  DealtGroups dealt;
  const auto card_for = [&](const Point& point) {
    const Lane* lane = find_lane(lanes, point.device);
    return lane != nullptr && point.measure.basis == Basis::device ? card_of(*lane) : std::string();
  };
  for (const Group& group : groups) {
    std::map<std::string, std::vector<std::size_t>> parts;
    std::vector<PairCandidate> paired;
    for (const std::size_t index : group.points) {
      const Point& point = points[index].point;
      parts[card_for(point)].push_back(index);
      if (point.measure.mode == RoundMode::paired)
        paired.push_back(pair_candidate(point, lanes, catalogue));
    }
    const auto baselines = choose_baselines(paired, compare);
    for (std::size_t i = 0; i < paired.size(); ++i) {
      const bool elsewhere =
          baselines[i] && card_for(*paired[*baselines[i]].point) != card_for(*paired[i].point);
      if (elsewhere) parts = {{"", group.points}};
    }
    for (auto& [card, places] : parts) {
      if (card.empty()) {
        for (const std::size_t index : places) dealt.lanes_alone.insert(points[index].point.device);
      }
      (card.empty() ? dealt.alone : dealt.of_cards[card])
          .push_back({group.workload, group.problem, group.layout, std::move(places)});
    }
  }
  return dealt;
}

std::vector<Neighbourhood> compare_neighbours(std::size_t cards, double threshold,
                                              const std::function<double(std::size_t)>& alone,
                                              const std::function<std::vector<double>()>& together,
                                              const std::function<bool()>& stopped) {
  std::vector<Neighbourhood> found(cards);
  std::vector<std::vector<double>> apart(cards);
  std::vector<std::vector<double>> beside(cards);
  const double confidence = 1 - (1 - confidence_of_all) / static_cast<double>(cards);
  for (std::size_t round = 1; round <= looks.back() && !stopped(); ++round) {
    std::vector<double> first(cards);
    for (std::size_t i = 0; i < cards; ++i) {
      const std::size_t card = (i + round) % cards;
      first[card] = alone(card);
    }
    const std::vector<double> second = together();
    for (std::size_t i = 0; i < cards; ++i) {
      if (std::isnan(first[i]) || std::isnan(second[i])) return found;
      apart[i].push_back(first[i]);
      beside[i].push_back(second[i]);
    }
    if (std::ranges::find(looks, round) == looks.end()) continue;
    bool known = true;
    for (std::size_t i = 0; i < cards; ++i) {
      found[i].together = stats::paired_ratio(beside[i], apart[i], confidence);
      found[i].verdict = stats::judge(found[i].together, threshold);
      known = known && found[i].verdict != stats::Verdict::not_resolved;
    }
    if (known) break;
  }
  return found;
}

ParallelDevices::ParallelDevices(RunContext& context, DealtGroups groups,
                                 std::function<void()> look_for_roofs)
    : context_(context),
      groups_(std::move(groups)),
      look_for_roofs_(std::move(look_for_roofs)),
      baton_(context.clock),
      interrupted_(context.interrupted) {
  for (const auto& [card, own] : groups_.of_cards) cards_.push_back(card);
  const auto places = places_near(cards_, allowed_cpus());
  for (const auto& [name, worker] : context_.lanes) {
    const auto place = places.find(card_of(worker->lane()));
    if (place != places.end()) worker->put(place->second);
  }
  // What is measured is charged with no wait for the others, and ends when one of them fails.
  context_.clock = [now = context_.clock] { return now() - Baton::waited_seconds(); };
  context_.interrupted = [this] { return failed_ || interrupted_(); };
}

ParallelDevices::~ParallelDevices() {
  for (const auto& [name, worker] : context_.lanes) worker->set_baton(nullptr);
  context_.baton = nullptr;
  context_.beside.clear();
  context_.interrupted = interrupted_;
}

void ParallelDevices::at_once(const std::function<void(const std::string&, std::size_t)>& work) {
  std::exception_ptr thrown;
  for (const auto& [name, worker] : context_.lanes) worker->set_baton(&baton_);
  context_.baton = &baton_;
  width_ = cards_.size();
  {
    std::vector<std::jthread> threads;
    for (std::size_t place = 0; place < cards_.size(); ++place) {
      threads.emplace_back([&, place] {
        baton_.take();
        try {
          work(cards_[place], place);
        } catch (...) {
          if (!failed_) thrown = std::current_exception();
          failed_ = true;
        }
        --width_;
        baton_.give();
      });
    }
  }
  context_.baton = nullptr;
  for (const auto& [name, worker] : context_.lanes) worker->set_baton(nullptr);
  if (thrown) std::rethrow_exception(thrown);
}

std::unique_ptr<GroupRunner> ParallelDevices::ready_on(const std::string& card) {
  std::vector<Group> heaviest = groups_.of_cards.at(card);
  std::ranges::stable_sort(heaviest, std::greater{}, work_of);
  for (Group& group : heaviest) {
    if (context_.interrupted()) break;
    // What a vendor wrote loads a card most.
    std::stable_partition(group.points.begin(), group.points.end(), [&](std::size_t index) {
      return is_vendors(context_.points[index].point, context_.catalogue);
    });
    auto runner = std::make_unique<GroupRunner>(context_, trials_.emplace_back(std::move(group)));
    if (runner->make_ready()) return runner;
  }
  return nullptr;
}

std::string ParallelDevices::prove() {
  std::vector<double> spent;
  for (const RunPoint& entry : context_.points) spent.push_back(entry.spent_seconds);
  std::vector<std::unique_ptr<GroupRunner>> runners;
  for (const std::string& card : cards_) {
    runners.push_back(ready_on(card));
    if (runners.back() == nullptr)
      return fmt::format("no point of {} could be made ready to compare neighbours with", card);
  }
  const std::vector<Neighbourhood> found = compare_neighbours(
      cards_.size(), context_.compare.threshold,
      [&](std::size_t card) { return runners[card]->trial_ns(); },
      [&] {
        std::vector<std::vector<double>> times(cards_.size());
        std::size_t waiting = cards_.size();  // cards without a time beside all others
        std::barrier start(static_cast<std::ptrdiff_t>(cards_.size()));
        at_once([&](const std::string&, std::size_t place) {
          baton_.lend([&] { start.arrive_and_wait(); });
          // Each goes on until the slowest has its time: nobody is measured beside a card that rests.
          do {
            times[place].push_back(runners[place]->trial_ns());
            if (times[place].size() == 1) --waiting;
          } while (waiting > 0 && !std::isnan(times[place].back()) && !context_.interrupted());
        });
        std::vector<double> medians;
        for (const std::vector<double>& one : times) {
          const bool failed = std::isnan(one.back());
          medians.push_back(failed ? one.back() : stats::median(one));
        }
        return medians;
      },
      context_.interrupted);
  for (std::size_t i = 0; i < spent.size(); ++i) context_.points[i].spent_seconds = spent[i];
  return verdict_on(found);
}

std::string ParallelDevices::verdict_on(const std::vector<Neighbourhood>& found) {
  std::string reason;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const stats::RatioEstimate& ratio = found[i].together;
    const std::string figure =
        ratio.n == 0 ? "could not be measured beside the others"
                     : fmt::format(
                           "takes {:.4f} [{:.4f}, {:.4f}] times as long beside the others as alone "
                           "({} rounds)",
                           ratio.ratio, ratio.interval.low, ratio.interval.high, ratio.n);
    proof_ += fmt::format("{}{} {}", proof_.empty() ? "" : "; ", cards_[i], figure);
    if (found[i].verdict == stats::Verdict::same || !reason.empty()) continue;
    reason =
        fmt::format("{} {}: {}", cards_[i], figure,
                    found[i].verdict == stats::Verdict::not_resolved
                        ? fmt::format("not proved to be within {:.2g} %", 100 * context_.compare.threshold)
                        : "its neighbours disturb it");
  }
  return reason;
}

void ParallelDevices::tell(RunId run, const std::string& text) {
  context_.store.add_event(run, text);
  context_.progress.message(text);
}

void ParallelDevices::measure(const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    if (context_.interrupted()) return;
    GroupRunner(context_, group).run();
    if (group.workload == "peaks") look_for_roofs_();
  }
}

void ParallelDevices::run(RunId run) {
  std::string reason;
  if (cards_.size() < 2) {
    reason = cards_.empty() ? "no card is timed by its own clock" : cards_[0] + " is the only card that is";
    if (!groups_.lanes_alone.empty())
      reason += fmt::format("; these need quiet processors: {}", fmt::join(groups_.lanes_alone, ", "));
  } else {
    reason = prove();
    if (context_.interrupted()) return;
  }
  for (const auto& [name, worker] : context_.lanes) {
    const Place& place = worker->place();
    if (!place.doubt.empty()) tell(run, fmt::format("{}: {}", name, place.doubt));
    if (place.cores.empty()) continue;
    tell(run, fmt::format("{} runs on cores {}{}", name, list_of_numbers(place.cores),
                          place.memory_node ? fmt::format(", memory of node {}", *place.memory_node) : ""));
  }
  if (!proof_.empty()) tell(run, "neighbours compared: " + proof_);
  if (!reason.empty()) return tell(run, "devices are measured one at a time: " + reason);
  tell(run, fmt::format("{} cards are measured at once", cards_.size()));
  context_.beside = fmt::format(
      "measured while {} other cards were, which was found to change no time by "
      "more than {:.2g} %",
      cards_.size() - 1, 100 * context_.compare.threshold);
  at_once([&](const std::string& card, std::size_t) { measure(groups_.of_cards.at(card)); });
}

}  // namespace benchctl
