// Samples and runs that are dropped on request: what stays, what is refused, and that nothing is taken
// twice.
#include "store/filled_store.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

TEST_CASE_METHOD(OneFile, "pruning keeps statistics and says of samples that they are gone") {
  const RunId run = fill_run(store, "one");
  const RunId kept = fill_run(store, "two");
  const PointId point = store.points(run)[0].id;
  const Result before = store.result(point);
  const std::uintmax_t samples = store.samples(point).size();
  store.prune_samples(std::array{run});
  CHECK(execute(file, "SELECT count(*) FROM samples") == std::to_string(2 * samples));

  Result after = store.result(point);
  CHECK_THAT(after.notes.at("pruned"), ContainsSubstring("in 3 blocks were dropped on request at 20"));
  after.notes.erase("pruned");
  CHECK(after.notes == before.notes);
  CHECK(after.measurement.value().median_ns == before.measurement.value().median_ns);
  CHECK(after.measurement->ci_high_ns == before.measurement->ci_high_ns);
  CHECK(after.measurement->n_samples == before.measurement->n_samples);
  CHECK(after.resources == before.resources);
  CHECK(after.verifications.size() == before.verifications.size());
  CHECK_THROWS_MATCHES(
      store.samples(point), StoreError,
      MessageMatches(ContainsSubstring("dropped on request") && ContainsSubstring("point 1:0")));
  CHECK(store.samples(store.points(kept)[0].id).size() == samples);
  CHECK(execute(file, "PRAGMA integrity_check") == "ok");
  // Again: nothing is left to drop, and what was said stays.
  store.prune_samples(std::array{run});
  CHECK(store.result(point).notes.contains("pruned"));
}

TEST_CASE_METHOD(OneFile, "pruning makes the file smaller") {
  const RunId run = store.create_run(a_run());
  const auto points = store.add_points(run, std::vector{a_point(0)});
  SampleBlock block = a_block(1);
  block.ns.assign(10'000, 1.0);
  store.append_samples(points[0], 0, 0, block);
  store.finish_point(points[0], a_result());
  store.finish_run(run, RunState::complete);
  const auto bytes = [&] {
    return std::stoull(
        execute(file, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"));
  };
  const auto before = bytes();
  store.prune_samples(std::array{run});
  CHECK(before - bytes() >= 70'000);
}

TEST_CASE_METHOD(OneFile, "a run that is not complete keeps its samples, and so do the others") {
  const RunId complete = fill_run(store, "one");
  const RunId open = store.create_run(a_run("two"));
  const auto points = store.add_points(open, std::vector{a_point(0)});
  store.append_samples(points[0], 0, 0, a_block(1));
  store.finish_run(open, RunState::interrupted);
  CHECK_THROWS_MATCHES(store.prune_samples(std::array{complete, open}), StoreError,
                       MessageMatches(ContainsSubstring("run 2 is not complete")));
  CHECK(store.samples(store.points(complete)[0].id).size() == 3);
}

TEST_CASE_METHOD(OneFile, "a deleted run leaves nothing behind, and the others as they were") {
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

TEST_CASE_METHOD(OneFile, "what others need, or work on, is not deleted, and then nothing is") {
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

TEST_CASE_METHOD(OneFile, "a point that was taken over from a deleted run stays, without its origin") {
  const RunId first = fill_run(store, "first");
  const RunId second = store.create_run(a_run("second"));
  const auto points = store.add_points(second, std::vector{a_point(0)});
  store.copy_point(store.points(first).front().id, points[0]);
  store.delete_runs(std::array{first});
  const Result point = store.result(points[0]);
  CHECK(point.measurement.has_value());
  CHECK_FALSE(point.row.reused_from);
}
