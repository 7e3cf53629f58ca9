// Named baselines.
#include <catch2/catch_test_macros.hpp>

#include "store/filled_store.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE_METHOD(OneFile, "a name stands for one run, and for another when it is set again") {
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
