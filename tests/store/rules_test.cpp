// What the store allows: who may resume, what is settled, what is reused.
#include "store/filled_store.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct RulesFixture : OneFile {
  /// A run of one point.
  [[nodiscard]] std::pair<RunId, PointId> add() {
    const RunId run = store.create_run(a_run());
    return {run, store.add_points(run, std::vector{a_point(0)}).front()};
  }
};

}  // namespace

TEST_CASE_METHOD(RulesFixture,
                 "an interrupted run is not resumed once a newer one of its config is complete") {
  const RunId old = store.create_run(a_run("h"));
  store.finish_run(old, RunState::interrupted);
  const RunId other = store.create_run(a_run("other"));
  store.finish_run(other, RunState::complete);
  CHECK(store.find_resumable("h").value().id == old);
  const RunId complete = store.create_run(a_run("h"));
  store.finish_run(complete, RunState::complete);
  CHECK_FALSE(store.find_resumable("h"));
  const RunId newer = store.create_run(a_run("h"));
  store.finish_run(newer, RunState::interrupted);
  CHECK(store.find_resumable("h").value().id == newer);
}

TEST_CASE_METHOD(RulesFixture, "an interrupted run is resumable once, a complete one never") {
  const RunId run = store.create_run(a_run("h"));
  store.finish_run(run, RunState::interrupted);
  CHECK(store.run(run).value().state == RunState::interrupted);
  CHECK_FALSE(store.run(run).value().finished_at.empty());
  CHECK(store.find_resumable("h").value().id == run);
  CHECK(store.take_over(run));
  CHECK(store.run(run).value().state == RunState::running);
  CHECK(store.run(run).value().finished_at.empty());
  CHECK_FALSE(store.take_over(run));
  store.finish_run(run, RunState::complete);
  CHECK_FALSE(store.find_resumable("h"));
  CHECK_FALSE(store.take_over(run));
  CHECK_FALSE(store.take_over(RunId{77}));
  CHECK_THROWS_AS(store.finish_run(run, RunState::running), std::logic_error);
  CHECK_THROWS_AS(store.finish_run(RunId{77}, RunState::complete), StoreError);
}

TEST_CASE_METHOD(RulesFixture, "a run lives while its lock is held, and is resumable afterwards") {
  std::optional<Store> owner = Store::open(file);
  const RunId run = owner->create_run(a_run("h"));
  CHECK(state_now(store.run(run).value()) == RunState::running);
  CHECK_FALSE(store.find_resumable("h"));
  CHECK_FALSE(store.take_over(run));
  owner.reset();  // as its death does
  CHECK(store.run(run).value().state == RunState::running);
  CHECK(state_now(store.run(run).value()) == RunState::interrupted);
  CHECK(store.find_resumable("h").value().id == run);
  CHECK_FALSE(store.find_resumable("other"));
  REQUIRE(store.take_over(run));
  CHECK_FALSE(store.find_resumable("h"));
  CHECK_FALSE(store.take_over(run));
  CHECK(std::filesystem::exists(OwnerLock::file_of(file, run)));
  CHECK(OwnerLock(OwnerLock::file_of(file, run)).refused());
  store.finish_run(run, RunState::complete);
  CHECK_FALSE(std::filesystem::exists(OwnerLock::file_of(file, run)));
}

TEST_CASE_METHOD(RulesFixture, "the newest run is the last one, whatever the clock was set to") {
  store.finish_run(store.create_run(a_run("h")), RunState::complete);
  execute(
      file,
      "UPDATE runs SET created_at = '2999-01-01T00:00:00.000Z', placed_at = '2999-01-01T00:00:00.000Z'");
  const RunId last = store.create_run(a_run("h"));
  CHECK(store.newest_run().value().id == last);
  CHECK(store.runs()[0].created_at < store.runs()[1].created_at);
}

TEST_CASE_METHOD(RulesFixture, "the newest resumable run is found, and runs are listed newest first") {
  CHECK_FALSE(store.newest_run());
  CHECK_FALSE(store.newest_complete_run());
  const RunId first = store.create_run(a_run("h"));
  const RunId second = store.create_run(a_run("h"));
  const RunId third = store.create_run(a_run("h"));
  store.finish_run(first, RunState::interrupted);
  store.finish_run(second, RunState::interrupted);
  CHECK(store.find_resumable("h").value().id == second);
  CHECK_FALSE(store.newest_complete_run());
  store.finish_run(third, RunState::complete);
  CHECK(store.newest_run().value().id == third);
  const auto runs = store.runs();
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].id == third);
  CHECK(runs[2].id == first);
  const RunId fourth = store.create_run(a_run("h"));
  CHECK(store.newest_run().value().id == fourth);
  CHECK(store.newest_complete_run().value().id == third);
}

