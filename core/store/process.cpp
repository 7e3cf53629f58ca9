#include "store/process.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

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

}  // namespace benchctl
