// Stores joined without loss.
#include "store/filled_store.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

MergeOutcome merge(const fs::path& into, const fs::path& from) {
  Store target = Store::open(into);
  return target.merge(Store::open(from, Store::Access::read_only));
}

struct Two {
  TemporaryDirectory folder;
  fs::path into = folder.path() / "into.db";
  fs::path from = folder.path() / "from.db";

  /// A run for each hash.
  void fill_from(std::initializer_list<const char*> hashes) const {
    Store store = Store::open(from);
    for (const char* hash : hashes) fill_run(store, hash);
  }
  /// A run in each, the one of `from`. Numbers differ.
  [[nodiscard]] RunId fill_both() const {
    Store other = Store::open(into);
    fill_run(other, "other");
    Store one = Store::open(from);
    return fill_run(one, "one");
  }
};

}  // namespace

TEST_CASE_METHOD(Two, "a merged store holds every row of every table") {
  fill_from({"one", "two"});
  const MergeOutcome outcome = merge(into, from);
  REQUIRE(outcome.added.size() == 2);
  CHECK(outcome.conflicts.empty());
  for (const char* table : all_tables) {
    CAPTURE(table);
    CHECK(count_of(into, table) == count_of(from, table));
    CHECK(count_of(into, table) != "0");
    CHECK(differing_rows(into, from, table) == "0");
  }
  CHECK(execute(into, "PRAGMA foreign_key_check") == "");
}

TEST_CASE_METHOD(Two, "keys that point into runs point to the same things after a merge") {
  const RunId first = fill_both();
  {
    Store source = Store::open(from);
    // A second run takes a point and a roof over from the first.
    const RunId second = source.create_run(a_run("later"));
    const auto points = source.add_points(second, std::vector{a_point(0)});
    source.copy_point(source.points(first)[0].id, points[0]);
    source.set_roofs(second, std::array{RoofRow{"fake:1", "dram_copy", 5, source.points(first)[1].id}});
    source.finish_run(second, RunState::complete);
  }
  const MergeOutcome outcome = merge(into, from);
  REQUIRE(outcome.added.size() == 2);
  const Store target = Store::open(into, Store::Access::read_only);
  const RunId one = outcome.added[0].into;
  const RunId two_there = outcome.added[1].into;
  CHECK(outcome.added[0].from == first);
  CHECK(one != first);
  CHECK(target.points(one)[1].reused_from == target.points(one)[0].id);
  CHECK(target.points(two_there)[0].reused_from == target.points(one)[0].id);
  CHECK(target.roofs(two_there)[0].source == target.points(one)[1].id);
  CHECK(target.samples(target.points(one)[0].id).size() == 3);
  CHECK(target.samples(target.points(one)[0].id)[2].replicate == 1);
  const auto merged = target.merged_runs();
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].run == one);
  CHECK(merged[0].original == first);
  CHECK(merged[0].store == from.string());
  CHECK_FALSE(merged[0].conflicts_with);
}

TEST_CASE_METHOD(Two, "merging twice, or back, is the same as once") {
  static_cast<void>(fill_both());
  static_cast<void>(merge(into, from));
  const MergeOutcome again = merge(into, from);
  CHECK(again.added.empty());
  CHECK(again.known.size() == 1);
  for (const char* table : all_tables) CHECK(count_of(into, table) != "0");
  CHECK(count_of(into, "runs") == "2");
  CHECK(count_of(into, "samples") == std::to_string(2 * 6));
  const MergeOutcome back = merge(from, into);
  CHECK(back.added.size() == 1);
  CHECK(back.known.size() == 1);
  CHECK(merge(into, from).added.empty());
  for (const char* table : all_tables) CHECK(differing_rows(into, from, table) == "0");
}

TEST_CASE_METHOD(Two, "a later run that takes over from one that was merged before points to it") {
  const RunId first = fill_both();
  static_cast<void>(merge(into, from));
  {
    Store source = Store::open(from);
    const RunId later = source.create_run(a_run("later"));
    const auto points = source.add_points(later, std::vector{a_point(0)});
    source.copy_point(source.points(first)[1].id, points[0]);
    source.finish_run(later, RunState::complete);
    source.set_baseline("good", first);
  }
  const MergeOutcome outcome = merge(into, from);
  REQUIRE(outcome.known.size() == 1);
  REQUIRE(outcome.added.size() == 1);
  const Store target = Store::open(into, Store::Access::read_only);
  const RunId known = outcome.known[0].into;
  CHECK(target.points(outcome.added[0].into)[0].reused_from == target.points(known)[1].id);
  CHECK(target.find_named("good") == known);
}

TEST_CASE_METHOD(Two, "a config that was run twice at different times makes two runs") {
  fill_from({"one", "one"});
  execute(from,
          "UPDATE runs SET created_at = id, finished_at = 'then'; UPDATE samples SET stored_at = 'then';"
          "UPDATE events SET time = 'then'");
  const MergeOutcome outcome = merge(into, from);
  CHECK(outcome.added.size() == 2);
  CHECK(outcome.conflicts.empty());
}

