// Processor time of other processes, from a /proc that the test writes.
#include "observe/busy_processes.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <unistd.h>

#include <fmt/format.h>

using namespace benchctl;

namespace {

constexpr int own_pid = 100;

struct ProcFolder {
  test::TemporaryDirectory root;

  /// Seconds of a processor in user and kernel mode.
  void put(int pid, const std::string& name, int parent, double user, double kernel,
           int started = 1) const {
    const auto a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    root.write(
        fmt::format("{}/stat", pid),
        fmt::format("{} ({}) S {} 1 1 0 -1 4194560 11 12 13 14 {:.0f} {:.0f} 15 16 20 0 1 0 {} 17 18\n",
                    pid, name, parent, user * a_second, kernel * a_second, started));
  }
  [[nodiscard]] BusyProcesses watch() const { return BusyProcesses(root.path(), own_pid); }
};

}  // namespace

TEST_CASE("time that others used between two looks is told by name, most first") {
  const ProcFolder proc;
  proc.put(own_pid, "benchctl", 1, 5, 0);
  proc.put(1, "init", 0, 1000, 1000);
  proc.put(7, "a name) (with brackets", 1, 10, 10);
  BusyProcesses others = proc.watch();
  others.look();
  CHECK(others.text(10).empty());
  proc.put(7, "a name) (with brackets", 1, 12, 11);
  proc.put(8, "cc1plus", 1, 3, 1);
  proc.put(9, "cc1plus", 1, 4, 0);
  others.look();
  CHECK(others.text(10) ==
        "other processes used 11 s of processor time in 10 s, most of all cc1plus (8 s), a name) (with "
        "brackets (3 s)");
  proc.put(8, "cc1plus", 1, 4, 1);
  others.look();
  CHECK(others.text(10).starts_with(
      "other processes used 12 s of processor time in 10 s, most of all cc1plus (9 s)"));
}

TEST_CASE("this process and those that it started are not among the others") {
  const ProcFolder proc;
  proc.put(own_pid, "benchctl", 1, 0, 0);
  BusyProcesses others = proc.watch();
  others.look();
  proc.put(own_pid, "benchctl", 1, 50, 0);
  proc.put(101, "benchctl", own_pid, 50, 0);
  proc.put(102, "ptxas", 101, 50, 0);
  others.look();
  CHECK(others.text(100).empty());
}

TEST_CASE("a number that was given again is another process") {
  const ProcFolder proc;
  proc.put(7, "old", 1, 90, 0, 1);
  BusyProcesses others = proc.watch();
  others.look();
  proc.put(7, "new", 1, 40, 0, 2);
  others.look();
  CHECK(others.text(40) == "other processes used 40 s of processor time in 40 s, most of all new (40 s)");
}

TEST_CASE("little, no time at all, and a folder that is not there say nothing") {
  const ProcFolder proc;
  proc.put(7, "daemon", 1, 0, 0);
  proc.root.write("8/stat", "8 (torn");
  proc.root.write("self", "");
  BusyProcesses others = proc.watch();
  others.look();
  proc.put(7, "daemon", 1, 0.9, 0);
  others.look();
  CHECK(others.text(10).empty());
  CHECK_FALSE(others.text(8).empty());
  CHECK(others.text(0).empty());
  BusyProcesses nothing(proc.root.path() / "absent", own_pid);
  nothing.look();
  nothing.look();
  CHECK(nothing.text(1).empty());
}

TEST_CASE("the wait for a processor is that of the caller and the longest of the other threads") {
  const test::TemporaryDirectory process;
  const auto write = [&](const char* thread, const char* schedstat) {
    process.write(std::string("task/") + thread + "/schedstat", schedstat);
  };
  write("7", "900 100 3\n");
  write("8", "900 50 3\n");
  write("9", "900 0 3\n");
  RunQueue queue(process.path());
  queue.begin();
  CHECK(queue.waited_ns(7) == 0);
  write("7", "950 130 4\n");   // the caller waited 30 ns
  write("8", "900 2050 4\n");  // these two at the same time
  write("9", "900 1500 4\n");
  write("10", "900 400 1\n");  // began in between
  CHECK(queue.waited_ns(7) == 2030);
  CHECK(queue.waited_ns(6) == 2000);
  queue.begin();
  CHECK(queue.waited_ns(7) == 0);

  // The number of an ended thread is given again.
  write("8", "");
  queue.begin();
  std::filesystem::remove_all(process.path() / "task/8");
  write("8", "0 70 1\n");
  queue.begin();
  write("8", "0 90 1\n");
  CHECK(queue.waited_ns(7) == 20);

  RunQueue none(process.path() / "none");
  none.begin();
  CHECK(none.waited_ns(7) == 0);
  write("7", "not counted\n");
  queue.begin();
  CHECK(queue.waited_ns(7) == 0);
}
