// Tuning tables as files: what is written is read, and what is wrong is refused with its place.
#include "config/tuning_file.hpp"
#include "support/catch.hpp"

#include "errors.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

TunedClass tuned(const std::string& choice, std::int64_t n, std::int64_t tile) {
  return {choice, {{"n", n}}, "", {{"tiled", {{"tile", tile}}, 1}}};
}

TuningTable table_of(std::vector<TunedClass> classes) {
  return {"matmul",          "gpu", "sm_90a",          "Card", "driver 1", "2026-11-26",
          "benchctl tune x", "abc", std::move(classes)};
}

}  // namespace

TEST_CASE("a tuning table reads back as it was written, sorted, in the same bytes") {
  TuningTable table = table_of({tuned("b", 16, 1), tuned("a", 128, 2), tuned("a", 16, 3)});
  table.device = "A \"card\" \\ of\tany \u00e9";
  TunedClass& last = table.classes.back();
  last.layout = "column_major";
  last.problem = {{"dtype", std::string("f32")}, {"alpha", 2.0}, {"n", std::int64_t{16}}};
  last.configurations = {{"tiled", {{"tile", std::int64_t{8}}, {"late", true}, {"share", 0.25}}, 1},
                         {"plain", {}, 1.0325}};
  const std::string text = to_toml(table);
  CHECK_THAT(text, ContainsSubstring("problem = { alpha = 2.0, dtype = \"f32\", n = 16 }\n"));
  CHECK_THAT(text, ContainsSubstring("  { ratio = 1.032, variant = \"plain\", tunables = {} },\n"));
  const TuningTable read = parse_tuning(text, "x.toml");
  CHECK(to_toml(read) == text);
  CHECK(read.workload == "matmul");
  CHECK(read.backend == "gpu");
  CHECK(read.architecture == "sm_90a");
  CHECK(read.device == table.device);
  CHECK(read.driver == "driver 1");
  CHECK(read.date == "2026-11-26");
  CHECK(read.command == "benchctl tune x");
  CHECK(read.revision == "abc");
  REQUIRE(read.classes.size() == 3);
  CHECK(read.classes[0].problem == Parameters{{"n", std::int64_t{128}}});
  CHECK(read.classes[1].problem == last.problem);
  CHECK(read.classes[1].layout == "column_major");
  CHECK(read.classes[1].configurations[0].tunables == last.configurations[0].tunables);
  CHECK(read.classes[1].configurations[1].ratio == 1.032);
  CHECK(read.classes[2].choice == "b");
  CHECK(tuning_path(read) == "gpu/sm_90a/matmul.toml");
}

TEST_CASE("numbers of a problem are sorted by size") {
  const TuningTable read = parse_tuning(to_toml(table_of({tuned("a", 128, 2), tuned("a", 16, 3)})), "x");
  CHECK(read.classes[0].problem == Parameters{{"n", std::int64_t{16}}});
}

TEST_CASE("merged tables have the newer of two classes of one problem, and all others") {
  const TuningTable older = table_of({tuned("a", 16, 1), tuned("a", 32, 1), tuned("b", 16, 1)});
  TuningTable newer = table_of({tuned("a", 16, 2)});
  newer.driver = "driver 2";
  const TuningTable both = merged(newer, older);
  CHECK(both.driver == "driver 2");
  REQUIRE(both.classes.size() == 3);
  CHECK(both.classes[0].configurations[0].tunables == Parameters{{"tile", std::int64_t{2}}});
  CHECK(both.classes[1].problem == Parameters{{"n", std::int64_t{32}}});
  CHECK(both.classes[2].choice == "b");
}

TEST_CASE("tables are found by their backend, in the order of their paths") {
  const TemporaryDirectory folder;
  CHECK(load_tunings(folder.path(), "gpu").empty());
  for (const std::string architecture : {"sm_90a", "sm_80"}) {
    TuningTable table = table_of({tuned("a", 1, 1)});
    table.architecture = architecture;
    std::filesystem::create_directories((folder.path() / tuning_path(table)).parent_path());
    static_cast<void>(folder.write(tuning_path(table).string(), to_toml(table)));
  }
  static_cast<void>(folder.write("gpu/sm_80/notes.txt", "no table"));
  const std::vector<TuningTable> tables = load_tunings(folder.path(), "gpu");
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].architecture == "sm_80");
  CHECK(tables[1].architecture == "sm_90a");
  CHECK(load_tunings(folder.path(), "other").empty());
}
