// What the store allows: who may resume, what is settled, what is reused.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "store/filled_store.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

struct RulesFixture {
  TemporaryDirectory folder;
  std::filesystem::path file = folder.path() / "store.db";
  Store store = Store::open(file);
};

/// A child that does nothing until it is killed with the object.
class Sleeper {
 public:
  Sleeper() : pid_(fork()) {
    if (pid_ == 0) {
      for (;;) pause();
    }
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() { reap(); }
  [[nodiscard]] pid_t pid() const { return pid_; }
  void kill_only() const { kill(pid_, SIGKILL); }
  void reap() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_;
};

/// Field 22 of /proc/<pid>/stat of a program whose name holds no space.
std::uint64_t start_ticks(pid_t pid) {
  const std::string command = "cut -d' ' -f22 /proc/" + std::to_string(pid) + "/stat";
  FILE* pipe = popen(command.c_str(), "r");
  unsigned long long ticks = 0;
  REQUIRE(fscanf(pipe, "%llu", &ticks) == 1);
  pclose(pipe);
  return ticks;
}

}  // namespace

TEST_CASE("a process is known by number and start") {
  CHECK(this_process().pid == getpid());
  CHECK(this_process().start_ticks == start_ticks(getpid()));
  CHECK(is_alive(this_process()));
  ProcessIdentity other = this_process();
  other.start_ticks += 1;
  CHECK_FALSE(is_alive(other));
  CHECK_FALSE(is_alive({std::int64_t{1} << 30, 5}));

  Sleeper child;
  const ProcessIdentity identity{child.pid(), start_ticks(child.pid())};
  CHECK(is_alive(identity));
  child.kill_only();
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT);
  CHECK_FALSE(is_alive(identity));  // a zombie works on nothing
  child.reap();
  CHECK_FALSE(is_alive(identity));
}

TEST_CASE("a run of a living owner is not resumable, one of a dead owner is") {
  RulesFixture f;
  const RunId run = f.store.create_run(a_run("h"));
  CHECK_FALSE(f.store.find_resumable("h"));
  CHECK_FALSE(f.store.take_over(run));
  CHECK(state_now(f.store.run(run).value()) == RunState::running);

  Sleeper child;
  const std::string pid = std::to_string(child.pid());
  const std::string ticks = std::to_string(start_ticks(child.pid()));
  execute(f.file, "UPDATE runs SET owner_pid = " + pid + ", owner_start_ticks = " + ticks);
  CHECK_FALSE(f.store.find_resumable("h"));
  // The number lives on, but another process has it.
  execute(f.file, "UPDATE runs SET owner_start_ticks = owner_start_ticks - 1");
  CHECK(f.store.find_resumable("h").value().id == run);
  execute(f.file, "UPDATE runs SET owner_start_ticks = " + ticks);
  CHECK_FALSE(f.store.find_resumable("h"));
  child.reap();
  CHECK(f.store.find_resumable("h").value().id == run);
  CHECK(f.store.run(run).value().state == RunState::running);
  CHECK(state_now(f.store.run(run).value()) == RunState::interrupted);
  CHECK_FALSE(f.store.find_resumable("other"));

  REQUIRE(f.store.take_over(run));
  CHECK(f.store.run(run).value().owner == this_process());
  CHECK_FALSE(f.store.find_resumable("h"));
  CHECK_FALSE(f.store.take_over(run));
}

TEST_CASE("an interrupted run is not resumed once a newer one of its config is complete") {
  RulesFixture f;
  const RunId old = f.store.create_run(a_run("h"));
  f.store.finish_run(old, RunState::interrupted);
  const RunId other = f.store.create_run(a_run("other"));
  f.store.finish_run(other, RunState::complete);
  CHECK(f.store.find_resumable("h").value().id == old);
  const RunId complete = f.store.create_run(a_run("h"));
  f.store.finish_run(complete, RunState::complete);
  CHECK_FALSE(f.store.find_resumable("h"));
  const RunId newer = f.store.create_run(a_run("h"));
  f.store.finish_run(newer, RunState::interrupted);
  CHECK(f.store.find_resumable("h").value().id == newer);
}

