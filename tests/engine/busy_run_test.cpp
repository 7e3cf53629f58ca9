// What a run keeps of processes that used the processors beside it.
#include "engine/fake_machine.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Writes /proc/7/stat whenever a point has its result.
class BusyNeighbour : public SilentProgress {
 public:
  explicit BusyNeighbour(const TemporaryDirectory& proc, double ticks) : proc_(proc), ticks_(ticks) {
    put(0);
  }
  void finished(const Point& /*point*/, const Measurement* /*measurement*/) override { put(ticks_); }

 private:
  void put(double ticks) const {
    proc_.write("7/stat",
                fmt::format("7 (hog) R 1 1 1 0 -1 0 0 0 0 0 {:.0f} 0 0 0 20 0 1 0 5 0 0\n", ticks));
  }
  const TemporaryDirectory& proc_;
  double ticks_;
};

std::vector<EventRow> events_beside(double ticks) {
  FakeMachine machine;
  const TemporaryDirectory proc;
  setenv("BENCHCTL_LOCK_FILE", (machine.folder.path() / "lock").c_str(), 1);
  static_cast<void>(machine.points("steady", "n = [8]\nns = [100000]\n"));
  RunOptions options;
  options.store = machine.folder.path() / "store.db";
  options.folder = machine.folder.path();
  options.offline_compile = false;
  options.proc = proc.path();
  BusyNeighbour progress(proc, ticks);
  const RunOutcome outcome =
      run_points(machine.config, expand(machine.config, machine.catalogue, machine.lanes), machine.lanes,
                 machine.catalogue, machine.plugins, machine.factory, options, progress);
  return Store::open(options.store, Store::Access::read_only).events(outcome.run);
}

}  // namespace

TEST_CASE("a run keeps which processes used the processors beside it") {
  const std::vector<EventRow> events = events_beside(1e9);
  REQUIRE(events.size() == 1);
  CHECK(events[0].text.starts_with("other processes used "));
  CHECK(events[0].text.find("most of all hog (") != std::string::npos);
  CHECK(events_beside(0).empty());
}
