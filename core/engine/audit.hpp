// Can a reported time be believed? After a point was sampled, its kernel is executed on outputs and scratch
// memory that hold nothing of use, on the inputs of its samples and on inputs that it has never been given.
// An honest kernel takes as long as before; one that skips work takes longer, or its outputs are wrong.
#pragma once

#include "model/status.hpp"
#include "worker/messages.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// Share of a point's time; or `least_audit_seconds`, whichever is more.
inline constexpr double audit_share = 0.1;
inline constexpr double least_audit_seconds = 0.02;

/// An audited time is too long beyond a multiple of the reported one and `slack_ns` more. Honest kernels
/// stay below: `tools/false_alarms` measures by how much.
struct AuditBounds {
  double factor = 3;             ///< how many times as long an execution may take as reported
  double slack_ns = 0;           ///< what a single execution may pay beside the kernel
  double host_factor = 1.5;      ///< the same for a further execution by the host's clock
  double host_slack_ns = 100e3;  ///< what queueing an execution may take
  double alone_slack_ns = 2e6;   ///< what a sample of one execution may take the host beside it
  /// What waking the threads of a processor may take a single execution: up to so much beyond the multiple
  /// nothing is known. Samples follow each other so soon that threads do not sleep.
  double waking_ns = 0;
  bool needs_host = false;  ///< nothing is decided before the host's clock has seen samples

  /// Waking takes 50 µs for each core (16 of a virtual machine took 200 to 400 µs, one time in twenty
  /// more). The slack is 10 µs, on a processor, whose threads must wake up, 100 µs; ten times as much
  /// beside fewer than three samples; ten steps of the device's timer at least. Samples, in ns, each of
  /// `batch` executions, may show that the timer's steps are smaller than the device says. By the host's
  /// clock, queueing each launch beyond the first of an execution may take 20 µs (NVIDIA's OpenCL: 13).
  [[nodiscard]] static AuditBounds of(const DeviceInfo& device, std::span<const double> samples,
                                      std::uint32_t batch, std::size_t launches = 1);
};

/// What lies between the nearest two of the samples that differ, times `batch`; `step_ns` if none are
/// nearer.
[[nodiscard]] double finest_step(double step_ns, std::span<const double> samples, std::uint32_t batch);

/// What an audit says against a reported time.
struct Contradiction {
  /// `unstable` where waits for a processor or waking threads may be the cause, or the time depends on the
  /// inputs.
  Status status = Status::implausible;
  std::string reason;  ///< which comparison failed and by how much
};

/// Holds audits of one point against its reported time. Something may have held up one execution: what
/// counts is the shortest time that any audit has seen.
class Auditor {
 public:
  explicit Auditor(AuditBounds bounds) : bounds_(bounds) {}

  void add(const AuditReply& reply);
  /// Has the host's clock seen few and many executions in a sample?
  [[nodiscard]] bool saw_host() const { return host_.claimed_ns > 0; }
  /// Nothing if all times agree.
  [[nodiscard]] std::optional<Contradiction> contradiction(double reported_ns) const;
  /// What a first execution makes in scratch memory, for whatever inputs, and later ones find: how long
  /// that takes; 0: nothing that can be seen.
  [[nodiscard]] double prepares_ns(double reported_ns) const;
  /// Is an execution on inputs that the kernel had never been given, which took `host_ns` by the host's
  /// clock, enough of an audit? It is where it lasted long enough for that clock, and about as long as the
  /// reported time.
  [[nodiscard]] bool agrees(double host_ns, double reported_ns) const;
  /// The metrics `audit_known`, `audit_fresh` and `audit_host`, as far as they could be taken.
  [[nodiscard]] Resources metrics(double reported_ns) const;

 private:
  struct Shortest {
    double ns = 0;        ///< 0: none
    bool held_up = true;  ///< were all?
    void add(const AuditedExecution& execution);
  };

  [[nodiscard]] bool too_long(double ns, double than_ns) const;
  [[nodiscard]] std::optional<Contradiction> contradiction_of_host() const;

  AuditBounds bounds_;
  Shortest known_;  ///< on the inputs of the samples
  Shortest fresh_;
  Shortest kept_;
  Shortest repeated_;
  Shortest rewritten_;
  HostTimes host_;          ///< host times of the audit in which a timer left out least
  AuditedExecution alone_;  ///< the one beside which the host lost least time; its ns is 0: none
};

/// More operations or bytes per second than the device can do by its vendor's word: the reason. Empty if
/// not. `bytes` are judged where the buffers together (`working_set`, in bytes) are more than four times
/// the last-level cache.
[[nodiscard]] std::string beyond_datasheet(double flops, double bytes, std::uint64_t working_set,
                                           double median_ns, const DeviceInfo& device);

}  // namespace benchctl
