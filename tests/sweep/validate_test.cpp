#include "sweep/validate.hpp"
#include "support/catch.hpp"

#include "fixtures.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// First lines of the findings, without the file's name.
Labels findings_in(const Config& config, const Catalogue& tables) {
  Labels lines;
  for (const Diagnostic& diagnostic : validate(config, tables)) {
    const std::string text = to_text(diagnostic);
    lines.push_back(text.substr(7, text.find('\n') - 7));
  }
  return lines;
}

/// Those about a sweep.
Labels findings(const std::string& keys, const Catalogue& tables = catalogue()) {
  return findings_in(config(keys), tables);
}

}  // namespace

TEST_CASE("an unknown workload is reported, and nothing that depends on it") {
  const auto lines = findings_in(
      parse_config("[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'gird'\nbackends = ['gpuu']\n"
                   "parameters = { nn = [1] }",
                   "x.toml"),
      catalogue());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("4:12: error: unknown workload 'gird'; expected one of "));
  CHECK(lines[0].ends_with("; did you mean 'grid'?"));
  CHECK(lines[1] ==
        "5:13: error: unknown backend 'gpuu'; expected one of gpu, cpu, gone; did you mean 'gpu'?");
}

TEST_CASE(
    "other tables than the usual: a variant of another workload, two requirements, a workload of one "
    "layout") {
  Catalogue tables = catalogue();
  tables.backends[0].variants[2].workload = "matmul";
  tables.backends[1].variants[1].tunables[0].require = {"tile >= -5"};
  CHECK(findings("variants = ['fancy']", tables) ==
        Labels{
            "5:13: error: no backend has variant 'fancy' of workload 'grid'; expected one of plain, tiled, "
            "threads"});
  CHECK(findings("parameters = { tile = [0, -5] }", tables).empty());
  CHECK(findings("parameters = { tile = [-6] }", tables) ==
        Labels{"5:24: error: axis 'tile' cannot be -6; expected tile >= 1 or tile >= -5"});
  CHECK(findings_in(
            parse_config("[experiment]\nname='x'\n[[sweep]]\nworkload='matmul'\nparameters.layout='a'",
                         "x.toml"),
            catalogue())
            .at(0)
            .ends_with("workload 'matmul' has one layout only"));
}

TEST_CASE("readings are known by the metric table or by an observer, wherever they are asked for") {
  Catalogue tables = catalogue();
  tables.readings.push_back({"wheel_speed", "1/s", "", ReadingKind::block, ReadingSummary::mean, true});
  const auto check = [&](const std::string& measure, const std::string& rest = "") {
    return findings_in(parse_config("[experiment]\nname='x'\n[measure]\n" + measure +
                                        "\n[[sweep]]\nworkload='grid'\nvariants=['plain']\n" + rest,
                                    "x.toml"),
                       tables);
  };
  CHECK(check("observe=['energy', 'wheel_speed']").empty());
  CHECK(check("observe=['none']").empty());
  CHECK(check("observe=['sectors_per_request']").empty());
  const auto slips = check("observe=['energy', 'whel_speed']", "measure={observe=['enrgy']}");
  REQUIRE(slips.size() == 2);
  CHECK(slips[0].starts_with("4:20: error: observe: unknown reading 'whel_speed'; expected one of "));
  CHECK(slips[0].ends_with("; did you mean 'wheel_speed'?"));
  CHECK(slips[1].starts_with("8:19: error: observe: unknown reading 'enrgy'"));
  const auto counted = check("observe=['registers']");
  REQUIRE(counted.size() == 1);
  CHECK(counted[0].starts_with("4:10: error: observe: nothing reads the metric 'registers'"));
  CHECK(check("observe=['measured_sectors_per_request']").size() == 1);
}

TEST_CASE("a search has a known strategy, and an objective that can be better") {
  CHECK(findings("search = { strategy = 'genetic', objective = 'energy' }").empty());
  const Labels lines = findings("search = { strategy = 'genetics', objective = 'batch' }");
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0],
             HasAll({"unknown search strategy 'genetics'", "annealing", "did you mean 'genetic'?"}));
  CHECK_THAT(lines[1], HasAll({"a search cannot make 'batch' best", "energy"}));
  CHECK_THAT(findings("search = { objective = 'energie' }").at(0), EndsWith("did you mean 'energy'?"));
}

TEST_CASE("a word that a kernel may get as a definition carries no option") {
  Catalogue tables = catalogue();
  VariantInfo& fancy = tables.backends[0].variants[2];
  fancy.kernel = KernelSpec{};
  const std::string sweep = "backends = ['gpu']\nvariants = ['fancy']\nparameters = ";
  CHECK(findings(sweep + "{ mode = ['fast', '1.5e+3', 'a-b', '_x'] }", tables).empty());
  for (const std::string word : {"x -I/elsewhere", "-x", "a=b", "a|b", "a\"b"}) {
    const Labels found = findings(sweep + "{ mode = ['" + word + "'] }", tables);
    REQUIRE(found.size() == 1);
    CHECK(found[0].find("axis 'mode' cannot be " + word) != std::string::npos);
    CHECK(found[0].find("a word of letters, digits") != std::string::npos);
  }
  // A variant without a kernel defines nothing.
  CHECK(findings(sweep + "{ mode = ['x -I/elsewhere'] }").empty());
}
