// Stores of older versions, as they were written then, in the hands of a user.
#include "store/versions.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// A sandbox whose store is of an older version.
struct OldSandbox : Sandbox {
  explicit OldSandbox(int version) { load_version(version, file); }
  [[nodiscard]] std::string fine(const std::vector<std::string>& arguments) const {
    const Outcome outcome = call(arguments);
    INFO(arguments[0] << ": " << outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  }
  /// The config of the interrupted run, as it was.
  [[nodiscard]] std::string config() const {
    return write("c.toml", execute(file, "SELECT config_text FROM runs WHERE id = 2")).string();
  }
  [[nodiscard]] json rows_of(const std::string& run) const {
    return json::parse(fine({"export", run, "--format", "json", "--samples"})).at("rows");
  }

  std::filesystem::path file = path() / "store.db";
};

}  // namespace

TEST_CASE("every command reads a store of any version and leaves it as it is") {
  const int version = GENERATE(from_range(dumped_versions()));
  CAPTURE(version);
  const OldSandbox sandbox(version);
  const std::string before = content_of(sandbox.file);
  CHECK_THAT(sandbox.fine({"runs"}), ContainsSubstring("finished") && ContainsSubstring("interrupted"));
  CHECK_THAT(sandbox.fine({"show", "1"}), ContainsSubstring("scripted failure"));
  CHECK_THAT(sandbox.fine({"report", "1", "--format", "md"}), ContainsSubstring("1.100 ms"));
  CHECK_THAT(sandbox.fine({"report", "1", "--format", "html"}), ContainsSubstring("</html>"));
  CHECK_THAT(sandbox.fine({"explain", "1:0"}), ContainsSubstring("n=8"));
  CHECK_THAT(sandbox.fine({"history"}), ContainsSubstring("1.100 ms"));
  CHECK(json::parse(sandbox.fine({"compare", "1", "1", "--format", "json"})).at("schema") ==
        "benchctl.compare");
  const json rows = sandbox.rows_of("1");
  REQUIRE(rows.size() == 5);
  CHECK(rows.at(1).at("median_ns") == 1.1e6);
  CHECK(content_of(sandbox.file) == before);
}

TEST_CASE("an interrupted run of any version is replaced by a new one that loses nothing") {
  const int version = GENERATE(from_range(dumped_versions()));
  CAPTURE(version);
  OldSandbox sandbox(version);
  const json before = sandbox.rows_of("2");
  sandbox.set("BENCHCTL_FAKE_PHYSICAL", "moved");  // if nothing else has changed since
  const Outcome outcome = sandbox.call({"run", sandbox.config()});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("run 2 was interrupted") && ContainsSubstring("have changed") &&
                              ContainsSubstring("a new run begins"));
  CHECK(sandbox.rows_of("3").size() == 6);
  CHECK(sandbox.rows_of("2") == before);
}

TEST_CASE("an interrupted run of any version is resumed where nothing has changed since") {
  const int version = GENERATE(from_range(dumped_versions()));
  CAPTURE(version);
  const OldSandbox sandbox(version);
  const std::string config = sandbox.config();
  // What makes points the same: taken from a run of now.
  const std::string now = (sandbox.path() / "now.db").string();
  REQUIRE(sandbox.call({"run", config, "--db", now}).exit_code == 0);
  execute(sandbox.file, "ATTACH '" + now +
                            "' AS now; UPDATE points SET (content_key, tunables_json) = (SELECT "
                            "n.content_key, n.tunables_json FROM now.points AS n WHERE n.ordinal = "
                            "points.ordinal) WHERE run = 2");
  const json before = sandbox.rows_of("2");
  const Outcome outcome = sandbox.call({"run", config});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("resuming run 2: 2 of 6 points are done"));
  const json after = sandbox.rows_of("2");
  REQUIRE(after.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(after.at(i).at("status") == "ok");
    if (before.at(i).at("status") != "ok") continue;
    json same = after.at(i);
    same.update(before.at(i));  // exports of now may have more columns
    CHECK(same == after.at(i));
  }
  CHECK(execute(sandbox.file, "SELECT count(*) FROM runs") == "2");
}
