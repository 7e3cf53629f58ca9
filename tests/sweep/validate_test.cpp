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

TEST_CASE("a config that names only what there is has no findings") {
  CHECK(findings("").empty());
  CHECK(findings(
            "backends = ['gpu', 'cpu']\nvariants = ['plain', 'fancy', 'threads']\n"
            "parameters = { n = [1, 2], dtype = ['f32'], layout = 'soa', cache = 'cold', launch = 'graph', "
            "basis = 'device', tile = [1], mode = 'slow', threads = [4], share = [1, 0.5], pin = false }\n"
            "where = [\"n + m + tile + threads + share > 0 and pin and mode != 'x' and backend != 'y'\", "
            "\"device_type == 'gpu' and variant == 'a' and layout == 'soa' and cache == 'hot' and launch "
            "== 'q' "
            "and basis == 'r'\"]\nexpect = { plain = 'wrong' }\n[[sweep.override]]\n"
            "match = { backend = 'cpu' }\nparameters = { threads = [1, 2] }")
            .empty());
}

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

TEST_CASE("a variant that no selected backend has") {
  CHECK(findings("variants = ['plain', 'tield']") ==
        Labels{
            "5:22: error: no backend has variant 'tield' of workload 'grid'; expected one of plain, tiled, "
            "fancy, threads; did you mean 'tiled'?"});
  CHECK(
      findings("backends = ['cpu']\nvariants = ['tield']") ==
      Labels{"6:13: error: no backend of this sweep (cpu) has variant 'tield' of workload 'grid'; expected "
             "one of plain, tiled, threads; did you mean 'tiled'?"});
  CHECK(findings("backends = ['cpu']\nvariants = ['fancy']") ==
        Labels{
            "6:13: error: no backend of this sweep (cpu) has variant 'fancy' of workload 'grid'; gpu has"});
  // A variant of another workload is none of this one.
  Catalogue tables = catalogue();
  tables.backends[0].variants[2].workload = "matmul";
  CHECK(findings("variants = ['fancy']", tables) ==
        Labels{
            "5:13: error: no backend has variant 'fancy' of workload 'grid'; expected one of plain, tiled, "
            "threads"});
}

TEST_CASE("a backend that is left out is known, a misspelt one is not") {
  CHECK(findings("backends = ['gone', 'cpu']\nvariants = ['plain']").empty());
  CHECK(
      findings("backends = ['gonne', 'cpu']") ==
      Labels{"5:13: error: unknown backend 'gonne'; expected one of gpu, cpu, gone; did you mean 'gone'?"});
}

TEST_CASE("what a left-out backend might have is a warning at most") {
  CHECK(
      findings("backends = ['gone', 'cpu']\nvariants = ['plain', 'tield']") ==
      Labels{"6:22: warning: no backend of this sweep (cpu) has variant 'tield' of workload 'grid'; 'gone' "
             "might, but is not here; did you mean 'tiled'?"});
  // Nothing here is called nearly so: its row gives the reason.
  CHECK(findings("backends = ['gone', 'cpu']\nvariants = ['fancy']").empty());
  CHECK(
      findings("backends = ['cpu', 'gone']\nparameters = { tlie = [1] }") ==
      Labels{
          "6:16: warning: 'tlie' is neither a parameter of workload 'grid' nor a tunable of any variant of "
          "this sweep; 'gone' might, but is not here; did you mean 'tile'?"});
  CHECK(
      findings("backends = ['gone', 'cpu']\nwhere = ['til > 1']") ==
      Labels{
          "6:11: warning: where: no point of this sweep has 'til'; 'gone' might, but is not here; did you "
          "mean 'tile'?"});
  // Nothing at all is known about a sweep for it alone; values of the workload's parameters still are.
  CHECK(findings("backends = ['gone']\nvariants = ['any']\nparameters = { thing = [1], n = [0] }") ==
        Labels{"7:34: error: axis 'n' cannot be 0; expected an integer from 1 to 1000000000000"});
}

TEST_CASE("expectations are about variants of the sweep") {
  CHECK(
      findings("variants = ['plain', 'tiled']\nexpect = { tield = 'wrong', fancy = 'right' }") ==
      Labels{
          "6:12: error: expect names 'tield', which is not a variant of this sweep; expected one of plain, "
          "tiled; did you mean 'tiled'?",
          "6:29: error: expect names 'fancy', which is not a variant of this sweep; expected one of plain, "
          "tiled"});
  CHECK(findings("expect = { threads = 'wrong' }").empty());
}

TEST_CASE("axes are parameters of the workload, layouts, measure parameters or tunables") {
  CHECK(
      findings("parameters = { tiel = [1] }") ==
      Labels{
          "5:16: error: 'tiel' is neither a parameter of workload 'grid' nor a tunable of any variant of "
          "this sweep; expected one of n, m, dtype, layout, tile, mode, threads, share, pin, twin, cache, "
          "launch, "
          "basis; did you mean 'tile'?"});
  // Only of the variants that are selected.
  CHECK(findings("variants = ['plain', 'tiled']\nparameters = { threads = [1] }") ==
        Labels{
            "6:16: error: 'threads' is neither a parameter of workload 'grid' nor a tunable of any variant "
            "of this sweep; expected one of n, m, dtype, layout, tile, twin, cache, launch, basis"});
  CHECK(findings("parameters = { target = [1] }") ==
        Labels{"5:16: error: 'target' is a measure setting, not an axis; it belongs in [measure] or "
               "[sweep.measure]"});
  CHECK(validate(parse_config(
                     "[experiment]\nname='x'\n[[sweep]]\nworkload='matmul'\nparameters = { layout = 'a' }",
                     "x.toml"),
                 catalogue())
            .at(0)
            .message == "workload 'matmul' has one layout only");
}

