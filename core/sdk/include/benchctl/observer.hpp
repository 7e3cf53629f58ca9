// The interface of an observer: what else a machine tells while something is measured on it (clock, power,
// temperature, hardware counters). Observers run in the worker process of the lane that they observe; calls
// come from one thread. An observer is matched to a device by DeviceInfo::physical, so that one observer
// serves every backend that drives the same hardware.
#pragma once

#include <benchctl/device.hpp>

#include <memory>
#include <span>

namespace benchctl {

/// When a reading is taken.
enum class ReadingKind : std::uint8_t {
  block,  ///< around the samples that are timed: cheap enough to disturb none of them
  pass,   ///< in a pass of its own after timing, where the same executions are repeated
};

/// How the values of a point's samples or blocks become the point's one figure.
enum class ReadingSummary : std::uint8_t {
  median,
  mean,
  maximum,
  sum,
  samples,  ///< how many samples lie in blocks with a value other than 0, put-aside ones included
};

BENCHCTL_WORDS(ReadingKind, block, pass)
// In the order of the enumerators.
BENCHCTL_WORDS(ReadingSummary, median, mean, maximum, sum, samples)

/// A figure that an observer can give.
struct ReadingInfo {
  std::string id;    ///< the metric's id; the same for the same thing, whoever reads it: `power`
  std::string unit;  ///< "W"; empty: a count
  std::string doc;   ///< one sentence
  ReadingKind kind = ReadingKind::block;            ///< when it is taken
  ReadingSummary summary = ReadingSummary::median;  ///< for block readings; a pass gives the figure itself
  /// Read only where `observe` of the config names it, because it costs time. Others are read always.
  bool on_request = false;
};

/// What lay between `begin` and `end` of a watch.
struct Window {
  double wall_ns = 0;     ///< how long it lasted on the host's clock
  double busy_ns = 0;     ///< the part of it in which the variant ran, by its own samples
  double executions = 0;  ///< executions of the variant
  double batch = 1;       ///< executions per sample
  /// Were begin_sample and end_sample called for each sample? Not every backend can.
  bool by_sample = false;
  /// Nothing but executions: no emptying of caches, restoring or copying of buffers in between.
  bool only_executions = true;

  /// Share of the window in which the variant ran, from 0 to 1.
  [[nodiscard]] double busy_share() const { return wall_ns > 0 ? busy_ns / wall_ns : 0; }
};

/// What was read in a window.
struct Readings {
  /// By id: one value a sample, or a single one for the whole window.
  std::map<std::string, std::vector<double>, std::less<>> values;
  /// Why something could not be read, by id.
  std::map<std::string, std::string, std::less<>> absent;
  /// Why these samples do not count and must be taken again ("the card was too hot"); empty: they count.
  std::string redo;
};

/// An observer at work on one device, for a fixed choice of readings. An exception from any method makes
/// its readings absent, with the exception's text; the measurement continues.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  virtual ~Watch() = default;

  /// Before the first sample of a block, and before a pass. May follow another `begin`: then the window
  /// between them failed; forget it.
  virtual void begin() {}
  /// Around the executions of each sample, outside of its timed interval. Must take a few microseconds at
  /// most.
  virtual void begin_sample() {}
  /// The other end of begin_sample.
  virtual void end_sample() {}
  /// After the last sample. Adds what was read.
  virtual void end(const Window& window, Readings& readings) = 0;
  /// Shortest pass with meaningful figures, in seconds; 0: a single execution is enough, launched plainly
  /// and waited for.
  [[nodiscard]] virtual double pass_seconds() const { return 0; }
};

/// Reads clocks, power, counters and the like of devices during a measurement.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// Everything that it can read of some device. Static data; needs neither driver nor device.
  [[nodiscard]] virtual std::span<const ReadingInfo> readings() const = 0;
  /// Starts to watch a device for these readings, all of one kind. Null: it does not know the device.
  /// What it cannot read is `absent` in each window, with the reason; after an exception, everything is.
  [[nodiscard]] virtual std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                                     std::span<const std::string> ids) = 0;
};

}  // namespace benchctl
