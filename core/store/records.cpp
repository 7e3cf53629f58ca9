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