TEST_CASE_METHOD(Two, "a duplicate with other results is kept and marked, once") {
  fill_from({"one"});
  static_cast<void>(merge(into, from));
  execute(from, "UPDATE measurements SET median_ns = 44 WHERE point = 1");
  const MergeOutcome outcome = merge(into, from);
  REQUIRE(outcome.conflicts.size() == 1);
  CHECK(outcome.added.size() == 1);
  const Store target = Store::open(into, Store::Access::read_only);
  CHECK(target.runs().size() == 2);
  const auto merged = target.merged_runs();
  REQUIRE(merged.size() == 2);
  CHECK(merged[1].run == outcome.conflicts[0].into);
  CHECK(merged[1].conflicts_with == merged[0].run);
  CHECK(merge(into, from).added.empty());
  // Whoever merges the joined store learns of the conflict, too.
  const fs::path third = folder.path() / "third.db";
  static_cast<void>(merge(third, into));
  CHECK(Store::open(third).merged_runs().at(1).conflicts_with == RunId{1});
}

TEST_CASE_METHOD(Two, "every kind of row counts when runs are told apart") {
  const std::string change = GENERATE(
      as<std::string>{}, "UPDATE samples SET ns = x'0000000000000040' WHERE id = 1",
      "UPDATE samples SET used = 1", "UPDATE points SET reason = 'x' WHERE ordinal = 1",
      "UPDATE verifications SET ok = 0", "UPDATE resources SET value = 41 WHERE metric = 'registers'",
      "UPDATE notes SET text = ''", "UPDATE comparisons SET ci_high = 2",
      "UPDATE roofs SET per_second = 1.0000000001e12", "UPDATE events SET text = ''",
      "UPDATE lanes SET device_json = replace(device_json, 'driver 1', 'driver 2')",
      "UPDATE runs SET finished_at = ''", "DELETE FROM samples WHERE id = 2");
  CAPTURE(change);
  fill_from({"one"});
  static_cast<void>(merge(into, from));
  execute(from, change);
  CHECK(merge(into, from).conflicts.size() == 1);
}

TEST_CASE_METHOD(Two, "a run that is being measured is not merged, a dead one is interrupted") {
  std::optional<Store> source = Store::open(from);
  static_cast<void>(source->create_run(a_run("running")));
  CHECK_THROWS_MATCHES(
      merge(into, from), StoreError,
      MessageMatches(ContainsSubstring("run 1") && ContainsSubstring("still being measured")));
  source.reset();  // as its death does
  CHECK(merge(into, from).added.size() == 1);
  CHECK(merge(into, from).known.size() == 1);
  const Store target = Store::open(into);
  CHECK(target.run(RunId{1}).value().state == RunState::interrupted);
  // Nobody resumes here what another machine began.
  CHECK(Store::open(from).find_resumable("running").has_value());
  CHECK_FALSE(target.find_resumable("running").has_value());
}

TEST_CASE_METHOD(Two, "after a merge the newest run is the youngest, not the one with the highest number") {
  {
    Store source = Store::open(from);
    fill_run(source, "old", 1);
    execute(from, "UPDATE runs SET created_at = '2001-01-01T00:00:00.000Z', placed_at = '2001'");
    Store target = Store::open(into);
    fill_run(target, "new", 2);
  }
  static_cast<void>(merge(into, from));
  const Store target = Store::open(into);
  CHECK(target.newest_run().value().id == RunId{1});
  CHECK(target.newest_complete_run().value().id == RunId{1});
  CHECK(target.runs()[0].id == RunId{1});
  CHECK(target.measured("matmul").front().point.row.run == RunId{1});
  execute(into, "UPDATE points SET content_key = 'same'");
  CHECK(target.find_measured("same") == target.points(RunId{1})[1].id);
}

TEST_CASE_METHOD(Two, "names of baselines come along; one that is taken gets a number") {
  {
    Store source = Store::open(from);
    const RunId run = fill_run(source, "one");
    source.set_baseline("release", run);
    source.set_baseline("good", run);
    Store target = Store::open(into);
    target.set_baseline("release", fill_run(target, "mine"));
  }
  const MergeOutcome outcome = merge(into, from);
  CHECK(outcome.renamed_baselines == std::map<std::string, std::string>{{"release", "release.2"}});
  static_cast<void>(merge(into, from));
  const Store target = Store::open(into);
  REQUIRE(target.baselines().size() == 3);
  CHECK(target.find_named("release") == RunId{1});
  CHECK(target.find_named("release.2") == RunId{2});
  CHECK(target.find_named("good") == RunId{2});
}

TEST_CASE_METHOD(Two, "a merge that cannot end changes nothing") {
  {
    Store target = Store::open(into);
    fill_run(target, "mine");
    Store source = Store::open(from);
    for (int i = 0; i < 40; ++i) fill_run(source, std::to_string(i), i + 1);
  }
  const auto counts = [&] {
    std::string text;
    for (const char* table : all_tables) text += count_of(into, table) + ' ';
    return text;
  };
  const std::string before = counts();
  SECTION("the disk is full") {
    const int refused = in_child([&] {
      limit_file_size(200'000);
      try {
        static_cast<void>(merge(into, from));
      } catch (const StoreError&) {
        return 0;
      }
      return 1;
    });
    CHECK(refused == 0);
    CHECK(counts() == before);
  }
  SECTION("the process dies") {
    for (int attempt = 0; attempt < 6; ++attempt) {
      const pid_t child = start_child([&] {
        static_cast<void>(merge(into, from));
        return 0;
      });
      usleep(static_cast<useconds_t>(1000 * attempt * attempt));
      kill(child, SIGKILL);
      exit_status(child);
      const std::string after = count_of(into, "runs");
      CHECK((after == "1" || after == "41"));
      CHECK((counts() == before || after == "41"));
    }
  }
  CHECK(execute(into, "PRAGMA integrity_check") == "ok");
  static_cast<void>(merge(into, from));
  CHECK(count_of(into, "runs") == "41");
  CHECK(count_of(into, "samples") == std::to_string(41 * 6));
}
