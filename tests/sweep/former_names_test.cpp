// Tunables under the names that they had before.
#include "sweep/former_names.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

#include "model/former_names.hpp"
#include "sweep/configurations.hpp"
#include "sweep/fixtures.hpp"
#include "sweep/validate.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// `tile` of all variants of `gpu` was `edge` before, and `mode` was `share`, which `threads` of `cpu`
/// still has.
Catalogue renamed_tables() {
  Catalogue tables = catalogue();
  for (VariantInfo& variant : tables.backends[0].variants) {
    for (TunableInfo& tunable : variant.tunables)
      tunable.formerly = {tunable.name == "tile" ? "edge" : "share"};
  }
  return tables;
}

Config read_with_old_names(const std::string& keys) {
  const Catalogue tables = renamed_tables();
  Config read = config(keys);
  use_current_names(read, tables);
  for (const Diagnostic& diagnostic : validate(read, tables)) UNSCOPED_INFO(to_text(diagnostic));
  return read;
}

}  // namespace

TEST_CASE("a config may call tunables what they were called before", "[former]") {
  const std::string keys = R"(variants = ['til*']
backends = ['gpu']
where = ["edge < n and 'edge' != 'x'"]
zip = [['n', 'edge']]
[sweep.parameters]
n = [8, 16]
edge = [4, 32]
[[sweep.override]]
match = { backend = 'gpu' }
parameters = { edge = [4, 8] }
)";
  const Config read = read_with_old_names(keys);
  const Sweep& sweep = read.sweeps.at(0);
  CHECK(sweep.axes.at(1).name == "tile");
  CHECK(sweep.zips.at(0).names.at(1).text == "tile");
  CHECK(sweep.overrides.at(0).axes.at(0).name == "tile");
  CHECK(sweep.where.at(0).expression.text() == "tile < n and 'edge' != 'x'");
  CHECK(validate(read, renamed_tables()).empty());
  Labels labels = short_labels(benchctl::expand(read, renamed_tables(), lanes()).points, {"n", "tile"});
  std::ranges::sort(labels);
  CHECK(labels == Labels{"tiled@gpu:0 n=16 tile=8", "tiled@gpu:0 n=8 tile=4", "tiled@gpu:1 n=16 tile=8",
                         "tiled@gpu:1 n=8 tile=4"});
}

TEST_CASE("what a variant of the sweep is called so today is no former name", "[former]") {
  const Config both =
      read_with_old_names("variants = ['fancy', 'threads']\n[sweep.parameters]\nn = [8]\nshare = [0.5]\n");
  CHECK(both.sweeps.at(0).axes.at(1).name == "share");
  const Config alone = read_with_old_names(
      "variants = ['fancy']\nbackends = ['gpu']\n[sweep.parameters]\nn = [8]\nshare = ['fast']\n");
  CHECK(alone.sweeps.at(0).axes.at(1).name == "mode");
}

TEST_CASE("an axis is set under today's name and under the former one", "[former]") {
  const Catalogue tables = renamed_tables();
  for (const std::string own : {"edge", "tile"}) {
    for (const std::string given : {"edge", "tile"}) {
      INFO(own << " set as " << given);
      Config read = config("variants = ['tiled']\nbackends = ['gpu']\nzip = [['n', '" + own +
                           "']]\n[sweep.parameters]\nn = [8, 16]\n" + own + " = [4, 32]\n");
      apply_set(read, given + "=[2, 16]", [&](const Sweep& sweep) { return former_names(sweep, tables); });
      CHECK(read.sweeps[0].axes.at(1).name == own);
      use_current_names(read, tables);
      CHECK(validate(read, tables).empty());
      CHECK(read.sweeps[0].axes.at(1).values == std::vector<Value>{std::int64_t{2}, std::int64_t{16}});
    }
  }
}

TEST_CASE("under both names at once a tunable is refused", "[former]") {
  const Config read = read_with_old_names(
      "variants = ['tiled']\nbackends = ['gpu']\n[sweep.parameters]\nn = [8]\nedge = [4]\ntile = [8]\n");
  CHECK(has_errors(validate(read, renamed_tables())));
}

TEST_CASE("tuning tables and notes with former names are understood", "[former]") {
  Catalogue tables = renamed_tables();
  BackendEntry& gpu = tables.backends[0];
  TunedClass tuned{"tiled", {{"n", std::int64_t{8}}}, {}, {{"tiled", {{"edge", std::int64_t{4}}}}}};
  gpu.tunings.emplace_back().classes = {tuned};
  gpu.tunings[0].workload = "grid";
  use_current_names(gpu);
  CHECK(gpu.tunings[0].classes[0].configurations[0].tunables == Parameters{{"tile", std::int64_t{4}}});

  VariantInfo choice = variant("tuned", choice_tunables());
  choice.among = {"tiled"};
  const auto stored = configuration_from("tiled edge=32", choice, gpu);
  REQUIRE(stored);
  CHECK(stored->tunables == Parameters{{"tile", std::int64_t{32}}});
}

TEST_CASE("a run's record of former names is read back", "[former]") {
  const std::string text = recorded_names(renamed_tables().backends[0].variants);
  CHECK(text == "grid/tiled.edge=tile grid/fancy.edge=tile grid/fancy.share=mode");
  CHECK(former_names_from(text, "grid", "fancy") == FormerNames{{"edge", "tile"}, {"share", "mode"}});
  CHECK(former_names_from(text, "grid", "plain").empty());
  CHECK(former_names_from("", "grid", "tiled").empty());
}