TEST_CASE("an interrupted run is resumable once, a complete one never") {
  RulesFixture f;
  const RunId run = f.store.create_run(a_run("h"));
  f.store.finish_run(run, RunState::interrupted);
  CHECK(f.store.run(run).value().state == RunState::interrupted);
  CHECK_FALSE(f.store.run(run).value().finished_at.empty());
  CHECK(f.store.find_resumable("h").value().id == run);
  CHECK(f.store.take_over(run));
  CHECK(f.store.run(run).value().state == RunState::running);
  CHECK(f.store.run(run).value().finished_at.empty());
  CHECK_FALSE(f.store.take_over(run));
  f.store.finish_run(run, RunState::complete);
  CHECK_FALSE(f.store.find_resumable("h"));
  CHECK_FALSE(f.store.take_over(run));
  CHECK_FALSE(f.store.take_over(RunId{77}));
  CHECK_THROWS_AS(f.store.finish_run(run, RunState::running), std::logic_error);
  CHECK_THROWS_AS(f.store.finish_run(RunId{77}, RunState::complete), StoreError);
}

TEST_CASE("the newest resumable run is found, and runs are listed newest first") {
  RulesFixture f;
  CHECK_FALSE(f.store.newest_run());
  CHECK_FALSE(f.store.newest_complete_run());
  const RunId first = f.store.create_run(a_run("h"));
  const RunId second = f.store.create_run(a_run("h"));
  const RunId third = f.store.create_run(a_run("h"));
  f.store.finish_run(first, RunState::interrupted);
  f.store.finish_run(second, RunState::interrupted);
  CHECK(f.store.find_resumable("h").value().id == second);
  CHECK_FALSE(f.store.newest_complete_run());
  f.store.finish_run(third, RunState::complete);
  CHECK(f.store.newest_run().value().id == third);
  const auto runs = f.store.runs();
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].id == third);
  CHECK(runs[2].id == first);
  const RunId fourth = f.store.create_run(a_run("h"));
  CHECK(f.store.newest_run().value().id == fourth);
  CHECK(f.store.newest_complete_run().value().id == third);
}

TEST_CASE("points are added all or none") {
  RulesFixture f;
  const RunId run = f.store.create_run(a_run());
  CHECK_THROWS_AS(f.store.add_points(run, std::vector{a_point(0), a_point(1), a_point(0)}), StoreError);
  CHECK(f.store.points(run).empty());
  CHECK_THROWS_AS(f.store.add_points(RunId{5}, std::vector{a_point(0)}), StoreError);
}

TEST_CASE("a settled point takes neither samples nor a second result") {
  RulesFixture f;
  const RunId run = f.store.create_run(a_run());
  const PointId point = f.store.add_points(run, std::vector{a_point(0)}).front();
  f.store.append_samples(point, 0, 0, a_block(1));
  CHECK_THROWS_AS(f.store.append_samples(point, 0, 0, a_block(1)), StoreError);  // that round is there
  f.store.finish_point(point, a_result());
  CHECK_THROWS_MATCHES(f.store.append_samples(point, 0, 1, a_block(1)), StoreError,
                       MessageMatches(ContainsSubstring("settled")));
  CHECK_THROWS_MATCHES(f.store.finish_point(point, a_result()), StoreError,
                       MessageMatches(ContainsSubstring("settled")));
  CHECK_THROWS_AS(f.store.append_samples(PointId{99}, 0, 0, a_block(1)), StoreError);
  CHECK_THROWS_AS(f.store.finish_point(PointId{99}, a_result()), StoreError);
  CHECK(f.store.samples(point).size() == 1);
  CHECK(f.store.results(run).front().resources == a_result().resources);
}

