// Runs that something disturbs: an interrupt between results, processes beside them.
#include "engine/fake_machine.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

#include <csignal>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Stops the run, as Ctrl-C does, when so many points are finished.
class Stopping : public Progress {
 public:
  explicit Stopping(int points) : left_(points) {}
  void finished(const Point& /*point*/, const Measurement* /*measurement*/) override {
    if (--left_ == 0) raise(SIGINT);
  }

 private:
  int left_;
};

/// Writes /proc/7/stat whenever a point has its result.
class BusyNeighbour : public Progress {
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
  static_cast<void>(machine.points("steady", "n = [8]\nns = [100000]\n"));
  RunOptions options = machine.options();
  options.proc = proc.path();
  BusyNeighbour progress(proc, ticks);
  const RunOutcome outcome = machine.run(options, progress);
  return machine.store().events(outcome.run);
}

}  // namespace

TEST_CASE("a group of pairs that was interrupted between its results has one baseline") {
  const int finished = GENERATE(1, 2, 3);
  FakeMachine machine;
  static_cast<void>(
      machine.points("steady", "n = [8]\nns = [1000000, 1100000, 1200000, 1300000]",
                     "samples = 8\nmode = \"paired\"\n[compare]\nbaseline = { ns = 1000000 }"));
  Stopping stopping(finished);
  const RunOutcome first = machine.run(machine.options(), stopping);
  CHECK(first.interrupted);
  CHECK(first.counts.at(Status::ok) == static_cast<std::size_t>(finished));
  Progress silent;
  const RunOutcome last = machine.run(machine.options(), silent);
  CHECK(last.run == first.run);
  for (const Result& point : machine.store().results(last.run)) {
    const auto ns = static_cast<double>(std::get<std::int64_t>(point.row.point.tunables.at("ns")));
    INFO(ns);
    CHECK(point.row.point.status == Status::ok);
    const Comparison* comparison = point.compared(Against::baseline);
    REQUIRE((comparison != nullptr) == (ns > 1e6));
    if (comparison == nullptr) continue;
    CHECK(comparison->label.find("ns=1000000 ") != std::string::npos);
    CHECK_THAT(comparison->time_ratio, WithinRel(ns / 1e6, 1e-3));
  }
}

TEST_CASE("a run keeps which processes used the processors beside it") {
  const std::vector<EventRow> events = events_beside(1e9);
  REQUIRE(events.size() == 1);
  CHECK(events[0].text.starts_with("other processes used "));
  CHECK(events[0].text.find("most of all hog (") != std::string::npos);
  CHECK(events_beside(0).empty());
}

TEST_CASE(
    "a worker that was stopped while it opened its device is replaced; a second hang costs the points") {
  const int hangs = GENERATE(1, 2);
  FakeMachine machine;
  int left = hangs;
  machine.script = [&](Verb verb, const nlohmann::json& /*arguments*/, nlohmann::json answer) {
    if (verb == verbs::Open::verb && left-- > 0) throw WorkerLost(Status::timeout, "'open' did not end");
    return answer;
  };
  const Result result = machine.measure("steady", "n = [8]\n");
  CHECK(result.row.point.status == (hangs == 1 ? Status::ok : Status::timeout));
}
