// All observers at work on one device, in its worker: who reads what, before, during and after samples. And
// the figures of a point from what was read.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/observer.hpp>
#include <benchctl/sampling.hpp>

#include <chrono>

namespace benchctl {

/// What observers had to say of a window, beside the readings.
struct Observed {
  std::map<std::string, std::string, std::less<>> absent;  ///< reading → reason
  std::string redo;  ///< why the samples must be taken again; empty: they count
};

/// `observe` of a config: names of readings beside those that are always taken; `none` alone: nothing.
using ReadingSelection = std::vector<std::string>;

class LaneWatch {
 public:
  /// The observers must outlive it. If two read the same of the device, the first is asked.
  LaneWatch(std::vector<Observer*> observers, DeviceInfo device);
  LaneWatch(const LaneWatch&) = delete;
  LaneWatch& operator=(const LaneWatch&) = delete;
  ~LaneWatch();

  [[nodiscard]] const DeviceInfo& device() const { return device_; }
  /// How many passes the choice needs on this device: one for each observer with readings of that kind.
  [[nodiscard]] std::size_t passes(const ReadingSelection& choice);
  /// Readings of a kind that are wanted and cannot be had at all, with reasons.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& missing(
      const ReadingSelection& choice, ReadingKind kind);
  /// How long a pass must last, in seconds; 0: one execution will do.
  [[nodiscard]] double pass_seconds(const ReadingSelection& choice, std::size_t pass);

  /// Starts a window around samples. Never throws for an observer's sake.
  void begin(const ReadingSelection& choice);
  /// Starts a pass.
  void begin_pass(const ReadingSelection& choice, std::size_t pass);
  /// To be told of each sample, for SampleRequest::hook. Lives as long as this object.
  [[nodiscard]] SampleHook* hook();
  /// Ends the window in which `block` was taken and adds the readings to it. `only_executions`: see Window.
  [[nodiscard]] Observed end(SampleBlock& block, bool only_executions);
  /// Ends a window of which all but its length is known. Pass readings are single values.
  [[nodiscard]] Observed end(Window window, Readings& readings);

 private:
  struct Member;
  struct Team;
  class Hook;

  Team& team(const ReadingSelection& choice, ReadingKind kind);
  std::unique_ptr<Team> form_team(const ReadingSelection& choice, ReadingKind kind);
  void start();

  std::vector<Observer*> observers_;
  DeviceInfo device_;
  std::map<std::pair<ReadingKind, ReadingSelection>, std::unique_ptr<Team>> teams_;
  std::vector<Member*> active_;  ///< who watches the present window
  std::unique_ptr<Hook> hook_;
  std::chrono::steady_clock::time_point start_;
};

/// A block of a point's samples. Those that were put aside are in no statistic but `samples`.
struct ObservedBlock {
  const SampleBlock* block = nullptr;  ///< never null
  bool used = true;
};

/// By ReadingInfo::summary; pass readings and those without a value are left out. Each block counts once in
/// a mean or median of block values; values by sample count one by one.
[[nodiscard]] Resources summarize_readings(std::span<const ObservedBlock> blocks,
                                           std::span<const ReadingInfo> readings);

}  // namespace benchctl