TEST_CASE("a point that was not run stays open, and its next result replaces what was there") {
  RulesFixture f;
  const RunId run = f.store.create_run(a_run());
  const PointId point = f.store.add_points(run, std::vector{a_point(0)}).front();
  PointResult early = a_result();
  early.status = Status::not_run;
  early.reason = "budget";
  early.notes["old"] = "x";
  f.store.finish_point(point, early);
  CHECK_FALSE(f.store.points(run).front().finished);
  CHECK(f.store.points(run).front().point.reason == "budget");
  f.store.append_samples(point, 1, 0, a_block(1));
  PointResult late;
  late.status = Status::unstable;
  f.store.finish_point(point, late);
  const auto stored = f.store.results(run).front();
  CHECK(stored.row.finished);
  CHECK(stored.row.point.status == Status::unstable);
  CHECK_FALSE(stored.measurement);
  CHECK(stored.verifications.empty());
  CHECK(stored.notes.empty());
  CHECK(stored.resources.empty());
}

TEST_CASE("a result that cannot be written whole is not written at all") {
  RulesFixture f;
  const RunId run = f.store.create_run(a_run());
  const PointId point = f.store.add_points(run, std::vector{a_point(0)}).front();
  execute(f.file,
          "CREATE TRIGGER no_notes BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'planted'); END");
  CHECK_THROWS_MATCHES(f.store.finish_point(point, a_result()), StoreError,
                       MessageMatches(ContainsSubstring("planted") && ContainsSubstring(f.file.string())));
  const auto stored = f.store.results(run).front();
  CHECK_FALSE(stored.row.finished);
  CHECK_FALSE(stored.measurement);
  CHECK(stored.resources.empty());
}

TEST_CASE("points move to another run with all that is theirs but their comparisons") {
  RulesFixture f;
  const RunId both = f.store.create_run(a_run());
  const auto ids = f.store.add_points(both, std::vector{a_point(0), a_point(1)});
  for (const PointId id : ids) {
    f.store.append_samples(id, 0, 0, a_block(id == ids[0] ? 10 : 20));
    f.store.finish_point(id, a_result());
    f.store.set_comparisons(id, std::array{Comparison{.label = awkward, .rounds = 9, .verdict = "slower"}});
  }
  const RunId own = f.store.create_run(a_run());
  PointRow moved = f.store.points(both).at(1);
  moved.ordinal = 0;
  moved.point.variant = "under another name";
  f.store.move_points(own, std::array{moved});
  CHECK(f.store.point_count(both) == 1);
  CHECK(f.store.results(both).at(0).comparisons.size() == 1);
  const StoredPoint there = f.store.results(own).at(0);
  CHECK(there.row.id == ids[1]);
  CHECK(there.row.ordinal == 0);
  CHECK(there.row.finished);
  CHECK(there.row.point.label() == moved.point.label());
  CHECK(there.measurement);
  CHECK(there.comparisons.empty());
  CHECK(f.store.samples(ids[1]).at(0).block.ns == a_block(20).ns);
}

