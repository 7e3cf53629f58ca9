// Audits of points as they are measured.
#include "engine/fake_machine.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("executions of a graph that share the cost of its launch are audited together") {
  FakeMachine machine;
  // One execution alone takes 408 µs by the host's clock, in a sample of many far less.
  const Result point = machine.measure("steady", "n = [8]\nns = [7800]\nsubmit_ns = [400000.0]\n",
                                       "basis = \"host_sync\"\nlaunch = \"graph\"\nmin_sample_us = 1000\n");
  INFO(point.row.point.reason);
  CHECK(point.row.point.status == Status::ok);
  REQUIRE(point.measurement);
  CHECK(point.measurement->median_ns < 50'000);
}

TEST_CASE("end to end, executions of a graph are audited one by one: each is on the same set") {
  FakeMachine machine;
  const Result point =
      machine.measure("steady", "n = [8]\nns = [7800]\n",
                      "basis = \"end_to_end\"\nlaunch = \"graph\"\nmin_sample_us = 1000\n");
  INFO(point.row.point.reason);
  CHECK(point.row.point.status == Status::ok);
}

TEST_CASE("a kernel that works in every second execution alone is not believed, graph or not") {
  for (const char* launch : {"stream", "graph"}) {
    FakeMachine machine;
    const Result point =
        machine.measure("lazy", "n = [8]\nns = [7800]\n",
                        std::string("basis = \"host_sync\"\nlaunch = \"") + launch + "\"\n");
    CHECK(point.row.point.status != Status::ok);
  }
}