TEST_CASE_METHOD(RulesFixture, "points are added all or none") {
  const RunId run = store.create_run(a_run());
  CHECK_THROWS_AS(store.add_points(run, std::vector{a_point(0), a_point(1), a_point(0)}), StoreError);
  CHECK(store.points(run).empty());
  CHECK_THROWS_AS(store.add_points(RunId{5}, std::vector{a_point(0)}), StoreError);
}

TEST_CASE_METHOD(RulesFixture, "a settled point takes neither samples nor a second result") {
  const auto [run, point] = add();
  store.append_samples(point, 0, 0, a_block(1));
  CHECK_THROWS_AS(store.append_samples(point, 0, 0, a_block(1)), StoreError);  // that round is there
  store.finish_point(point, a_result());
  CHECK_THROWS_MATCHES(store.append_samples(point, 0, 1, a_block(1)), StoreError,
                       MessageMatches(ContainsSubstring("settled")));
  CHECK_THROWS_MATCHES(store.finish_point(point, a_result()), StoreError,
                       MessageMatches(ContainsSubstring("settled")));
  CHECK_THROWS_AS(store.append_samples(PointId{99}, 0, 0, a_block(1)), StoreError);
  CHECK_THROWS_AS(store.finish_point(PointId{99}, a_result()), StoreError);
  CHECK(store.samples(point).size() == 1);
  CHECK(store.results(run).front().resources == a_result().resources);
}

TEST_CASE_METHOD(RulesFixture,
                 "a point that was not run stays open, and its next result replaces what was there") {
  const auto [run, point] = add();
  Result early = a_result();
  early.row.point.status = Status::not_run;
  early.row.point.reason = "budget";
  early.notes["old"] = "x";
  store.finish_point(point, early);
  CHECK_FALSE(store.points(run).front().finished);
  CHECK(store.points(run).front().point.reason == "budget");
  store.append_samples(point, 1, 0, a_block(1));
  Result late;
  late.row.point.status = Status::unstable;
  store.finish_point(point, late);
  const auto stored = store.results(run).front();
  CHECK(stored.row.finished);
  CHECK(stored.row.point.status == Status::unstable);
  CHECK_FALSE(stored.measurement);
  CHECK(stored.verifications.empty());
  CHECK(stored.notes.empty());
  CHECK(stored.resources.empty());
}

TEST_CASE_METHOD(RulesFixture, "a result that cannot be written whole is not written at all") {
  const auto [run, point] = add();
  execute(file, "CREATE TRIGGER no_notes BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'planted'); END");
  CHECK_THROWS_MATCHES(store.finish_point(point, a_result()), StoreError,
                       MessageMatches(ContainsSubstring("planted") && ContainsSubstring(file.string())));
  const auto stored = store.results(run).front();
  CHECK_FALSE(stored.row.finished);
  CHECK_FALSE(stored.measurement);
  CHECK(stored.resources.empty());
}

TEST_CASE_METHOD(RulesFixture, "points move to another run with all that is theirs but their comparisons") {
  const RunId both = store.create_run(a_run());
  const auto ids = store.add_points(both, std::vector{a_point(0), a_point(1)});
  for (const PointId id : ids) {
    store.append_samples(id, 0, 0, a_block(id == ids[0] ? 10 : 20));
    store.finish_point(id, a_result());
    store.set_comparisons(
        {{id, {Comparison{.label = awkward, .rounds = 9, .verdict = stats::Verdict::slower}}}});
  }
  const RunId own = store.create_run(a_run());
  PointRow moved = store.points(both).at(1);
  moved.ordinal = 0;
  moved.point.variant = "under another name";
  store.move_points(own, std::array{moved});
  CHECK(store.point_count(both) == 1);
  CHECK(store.results(both).at(0).comparisons.size() == 1);
  const Result there = store.results(own).at(0);
  CHECK(there.row.id == ids[1]);
  CHECK(there.row.ordinal == 0);
  CHECK(there.row.finished);
  CHECK(there.row.point.label() == moved.point.label());
  CHECK(there.measurement);
  CHECK(there.comparisons.empty());
  CHECK(store.samples(ids[1]).at(0).block.ns == a_block(20).ns);
}

