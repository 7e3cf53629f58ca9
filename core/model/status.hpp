// What can become of a point. One table: names, whether it counts as a failure, and the text of the
// documentation.
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
};

inline constexpr std::array<StatusInfo, 11> status_table{{
    {Status::ok, "ok", StatusClass::good, "measured; results verified before and after timing"},
    {Status::wrong, "wrong", StatusClass::failed,
     "the results differ from the float64 reference by more than the tolerance, were not written, or a "
     "guard area was overwritten"},
    {Status::implausible, "implausible", StatusClass::failed,
     "the results were right, but the time cannot be that of computing them: the reason says which "
     "comparison failed "
     "and by how much; never ranked"},
    {Status::skipped, "skipped", StatusClass::ruled_out,
     "ruled out before anything ran: a constraint, a device limit, an unsupported combination, no device"},
    {Status::compile_error, "compile_error", StatusClass::failed,
     "the kernel's source was rejected; the reason carries the compiler's log"},
    {Status::launch_error, "launch_error", StatusClass::failed,
     "the driver or the plugin refused or aborted the work"},
    {Status::out_of_memory, "out_of_memory", StatusClass::failed,
     "memory on the device or the host ran out"},
    {Status::timeout, "timeout", StatusClass::failed,
     "a phase did not end in its time; the worker was stopped"},
    {Status::crashed, "crashed", StatusClass::failed,
     "the worker process died; the reason names the signal"},
    {Status::unstable, "unstable", StatusClass::warning,
     "measured and right, but half of the samples lie more than 25 % from the median"},
    {Status::not_run, "not_run", StatusClass::open, "the budget ran out or the run was interrupted first"},
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

}  // namespace benchctl
