// What can become of a point, and what can be said of it in two runs. A table each: names, whether it
// counts as a failure, and the text of the documentation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace benchctl {

enum class Status : std::uint8_t {
  ok,
  wrong,
  implausible,
  skipped,
  compile_error,
  launch_error,
  out_of_memory,
  timeout,
  crashed,
  unstable,
  not_run,
};

/// How a status counts when a run decides on its exit code.
enum class StatusClass : std::uint8_t {
  good,       ///< measured and right
  ruled_out,  ///< never meant to run here: no failure
  warning,    ///< measured, with a reservation: fails only under --strict
  failed,     ///< exit code 1
  open,       ///< not done yet: resumed by the next run
};

struct StatusInfo {
  Status status;
  std::string_view id;
  StatusClass status_class;
  std::string_view doc;
  std::string_view advice{};  ///< what to do, for fmt; `{0}` stands for the point
};

inline constexpr std::array<StatusInfo, 11> status_table{{
    {Status::ok, "ok", StatusClass::good, "measured; results verified before and after timing"},
    {Status::wrong, "wrong", StatusClass::failed,
     "the results differ from the float64 reference by more than the tolerance, were not written, or a "
     "guard area was overwritten",
     "`benchctl replay {0}` runs it alone; with --device-debug a debugger stops in its kernel."},
    {Status::implausible, "implausible", StatusClass::failed,
     "the results were right, but the time cannot be that of computing them: the reason says which "
     "comparison failed and by how much; never ranked",
     "Its outputs were right each time. It does less while it is timed than when its outputs, its scratch "
     "memory and its inputs are new, or its plugin's timer is wrong; docs/trust.md explains each "
     "comparison."},
    {Status::skipped, "skipped", StatusClass::ruled_out,
     "ruled out: a constraint, a device limit, an unsupported combination, no device",
     "Change the parameters that the reason names, or choose another device or variant."},
    {Status::compile_error, "compile_error", StatusClass::failed,
     "the kernel's source was rejected; the reason carries the compiler's log",
     "The reason holds the compiler's log; `benchctl replay {0}` compiles it again."},
    {Status::launch_error, "launch_error", StatusClass::failed,
     "the driver or the plugin refused or aborted the work",
     "`benchctl replay {0}` runs it alone in one process, under a debugger or a memory checker."},
    {Status::out_of_memory, "out_of_memory", StatusClass::failed,
     "memory on the device or the host ran out", "Choose a smaller problem, or free memory on the device."},
    {Status::timeout, "timeout", StatusClass::failed,
     "a phase did not end in its time; the worker was stopped",
     "Raise --timeout if it is merely slow; `benchctl replay {0}` under a debugger shows where it hangs."},
    {Status::crashed, "crashed", StatusClass::failed,
     "the worker process died; the reason names the signal",
     "`benchctl replay {0}` runs it alone in one process, under a debugger or a memory checker."},
    {Status::unstable, "unstable", StatusClass::warning,
     "measured and right, but half of the samples lie more than 25 % from the median",
     "A quieter machine makes it `ok`."},
    {Status::not_run, "not_run", StatusClass::open,
     "the run goes on, its budget ran out, or it was interrupted",
     "The command of the run, given again, goes on where it stopped."},
}};

[[nodiscard]] constexpr const StatusInfo& info(Status status) {
  for (const auto& entry : status_table) {
    if (entry.status == status) return entry;
  }
  return status_table[0];
}

[[nodiscard]] constexpr std::string_view to_string(Status status) { return info(status).id; }

[[nodiscard]] constexpr std::optional<Status> parse_status(std::string_view id) {
  for (const auto& entry : status_table) {
    if (entry.id == id) return entry.status;
  }
  return std::nullopt;
}

/// What can be said of a point in two runs.
enum class PairOutcome : std::uint8_t {
  faster,
  slower,
  same,
  not_resolved,
  not_comparable,
  wrong,
  failed,
  missing,
  repaired,
  added,
  untimed,
};

struct OutcomeInfo {
  PairOutcome outcome;
  std::string_view id;
  std::string_view label;  ///< for tables
  bool may_fail;           ///< a gate may count it as failure
  std::string_view doc;
};

inline constexpr std::array<OutcomeInfo, 11> outcome_table{{
    {PairOutcome::faster, "faster", "faster", false,
     "the interval of new over base lies below 1, and the ratio is beyond the practical threshold"},
    {PairOutcome::slower, "slower", "slower", true,
     "the interval of new over base lies above 1, and the ratio is beyond the practical threshold; of "
     "another metric: "
     "it is worse by more than the threshold"},
    {PairOutcome::same, "same", "same", false, "the whole interval lies within the practical threshold"},
    {PairOutcome::not_resolved, "not_resolved", "not resolved", true,
     "neither is shown: the intervals are too wide, or there is none; measure longer"},
    {PairOutcome::not_comparable, "not_comparable", "not comparable", true,
     "measured under conditions that differ too much; the reason names them"},
    {PairOutcome::wrong, "wrong", "wrong now", true,
     "right in base, and the results of new fail verification"},
    {PairOutcome::failed, "failed", "failed now", true,
     "had a time in base, and new failed in another way"},
    {PairOutcome::missing, "missing", "missing", true,
     "had a time in base, and new has no such point, or left it out"},
    {PairOutcome::repaired, "repaired", "works now", false, "failed in base, and has a time in new"},
    {PairOutcome::added, "added", "new", false, "base has no such point, or left it out"},
    {PairOutcome::untimed, "untimed", "no times", false, "neither has a time"},
}};

[[nodiscard]] constexpr const OutcomeInfo& info(PairOutcome outcome) {
  return outcome_table[static_cast<std::size_t>(outcome)];
}

[[nodiscard]] constexpr std::optional<PairOutcome> parse_outcome(std::string_view id) {
  for (const OutcomeInfo& entry : outcome_table) {
    if (entry.id == id) return entry.outcome;
  }
  return std::nullopt;
}

}  // namespace benchctl
