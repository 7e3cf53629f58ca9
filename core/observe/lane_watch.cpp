#include "observe/lane_watch.hpp"

#include "model/words.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace benchctl {

namespace {

bool is_wanted(const ReadingInfo& reading, const ReadingSelection& choice) {
  if (choice.size() == 1 && choice.front() == "none") return false;
  return !reading.on_request || contains(choice, reading.id);
}

double samples_marked(std::span<const ObservedBlock> blocks, const std::string& id, bool& known) {
  double count = 0;
  for (const ObservedBlock& entry : blocks) {
    const auto found = entry.block->readings.find(id);
    if (found == entry.block->readings.end() || found->second.empty()) continue;
    known = true;
    const auto marked =
        static_cast<double>(std::ranges::count_if(found->second, [](double value) { return value != 0; }));
    const bool by_block = found->second.size() == 1;
    count += by_block ? marked * static_cast<double>(entry.block->ns.size()) : marked;
  }
  return count;
}

}  // namespace

/// One observer's watch on the device, and what it is there for.
struct LaneWatch::Member {
  std::vector<std::string> ids;
  std::unique_ptr<Watch> watch;
  std::string failure;  ///< why the current window's readings are absent

  /// Whatever an observer does wrong costs its readings and nothing else.
  void attempt(const std::function<void(Watch&)>& action) {
    if (!failure.empty()) return;
    try {
      action(*watch);
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }
};

struct LaneWatch::Team {
  std::vector<Member> members;
  std::map<std::string, std::string, std::less<>> absent;  ///< known from the start
};

class LaneWatch::Hook final : public SampleHook {
 public:
  explicit Hook(LaneWatch& lane) : lane_(lane) {}
  void begin() override {
    ++samples;
    for (Member* member : lane_.active_) member->attempt([](Watch& watch) { watch.begin_sample(); });
  }
  void end() override {
    for (Member* member : lane_.active_) member->attempt([](Watch& watch) { watch.end_sample(); });
  }

  std::size_t samples = 0;

 private:
  LaneWatch& lane_;
};

LaneWatch::LaneWatch(std::vector<Observer*> observers, DeviceInfo device)
    : observers_(std::move(observers)), device_(std::move(device)), hook_(std::make_unique<Hook>(*this)) {}

LaneWatch::~LaneWatch() = default;

SampleHook* LaneWatch::hook() { return hook_.get(); }

LaneWatch::Team& LaneWatch::team(const ReadingSelection& choice, ReadingKind kind) {
  std::unique_ptr<Team>& found = teams_[{kind, choice}];
  if (found == nullptr) found = form_team(choice, kind);
  return *found;
}

std::unique_ptr<LaneWatch::Team> LaneWatch::form_team(const ReadingSelection& choice, ReadingKind kind) {
  auto team = std::make_unique<Team>();
  std::vector<std::string> taken;
  std::vector<std::string> of_other_kind;
  for (Observer* observer : observers_) {
    Member member;
    for (const ReadingInfo& reading : observer->readings()) {
      if (!is_wanted(reading, choice)) continue;
      if (reading.kind != kind) {
        of_other_kind.push_back(reading.id);
      } else if (!contains(taken, reading.id)) {
        member.ids.push_back(reading.id);
      }
    }
    if (member.ids.empty()) continue;
    try {
      member.watch = observer->watch(device_, member.ids);
    } catch (const std::exception& error) {
      for (const std::string& id : member.ids) team->absent[id] = error.what();
      taken.insert(taken.end(), member.ids.begin(), member.ids.end());
      continue;
    }
    if (member.watch == nullptr) continue;
    taken.insert(taken.end(), member.ids.begin(), member.ids.end());
    team->members.push_back(std::move(member));
  }
  // Requested readings without a reader are reported as missing.
  for (const std::string& id : choice) {
    if (id == "none" || contains(taken, id) || contains(of_other_kind, id)) continue;
    team->absent[id] = fmt::format("no observer reads it on {} ({})", device_.name, device_.physical);
  }
  return team;
}

std::size_t LaneWatch::passes(const ReadingSelection& choice) {
  return team(choice, ReadingKind::pass).members.size();
}

const std::map<std::string, std::string, std::less<>>& LaneWatch::missing(const ReadingSelection& choice,
                                                                          ReadingKind kind) {
  return team(choice, kind).absent;
}

double LaneWatch::pass_seconds(const ReadingSelection& choice, std::size_t pass) {
  double seconds = 0;
  Member& member = team(choice, ReadingKind::pass).members.at(pass);
  member.failure.clear();
  member.attempt([&](Watch& watch) { seconds = watch.pass_seconds(); });
  return seconds;
}

void LaneWatch::begin(const ReadingSelection& choice) {
  active_.clear();
  for (Member& member : team(choice, ReadingKind::block).members) active_.push_back(&member);
  start();
}

void LaneWatch::begin_pass(const ReadingSelection& choice, std::size_t pass) {
  active_ = {&team(choice, ReadingKind::pass).members.at(pass)};
  start();
}

void LaneWatch::start() {
  hook_->samples = 0;
  for (Member* member : active_) {
    member->failure.clear();
    member->attempt([](Watch& watch) { watch.begin(); });
  }
  start_ = std::chrono::steady_clock::now();
}

Observed LaneWatch::end(Window window, Readings& readings) {
  window.wall_ns =
      std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start_).count();
  for (Member* member : std::exchange(active_, {})) {
    Readings own;
    member->attempt([&](Watch& watch) { watch.end(window, own); });
    for (const std::string& id : member->ids) {
      const auto values = own.values.find(id);
      const auto reason = own.absent.find(id);
      if (!member->failure.empty()) {
        readings.absent[id] = member->failure;
      } else if (reason != own.absent.end()) {
        readings.absent[id] = reason->second;
      } else if (values != own.values.end()) {
        readings.values[id] = std::move(values->second);
      }
    }
    if (!own.redo.empty()) readings.redo = own.redo;
  }
  return {readings.absent, readings.redo};
}

