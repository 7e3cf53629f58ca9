#include "store/records.hpp"

#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>

namespace benchctl {

namespace {

struct ProcessState {
  char state = '?';
  std::uint64_t start_ticks{};
};

/// Fields 3 and 22 of /proc/<pid>/stat; see proc(5).
std::optional<ProcessState> read_state(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  // Field 2 is the program's name in parentheses and may hold spaces and parentheses itself.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  ProcessState process;
  fields >> process.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  if (!(fields >> process.start_ticks)) return std::nullopt;
  return process;
}

/// Shares are shown in whole per cents: what shows as 100 % is at its roof.
constexpr double share_at_roof = 1.005;

}  // namespace

ProcessIdentity this_process() {
  const std::int64_t pid = getpid();
  return {pid, read_state(pid).value_or(ProcessState{}).start_ticks};
}

bool is_alive(const ProcessIdentity& process) {
  const auto state = read_state(process.pid);
  return state && state->state != 'Z' && state->state != 'X' && state->start_ticks == process.start_ticks;
}

RunState state_now(const RunRow& run) {
  return run.state == RunState::running && !is_alive(run.owner) ? RunState::interrupted : run.state;
}

bool has_time(Status status, const std::optional<Measurement>& measurement) {
  const StatusClass status_class = info(status).status_class;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (status_class == StatusClass::good || status_class == StatusClass::warning);
}

bool has_time(const StoredPoint& stored) { return has_time(stored.row.point.status, stored.measurement); }

bool is_above_roof(const StoredPoint& stored) {
  if (!has_time(stored)) return false;
  if (stored.notes.contains("above_roof")) return true;
  const auto share = stored.resources.find("roof_fraction");
  if (share == stored.resources.end()) return false;
  const Measurement& m = *stored.measurement;
  return share->second * m.median_ns / range_of(m).high_ns > share_at_roof;
}

bool may_win(const StoredPoint& stored) {
  return has_time(stored) && stored.row.point.expect == Expect::right &&
         !stored.notes.contains(audit_undecided_note) && !stored.notes.contains(measured_again_note) &&
         !is_above_roof(stored);
}

std::vector<double> used_ns(const std::vector<SampleRow>& rows) {
  std::vector<double> samples;
  for (const SampleRow& row : rows) {
    if (row.used) samples.insert(samples.end(), row.block.ns.begin(), row.block.ns.end());
  }
  return samples;
}

std::string utc_now() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (now - seconds).count());
}

bool is_baseline_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && letter(name.front()) && std::ranges::all_of(name, fits) &&
         name != "all" && !name.ends_with(".db") && !name.ends_with(".json");
}

}  // namespace benchctl