TEST_CASE_METHOD(RulesFixture, "the newest good point of a content key is found and copied") {
  const auto add = [&](Status status) {
    const RunId run = store.create_run(a_run());
    const PointId point = store.add_points(run, std::vector{a_point(0)}).front();
    store.append_samples(point, 0, 1, a_block(10));
    store.append_samples(point, 0, 0, a_block(20));
    store.mark_unused(point, 0);
    Result result = a_result();
    result.row.point.status = status;
    store.finish_point(point, result);
    return point;
  };
  CHECK_FALSE(store.find_measured("key0"));
  add(Status::ok);
  const PointId newest = add(Status::ok);
  add(Status::unstable);
  add(Status::wrong);
  const RunId untimed = store.create_run(a_run());
  Result verified;
  verified.row.point.status = Status::ok;
  store.finish_point(store.add_points(untimed, std::vector{a_point(0)}).front(), verified);
  const RunId run = store.create_run(a_run());
  const auto ids = store.add_points(run, std::vector{a_point(0), a_point(1)});
  CHECK(store.find_measured("key0").value() == newest);
  CHECK_FALSE(store.find_measured("key1"));

  store.copy_point(newest, ids[0]);
  const auto copy = store.results(run).front();
  CHECK(copy.row.finished);
  CHECK(copy.row.reused_from == newest);
  CHECK(copy.row.point.status == Status::ok);
  CHECK(copy.row.point.reason == awkward);
  CHECK(copy.measurement.value().p95_ns == a_measurement().p95_ns);
  CHECK(copy.measurement.value().note == awkward);
  CHECK(copy.verifications.at(VerificationPhase::after).error_norm == 2e-7);
  CHECK(copy.resources == a_result().resources);
  auto notes = a_result().notes;
  notes["seed"] = std::to_string(a_run().seed);  // that it was verified with
  CHECK(copy.notes == notes);
  const auto samples = store.samples(ids[0]);
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].round == 1);
  CHECK(samples[0].used);
  CHECK_FALSE(samples[1].used);
  CHECK(samples[0].block.ns == a_block(10).ns);
  CHECK(samples[0].stored_at == store.samples(newest)[0].stored_at);
  CHECK(store.find_measured("key0").value() == ids[0]);

  CHECK_THROWS_AS(store.copy_point(newest, ids[0]), StoreError);  // settled
  CHECK_THROWS_AS(store.copy_point(ids[1], ids[1]), StoreError);  // the source is open
  store.append_samples(ids[1], 0, 0, a_block(1));
  CHECK_THROWS_MATCHES(store.copy_point(newest, ids[1]), StoreError,
                       MessageMatches(ContainsSubstring("samples of its own")));
  CHECK_FALSE(store.results(run)[1].row.finished);
}

TEST_CASE_METHOD(RulesFixture, "a name stands for one run, and for another when it is set again") {
  const RunId first = fill_run(store, "one");
  const RunId second = fill_run(store, "two");
  CHECK_FALSE(store.find_named("release"));
  store.set_baseline("release", first);
  store.set_baseline("nightly", first);
  CHECK(store.find_named("release") == first);
  store.set_baseline("release", second);
  CHECK(store.find_named("release") == second);
  const auto names = store.baselines();
  REQUIRE(names.size() == 2);
  CHECK(names[0].name == "nightly");
  CHECK(names[0].run == first);
  CHECK(names[1].set_at.size() == 24);
  CHECK(store.remove_baseline("release"));
  CHECK_FALSE(store.remove_baseline("release"));
  CHECK_FALSE(store.find_named("release"));
  CHECK(store.find_named("1") == first);
  CHECK(store.find_named("2") == second);
  for (const char* text : {"3", "0", "-1", "2x", "", "all"}) CHECK_FALSE(store.find_named(text));
}

TEST_CASE("names that could be something else are no baselines") {
  for (const char* name : {"release", "v1.2", "a", "z0", "A_b-c", "Z9"}) CHECK(is_baseline_name(name));
  for (const char* name : {"", "3", "3a", "all", "a:b", "a/b", "a b", "x.db", "x.json", "-x", "é"}) {
    CAPTURE(name);
    CHECK_FALSE(is_baseline_name(name));
  }
  CHECK(is_baseline_name(std::string(64, 'a')));
  CHECK_FALSE(is_baseline_name(std::string(65, 'a')));
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  CHECK_THROWS_AS(store.set_baseline("a:b", RunId{1}), std::logic_error);
}
