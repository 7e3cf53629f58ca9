// Stores joined without loss.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "store/filled_store.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
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
};

/// A run in each, the one of `from`. Numbers differ.
RunId fill_both(const Two& two) {
  Store into = Store::open(two.into);
  fill_run(into, "other");
  Store from = Store::open(two.from);
  return fill_run(from, "one");
}

}  // namespace

TEST_CASE("a merged store holds every row of every table") {
  const Two two;
  {
    Store from = Store::open(two.from);
    fill_run(from, "one");
    fill_run(from, "two");
  }
  const MergeOutcome outcome = merge(two.into, two.from);
  REQUIRE(outcome.added.size() == 2);
  CHECK(outcome.conflicts.empty());
  for (const char* table : all_tables) {
    CAPTURE(table);
    CHECK(count_of(two.into, table) == count_of(two.from, table));
    CHECK(count_of(two.into, table) != "0");
    CHECK(differing_rows(two.into, two.from, table) == "0");
  }
  CHECK(execute(two.into, "PRAGMA foreign_key_check") == "");
}

TEST_CASE("keys that point into runs point to the same things after a merge") {
  const Two two;
  const RunId first = fill_both(two);
  {
    Store from = Store::open(two.from);
    // A second run takes a point and a roof over from the first.
    const RunId second = from.create_run(a_run("later"));
    const auto points = from.add_points(second, std::vector{a_point(0)});
    from.copy_point(from.points(first)[0].id, points[0]);
    from.set_roofs(second, std::array{RoofRow{"fake:1", "dram_copy", 5, from.points(first)[1].id}});
    from.finish_run(second, RunState::complete);
  }
  const MergeOutcome outcome = merge(two.into, two.from);
  REQUIRE(outcome.added.size() == 2);
  const Store into = Store::open(two.into, Store::Access::read_only);
  const RunId one = outcome.added[0].into;
  const RunId two_there = outcome.added[1].into;
  CHECK(outcome.added[0].from == first);
  CHECK(one != first);
  CHECK(into.points(one)[1].reused_from == into.points(one)[0].id);
  CHECK(into.points(two_there)[0].reused_from == into.points(one)[0].id);
  CHECK(into.roofs(two_there)[0].source == into.points(one)[1].id);
  CHECK(into.samples(into.points(one)[0].id).size() == 3);
  CHECK(into.samples(into.points(one)[0].id)[2].replicate == 1);
  const auto merged = into.merged_runs();
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].run == one);
  CHECK(merged[0].original == first);
  CHECK(merged[0].store == two.from.string());
  CHECK_FALSE(merged[0].conflicts_with);
}

TEST_CASE("merging twice, or back, is the same as once") {
  const Two two;
  {
    Store from = Store::open(two.from);
    fill_run(from, "one");
    Store into = Store::open(two.into);
    fill_run(into, "mine");
  }
  static_cast<void>(merge(two.into, two.from));
  const MergeOutcome again = merge(two.into, two.from);
  CHECK(again.added.empty());
  CHECK(again.known.size() == 1);
  for (const char* table : all_tables) CHECK(count_of(two.into, table) != "0");
  CHECK(count_of(two.into, "runs") == "2");
  CHECK(count_of(two.into, "samples") == std::to_string(2 * 6));
  const MergeOutcome back = merge(two.from, two.into);
  CHECK(back.added.size() == 1);
  CHECK(back.known.size() == 1);
  CHECK(merge(two.into, two.from).added.empty());
  for (const char* table : all_tables) CHECK(differing_rows(two.into, two.from, table) == "0");
}

TEST_CASE("a later run that takes over from one that was merged before points to it") {
  const Two two;
  const RunId first = fill_both(two);
  static_cast<void>(merge(two.into, two.from));
  {
    Store from = Store::open(two.from);
    const RunId later = from.create_run(a_run("later"));
    const auto points = from.add_points(later, std::vector{a_point(0)});
    from.copy_point(from.points(first)[1].id, points[0]);
    from.finish_run(later, RunState::complete);
    from.set_baseline("good", first);
  }
  const MergeOutcome outcome = merge(two.into, two.from);
  REQUIRE(outcome.known.size() == 1);
  REQUIRE(outcome.added.size() == 1);
  const Store into = Store::open(two.into, Store::Access::read_only);
  const RunId known = outcome.known[0].into;
  CHECK(into.points(outcome.added[0].into)[0].reused_from == into.points(known)[1].id);
  CHECK(into.find_named("good") == known);
}

TEST_CASE("a config that was run twice at different times makes two runs") {
  const Two two;
  {
    Store from = Store::open(two.from);
    fill_run(from, "one");
    fill_run(from, "one");
  }
  execute(two.from,
          "UPDATE runs SET created_at = id, finished_at = 'then'; UPDATE samples SET stored_at = 'then';"
          "UPDATE events SET time = 'then'");
  const MergeOutcome outcome = merge(two.into, two.from);
  CHECK(outcome.added.size() == 2);
  CHECK(outcome.conflicts.empty());
}

TEST_CASE("a duplicate with other results is kept and marked, once") {
  const Two two;
  {
    Store from = Store::open(two.from);
    fill_run(from, "one");
  }
  static_cast<void>(merge(two.into, two.from));
  execute(two.from, "UPDATE measurements SET median_ns = 44 WHERE point = 1");
  const MergeOutcome outcome = merge(two.into, two.from);
  REQUIRE(outcome.conflicts.size() == 1);
  CHECK(outcome.added.size() == 1);
  const Store into = Store::open(two.into, Store::Access::read_only);
  CHECK(into.runs().size() == 2);
  const auto merged = into.merged_runs();
  REQUIRE(merged.size() == 2);
  CHECK(merged[1].run == outcome.conflicts[0].into);
  CHECK(merged[1].conflicts_with == merged[0].run);
  CHECK(merge(two.into, two.from).added.empty());
  // Whoever merges the joined store learns of the conflict, too.
  const fs::path third = two.folder.path() / "third.db";
  static_cast<void>(merge(third, two.into));
  CHECK(Store::open(third).merged_runs().at(1).conflicts_with == RunId{1});
}