TEST_CASE("values are of the parameter's type and range") {
  const auto value = [](const std::string& axis) { return findings("parameters = { " + axis + " }"); };
  CHECK(value("n = [1, 1000000000000]").empty());
  CHECK(value("n = [1, 0, -3]") ==
        Labels{"5:24: error: axis 'n' cannot be 0; expected an integer from 1 to 1000000000000",
               "5:27: error: axis 'n' cannot be -3; expected an integer from 1 to 1000000000000"});
  CHECK(value("n = 1.5") ==
        Labels{"5:20: error: axis 'n' cannot be 1.5; expected an integer from 1 to 1000000000000"});
  CHECK(value("m = 1.5").empty());  // this parameter may be a fraction
  CHECK(value("dtype = ['f32', 'f23']") ==
        Labels{
            "5:32: error: axis 'dtype' cannot be f23; expected one of f32, f64, f16; did you mean 'f32'?"});
  CHECK(value("cache = 'cole'") ==
        Labels{"5:24: error: axis 'cache' cannot be cole; expected one of hot, cold, rotate; did you mean "
               "'cold'?"});
}

TEST_CASE("tunables take values of their default's type, as far as their requirements allow") {
  const auto value = [](const std::string& axis) { return findings("parameters = { " + axis + " }"); };
  CHECK(value("tile = 1").empty());
  CHECK(value("tile = 0") == Labels{"5:23: error: axis 'tile' cannot be 0; expected tile >= 1"});
  CHECK(value("tile = 1.5") == Labels{"5:23: error: axis 'tile' cannot be 1.5; expected an integer"});
  CHECK(value("share = 2").empty());
  CHECK(value("share = 'a'") == Labels{"5:24: error: axis 'share' cannot be a; expected a number"});
  CHECK(value("mode = 3") == Labels{"5:23: error: axis 'mode' cannot be 3; expected a string"});
  CHECK(value("pin = 1") == Labels{"5:22: error: axis 'pin' cannot be 1; expected true or false"});
  // Another variant may take what the first does not.
  Catalogue tables = catalogue();
  tables.backends[1].variants[1].tunables[0].require = {"tile >= -5"};
  CHECK(findings("parameters = { tile = [0, -5] }", tables).empty());
  CHECK(findings("parameters = { tile = [-6] }", tables) ==
        Labels{"5:24: error: axis 'tile' cannot be -6; expected tile >= 1 or tile >= -5"});
}

TEST_CASE("a range with many bad values is one finding") {
  CHECK(findings("parameters = { n = { from = -5, to = 5, step = 1 } }") ==
        Labels{"5:20: error: axis 'n' cannot be -5; expected an integer from 1 to 1000000000000"});
  CHECK(findings("parameters = { tile = { from = -5, to = 5, step = 1 } }") ==
        Labels{"5:23: error: axis 'tile' cannot be -5; expected tile >= 1"});
}

TEST_CASE("names in conditions are pointed at inside the string") {
  CHECK(
      findings("where = [\"n > 1 and 'tiel' != dtype and tiel > nn\"]") ==
      Labels{
          "5:41: error: where: no point of this sweep has 'tiel'; expected one of n, m, dtype, layout, "
          "tile, mode, threads, share, pin, twin, cache, launch, basis, backend, device_type, variant; did "
          "you "
          "mean 'tile'?",
          "5:48: error: where: no point of this sweep has 'nn'; expected one of n, m, dtype, layout, tile, "
          "mode, threads, share, pin, twin, cache, launch, basis, backend, device_type, variant"});
  // A longer name that begins or ends alike is another name.
  const auto lines = findings("where = ['xtiel + tiel > 1']");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("5:11: error: where: no point of this sweep has 'xtiel'"));
  CHECK(lines[1].starts_with("5:19: error: where: no point of this sweep has 'tiel'"));
  CHECK(findings("variants = ['tiled']\nwhere = ['tile + til > 1']").at(0).starts_with("6:18: error: "));
}

TEST_CASE("overrides are checked like the sweep") {
  const std::string over = "[[sweep.override]]\nmatch = { backend = 'cpu' }\n";
  CHECK(findings(over + "parameters = { tiel = [1], dtype = 'f23' }").size() == 2);
  CHECK(findings(over + "parameters = { n = [0] }") ==
        Labels{"7:21: error: axis 'n' cannot be 0; expected an integer from 1 to 1000000000000"});
  CHECK(findings("[[sweep.override]]\nmatch = { backend = 'cup' }\nmeasure = { seed = 1 }") ==
        Labels{"6:21: error: unknown backend 'cup'; expected one of gpu, cpu, gone; did you mean 'cpu'?"});
  CHECK(findings("backends = ['gpu']\n" + over + "measure = { seed = 1 }") ==
        Labels{"7:21: warning: this override is for backend 'cpu', which the sweep does not use"});
  CHECK(findings("backends = ['cpu', 'gone']\nvariants = ['plain']\n[[sweep.override]]\n"
                 "match = { backend = 'gone' }\nmeasure = { seed = 1 }")
            .empty());
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
