// Takes samples of a piece of work: caches, clocks.
#pragma once

#include "buffers.hpp"
#include "measure/evictor.hpp"
#include "measure/stamps.hpp"
#include "work.hpp"

namespace benchctl::vulkan {

/// The measuring part of a session, shared by everything that is measured on the device.
///
/// A sample on the device's clock is one buffer of commands: a time stamp, all executions of the batch, a
/// time stamp. It is recorded whole before it is submitted, and the queue is empty then: nothing starts
/// before everything is there, so that no launch can be late. Gates do this elsewhere.
class Sampler {
 public:
  explicit Sampler(const OpenDevice& device);

  /// Executes once and waits; host nanoseconds.
  double run(const Work& work, std::uint32_t set) const;
  /// `launch = graph` is a buffer of commands that is recorded before the clock starts; with `stream` the
  /// host's clock includes recording. Failure unsupported for what cannot be had.
  [[nodiscard]] SampleBlock sample(const Work& work, const Buffers& buffers, const SampleRequest& request);

 private:
  [[nodiscard]] SampleBlock sample_device(const Work& work, const SampleRequest& request);
  [[nodiscard]] SampleBlock sample_host(const Work& work, const SampleRequest& request);
  [[nodiscard]] SampleBlock sample_end_to_end(const Work& work, const Buffers& buffers,
                                              const SampleRequest& request);
  /// The executions of a sample, from the `first` on.
  void record(Commands& commands, const Work& work, const SampleRequest& request,
              std::uint64_t first) const;
  void prepare_cache(const SampleRequest& request);
  /// Nanoseconds between the two time stamps that the latest submission wrote.
  [[nodiscard]] double stamped_ns() const;

  /// Failure unsupported when time stamps run at another rate than the host's clock, as far as that is
  /// known.
  void check_clock();

  const OpenDevice& device_;
  Evictor evictor_;
  QueryPoolHandle stamps_;
  std::optional<ClockReading> opened_;  ///< both clocks then; nothing once they are known to agree
};

}  // namespace benchctl::vulkan
