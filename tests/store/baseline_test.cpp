// Named baselines, and stores of older versions.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "store/filled_store.hpp"
#include "store/older_stores.hpp"
#include "store/schema.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("a name stands for one run, and for another when it is set again") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
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
  CHECK(store.find_named("2") == second);
  for (const char* text : {"3", "0", "-1", "2x", "", "all"}) CHECK_FALSE(store.find_named(text));
}

TEST_CASE("names that could be something else are no baselines") {
  for (const char* name : {"release", "v1.2", "a", "A_b-c"}) CHECK(is_baseline_name(name));
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

TEST_CASE("a store of an older version is read as it is, and brought up to date when it is written to") {
  const int version = GENERATE(1, 2, 3);
  CAPTURE(version);
  const TemporaryDirectory folder;
  const auto file = folder.path() / "s.db";
  {
    Store store = Store::open(file);
    fill_run(store, "one");
  }
  make_older(file, version);
  const auto check = [&](const Store& store) {
    REQUIRE(store.runs().size() == 1);
    const auto points = store.results(RunId{1});
    REQUIRE(points.size() == 2);
    CHECK(points[0].measurement->median_ns == 43.5);
    CHECK(points[0].row.point.measure.replicates == (version < 3 ? 1 : 37));
    CHECK(points[0].comparison.has_value() == (version >= 3));
    CHECK(store.samples(points[0].row.id).size() == (version < 3 ? 2 : 3));
    CHECK(store.roofs(RunId{1}).size() == (version < 2 ? 0 : 1));
    CHECK(store.baselines().empty());
    CHECK(store.merged_runs().empty());
    CHECK_FALSE(store.find_named("release"));
  };
  check(Store::open(file, Store::Access::read_only));
  CHECK(execute(file, "PRAGMA user_version") == std::to_string(version));
  {
    Store store = Store::open(file);
    check(store);
    store.set_baseline("release", RunId{1});
    // What it could not hold before.
    store.set_comparison(store.points(RunId{1})[1].id, {"b", 9, 1.5, 1, 2, 0.5, 3, 0.01, "slower"});
    const RunId fresh = fill_run(store, "fresh");
    CHECK(store.samples(store.points(fresh)[0].id).size() == 3);
  }
  CHECK(execute(file, "PRAGMA user_version") == std::to_string(schema_version));
  CHECK(execute(file, "PRAGMA integrity_check") == "ok");
  CHECK(execute(file, "PRAGMA foreign_key_check") == "");
  CHECK(Store::open(file, Store::Access::read_only).find_named("release") == RunId{1});
  // The same tables as in a new file.
  const auto fresh = folder.path() / "fresh.db";
  static_cast<void>(Store::open(fresh));
  const std::string names =
      "SELECT group_concat(x, ' ') FROM (SELECT t.name || '.' || c.name || ' ' || c.type || c.\"notnull\" "
      "AS x FROM "
      "sqlite_master AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' ORDER BY t.name, "
      "c.name)";
  CHECK(execute(file, names) == execute(fresh, names));
}