Observed LaneWatch::end(SampleBlock& block, bool only_executions) {
  const std::size_t samples = block.ns.size();
  Window window;
  window.busy_ns = std::accumulate(block.ns.begin(), block.ns.end(), 0.0) * block.batch;
  window.executions = static_cast<double>(samples) * block.batch;
  window.batch = block.batch;
  // A backend that took samples twice has told of both: such windows are known as a whole only.
  window.by_sample = hook_->samples == samples;
  window.only_executions = only_executions;
  Readings readings;
  Observed observed = end(window, readings);
  for (auto& [id, values] : readings.values) {
    if (values.size() == 1 || values.size() == samples) {
      block.readings[id] = std::move(values);
    } else if (!values.empty()) {
      observed.absent[id] = fmt::format("{} values for {} samples", values.size(), samples);
    }
  }
  return observed;
}

Resources summarize_readings(std::span<const ObservedBlock> blocks, std::span<const ReadingInfo> readings) {
  Resources figures;
  for (const ReadingInfo& reading : readings) {
    if (reading.kind != ReadingKind::block) continue;
    if (reading.summary == ReadingSummary::samples) {
      bool known = false;
      const double count = samples_marked(blocks, reading.id, known);
      if (known) figures[reading.id] = count;
      continue;
    }
    std::vector<double> values;
    for (const ObservedBlock& entry : blocks) {
      const auto found = entry.block->readings.find(reading.id);
      if (!entry.used || found == entry.block->readings.end()) continue;
      std::ranges::copy_if(found->second, std::back_inserter(values),
                           [](double value) { return std::isfinite(value); });
    }
    if (values.empty()) continue;
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    switch (reading.summary) {
      case ReadingSummary::median:
        figures[reading.id] = stats::median(values);
        break;
      case ReadingSummary::mean:
        figures[reading.id] = sum / static_cast<double>(values.size());
        break;
      case ReadingSummary::maximum:
        figures[reading.id] = std::ranges::max(values);
        break;
      case ReadingSummary::sum:
        figures[reading.id] = sum;
        break;
      case ReadingSummary::samples:
        break;
    }
  }
  return figures;
}

}  // namespace benchctl
