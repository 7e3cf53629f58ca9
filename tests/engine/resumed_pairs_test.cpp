// Pairs of a run that was interrupted after some points of their group had their results.
#include "engine/coordinator.hpp"
#include "fake_machine.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <csignal>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::WithinRel;

namespace {

/// Stops the run, as Ctrl-C does, when so many points are finished.
class Stopping : public SilentProgress {
 public:
  explicit Stopping(int points) : left_(points) {}
  void finished(const Point& /*point*/, const Measurement* /*measurement*/) override {
    if (--left_ == 0) raise(SIGINT);
  }

 private:
  int left_;
};

}  // namespace

TEST_CASE("a group of pairs that was interrupted between its results has one baseline") {
  const int finished = GENERATE(1, 2, 3);
  FakeMachine machine;
  setenv("BENCHCTL_LOCK_FILE", (machine.folder.path() / "lock").c_str(), 1);
  static_cast<void>(
      machine.points("steady", "n = [8]\nns = [1000000, 1100000, 1200000, 1300000]",
                     "samples = 8\nmode = \"paired\"\n[compare]\nbaseline = { ns = 1000000 }"));
  RunOptions options;
  options.store = machine.folder.path() / "store.db";
  options.folder = machine.folder.path();
  options.offline_compile = false;
  const auto run = [&](Progress& progress) {
    return run_points(machine.config, expand(machine.config, machine.catalogue, machine.lanes),
                      machine.lanes, machine.catalogue, machine.plugins, machine.factory, options,
                      progress);
  };
  Stopping stopping(finished);
  const RunOutcome first = run(stopping);
  CHECK(first.interrupted);
  CHECK(first.counts.at(Status::ok) == static_cast<std::size_t>(finished));
  SilentProgress silent;
  const RunOutcome last = run(silent);
  CHECK(last.run == first.run);
  for (const Result& point : Store::open(options.store, Store::Access::read_only).results(last.run)) {
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