TEST_CASE("every kind of row counts when runs are told apart") {
  const std::string change = GENERATE(
      as<std::string>{}, "UPDATE samples SET ns = x'0000000000000040' WHERE id = 1",
      "UPDATE samples SET used = 1", "UPDATE points SET reason = 'x' WHERE ordinal = 1",
      "UPDATE verifications SET ok = 0", "UPDATE resources SET value = 41 WHERE metric = 'registers'",
      "UPDATE notes SET text = ''", "UPDATE comparisons SET ci_high = 2",
      "UPDATE roofs SET per_second = 1.0000000001e12", "UPDATE events SET text = ''",
      "UPDATE lanes SET device_json = replace(device_json, 'driver 1', 'driver 2')",
      "UPDATE runs SET finished_at = ''", "DELETE FROM samples WHERE id = 2");
  CAPTURE(change);
  const Two two;
  {
    Store from = Store::open(two.from);
    fill_run(from, "one");
  }
  static_cast<void>(merge(two.into, two.from));
  execute(two.from, change);
  CHECK(merge(two.into, two.from).conflicts.size() == 1);
}

TEST_CASE("a run that is being measured is not merged, a dead one is interrupted") {
  const Two two;
  Store from = Store::open(two.from);
  static_cast<void>(from.create_run(a_run("running")));
  CHECK_THROWS_MATCHES(
      merge(two.into, two.from), StoreError,
      MessageMatches(ContainsSubstring("run 1") && ContainsSubstring("still being measured")));
  execute(two.from, "UPDATE runs SET owner_pid = 2147483647");
  CHECK(merge(two.into, two.from).added.size() == 1);
  CHECK(merge(two.into, two.from).known.size() == 1);
  const Store into = Store::open(two.into);
  CHECK(into.run(RunId{1}).value().state == RunState::interrupted);
  // Nobody resumes here what another machine began.
  CHECK(from.find_resumable("running").has_value());
  CHECK_FALSE(into.find_resumable("running").has_value());
}

TEST_CASE("after a merge the newest run is the youngest, not the one with the highest number") {
  const Two two;
  {
    Store from = Store::open(two.from);
    fill_run(from, "old", 1);
    execute(two.from, "UPDATE runs SET created_at = '2001-01-01T00:00:00.000Z'");
    Store into = Store::open(two.into);
    fill_run(into, "new", 2);
  }
  static_cast<void>(merge(two.into, two.from));
  const Store into = Store::open(two.into);
  CHECK(into.newest_run().value().id == RunId{1});
  CHECK(into.newest_complete_run().value().id == RunId{1});
  CHECK(into.runs()[0].id == RunId{1});
  CHECK(into.measured("matmul").front().point.row.run == RunId{1});
  execute(two.into, "UPDATE points SET content_key = 'same'");
  CHECK(into.find_measured("same") == into.points(RunId{1})[1].id);
}

TEST_CASE("names of baselines come along; one that is taken gets a number") {
  const Two two;
  {
    Store from = Store::open(two.from);
    const RunId run = fill_run(from, "one");
    from.set_baseline("release", run);
    from.set_baseline("good", run);
    Store into = Store::open(two.into);
    into.set_baseline("release", fill_run(into, "mine"));
  }
  const MergeOutcome outcome = merge(two.into, two.from);
  CHECK(outcome.renamed_baselines == std::map<std::string, std::string>{{"release", "release.2"}});
  static_cast<void>(merge(two.into, two.from));
  const Store into = Store::open(two.into);
  REQUIRE(into.baselines().size() == 3);
  CHECK(into.find_named("release") == RunId{1});
  CHECK(into.find_named("release.2") == RunId{2});
  CHECK(into.find_named("good") == RunId{2});
}

TEST_CASE("a merge that cannot end changes nothing") {
  const Two two;
  {
    Store into = Store::open(two.into);
    fill_run(into, "mine");
    Store from = Store::open(two.from);
    for (int i = 0; i < 40; ++i) fill_run(from, std::to_string(i), i + 1);
  }
  const auto counts = [&] {
    std::string text;
    for (const char* table : all_tables) text += count_of(two.into, table) + ' ';
    return text;
  };
  const std::string before = counts();
  SECTION("the disk is full") {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{200'000, 200'000};
      setrlimit(RLIMIT_FSIZE, &limit);
      int status = 1;
      try {
        static_cast<void>(merge(two.into, two.from));
      } catch (const StoreError&) {
        status = 0;
      } catch (...) {
        status = 2;
      }
      _exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(counts() == before);
  }
  SECTION("the process dies") {
    for (int attempt = 0; attempt < 6; ++attempt) {
      const pid_t child = fork();
      if (child == 0) {
        try {
          static_cast<void>(merge(two.into, two.from));
        } catch (...) {
          _exit(1);
        }
        _exit(0);
      }
      usleep(static_cast<useconds_t>(1000 * attempt * attempt));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      const std::string after = count_of(two.into, "runs");
      CHECK((after == "1" || after == "41"));
      CHECK((counts() == before || after == "41"));
    }
  }
  CHECK(execute(two.into, "PRAGMA integrity_check") == "ok");
  static_cast<void>(merge(two.into, two.from));
  CHECK(count_of(two.into, "runs") == "41");
  CHECK(count_of(two.into, "samples") == std::to_string(41 * 6));
}