TEST_CASE("the newest good point of a content key is found and copied") {
  RulesFixture f;
  const auto add = [&](Status status) {
    const RunId run = f.store.create_run(a_run());
    const PointId point = f.store.add_points(run, std::vector{a_point(0)}).front();
    f.store.append_samples(point, 0, 1, a_block(10));
    f.store.append_samples(point, 0, 0, a_block(20));
    f.store.mark_unused(point, 0);
    PointResult result = a_result();
    result.status = status;
    f.store.finish_point(point, result);
    return point;
  };
  CHECK_FALSE(f.store.find_measured("key0"));
  add(Status::ok);
  const PointId newest = add(Status::ok);
  add(Status::unstable);
  add(Status::wrong);
  const RunId untimed = f.store.create_run(a_run());
  PointResult verified;
  verified.status = Status::ok;
  f.store.finish_point(f.store.add_points(untimed, std::vector{a_point(0)}).front(), verified);
  const RunId run = f.store.create_run(a_run());
  const auto ids = f.store.add_points(run, std::vector{a_point(0), a_point(1)});
  CHECK(f.store.find_measured("key0").value() == newest);
  CHECK_FALSE(f.store.find_measured("key1"));

  f.store.copy_point(newest, ids[0]);
  const auto copy = f.store.results(run).front();
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
  const auto samples = f.store.samples(ids[0]);
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].round == 1);
  CHECK(samples[0].used);
  CHECK_FALSE(samples[1].used);
  CHECK(samples[0].block.ns == a_block(10).ns);
  CHECK(samples[0].stored_at == f.store.samples(newest)[0].stored_at);
  CHECK(f.store.find_measured("key0").value() == ids[0]);

  CHECK_THROWS_AS(f.store.copy_point(newest, ids[0]), StoreError);  // settled
  CHECK_THROWS_AS(f.store.copy_point(ids[1], ids[1]), StoreError);  // the source is open
  f.store.append_samples(ids[1], 0, 0, a_block(1));
  CHECK_THROWS_MATCHES(f.store.copy_point(newest, ids[1]), StoreError,
                       MessageMatches(ContainsSubstring("samples of its own")));
  CHECK_FALSE(f.store.results(run)[1].row.finished);
}

TEST_CASE_METHOD(RulesFixture, "a deleted run leaves nothing behind, and the others as they were") {
  const RunId kept = fill_run(store, "kept");
  const TemporaryDirectory other;
  const auto reference = other.path() / "reference.db";
  {
    Store alone = Store::open(reference);
    static_cast<void>(fill_run(alone, "kept"));
  }
  const RunId gone = fill_run(store, "gone", 99.5);
  store.delete_runs(std::array{gone, gone});
  CHECK_FALSE(store.run(gone));
  CHECK(store.results(kept).size() == 2);
  for (const char* table : all_tables) {
    INFO(table);
    CHECK(count_of(file, table) == count_of(reference, table));
  }
  CHECK(execute(file, "PRAGMA foreign_key_check") == "");
}

TEST_CASE_METHOD(RulesFixture, "what others need, or work on, is not deleted, and then nothing is") {
  const RunId roofs = fill_run(store, "roofs");
  const RunId user = fill_run(store, "user");
  const PointId source = store.points(roofs).front().id;
  store.set_roofs(user, std::array{RoofRow{"fake:0", "fma_f32", 1e12, source}});
  CHECK_THROWS_MATCHES(store.delete_runs(std::array{roofs}), StoreError,
                       MessageMatches(ContainsSubstring("uses the roofs that it measured")));
  CHECK(store.samples(source).size() == 3);  // nothing was begun
  store.set_baseline("release", user);
  CHECK_THROWS_MATCHES(store.delete_runs(std::array{user, roofs}), StoreError,
                       MessageMatches(ContainsSubstring("`benchctl runs baseline release --remove`")));
  CHECK(store.remove_baseline("release"));
  const RunId running = store.create_run(a_run("running"));
  CHECK_THROWS_MATCHES(store.delete_runs(std::array{user, running}), StoreError,
                       MessageMatches(ContainsSubstring("it is being measured")));
  CHECK(store.run(user));
  store.finish_run(running, RunState::interrupted);
  store.delete_runs(std::array{running, user, roofs});
  CHECK(store.runs().empty());
}

TEST_CASE_METHOD(RulesFixture, "a point that was taken over from a deleted run stays, without its origin") {
  const RunId first = fill_run(store, "first");
  const RunId second = store.create_run(a_run("second"));
  const auto points = store.add_points(second, std::vector{a_point(0)});
  store.copy_point(store.points(first).front().id, points[0]);
  store.delete_runs(std::array{first});
  const StoredPoint point = store.result(points[0]);
  CHECK(point.measurement.has_value());
  CHECK_FALSE(point.row.reused_from);
}
