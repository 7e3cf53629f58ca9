// Plans without a plugin: what a config says of it is neither right nor wrong, and its rows say why they
// are skipped.
#include "engine/host.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/fixtures.hpp"
#include "sweep/search.hpp"
#include "sweep/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// The tables in which `gone` is known to be a backend.
Catalogue without_gone() {
  Catalogue tables = catalogue();
  tables.absent[0].is_backend = true;
  return tables;
}

/// `variant@gone: reason` of every row of a backend that is not there.
Labels absent_rows_of(const std::string& keys, const Catalogue& tables = without_gone()) {
  Labels rows;
  for (const Point& point : points_of(keys, lanes(), tables)) {
    if (tables.find(point.backend) != nullptr) continue;
    CHECK(point.status == Status::skipped);
    CHECK(point.device == point.backend);
    CHECK(point.workload == "grid");
    rows.push_back(point.variant + "@" + point.backend + ": " + point.reason);
  }
  return rows;
}

std::vector<Config> shipped_configs() {
  std::vector<Config> configs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(config_directory())) {
    const bool is_config =
        entry.path().extension() == ".toml" && entry.path().parent_path().filename() != "gates";
    if (is_config) configs.push_back(load_config(entry.path()));
  }
  return configs;
}

/// Without these plugins, which the build has noted or has not.
void check_without(const PluginHost& host, const std::set<std::string>& taken, bool noted,
                   const std::vector<Config>& configs) {
  const TemporaryDirectory folder;
  const PluginTable all = loaded_plugins(host);
  PluginTable plugins;
  std::string lines;
  LaneTable table;
  std::string readings = "'energy'";
  for (const LoadedPlugin& plugin : host.plugins()) {
    if (taken.contains(plugin.info.name)) {
      if (plugin.observer != nullptr) {
        for (const ReadingInfo& reading : plugin.observer->readings()) {
          if (reading.id != "energy") readings += ", '" + reading.id + "'";
        }
      }
      lines += plugin.info.name + "|left out of this build: no toolkit\n";
      continue;
    }
    plugins.add(*std::ranges::find(all.plugins(), plugin.library, &PluginEntry::library));
    if (plugin.backend != nullptr) table.push_back({plugin.info.name, {}, "no driver"});
  }
  if (noted) static_cast<void>(folder.write("left_out.txt", lines));
  plugins.note_left_out({folder.path()});
  const Catalogue tables = make_catalogue(plugins);
  CHECK(to_text(validate(config("measure = { observe = [" + readings + "] }"), tables)) == "");
  for (const Config& config : configs) {
    Catalogue own = tables;
    add_own_kernels(own, config);
    INFO(config.path);
    const std::vector<Diagnostic> diagnostics = validate(config, own);
    CHECK(to_text(diagnostics) == "");
    const std::vector<Point> points = benchctl::expand(config, own, table).points;
    for (std::size_t i = 0; i < config.sweeps.size(); ++i) {
      for (const Word& backend : config.sweeps[i].backends.value_or(std::vector<Word>{})) {
        if (!taken.contains(backend.text)) continue;
        INFO("sweep " << config.sweeps[i].name << " on " << backend.text);
        // Two sweeps of a workload may share the row.
        const auto row = std::ranges::find_if(points, [&](const Point& point) {
          return point.workload == config.sweeps[i].workload.text && point.backend == backend.text;
        });
        REQUIRE(row != points.end());
        CHECK(row->status == Status::skipped);
        CHECK_THAT(row->reason, ContainsSubstring("no plugin '" + backend.text + "'") &&
                                    ContainsSubstring(noted ? "left out of this build: no toolkit"
                                                            : "is in no plugin folder (" +
                                                                  folder.path().string() + ")"));
      }
    }
  }
}

}  // namespace

TEST_CASE("every shipped config is fine without any of the plugins, and without all but one") {
  const PluginHost host = PluginHost::load({plugin_directory()});
  const std::vector<Config> configs = shipped_configs();
  CHECK(configs.size() >= 13);
  std::vector<std::set<std::string>> absences;
  std::set<std::string> gpus;
  for (const LoadedPlugin& plugin : host.plugins()) {
    absences.push_back({plugin.info.name});
    if (plugin.info.name != "cpu_avx") gpus.insert(plugin.info.name);
  }
  absences.push_back(gpus);
  for (const std::set<std::string>& taken : absences) {
    for (const bool noted : {true, false}) {
      INFO("without " << fmt::format("{}", fmt::join(taken, ", ")));
      check_without(host, taken, noted, configs);
    }
  }
}

TEST_CASE("a sweep that names no backend has rows for the names that nobody here knows") {
  const std::string reason = "its toolkit was not found";
  CHECK(absent_rows_of("").empty());
  CHECK(absent_rows_of("variants = ['plain', 'ti*']\nparameters = { n = [1], tile = [1], cache = 'hot' }\n"
                       "where = [\"device_type == 'gpu' and backend != 'cpu' and twin == 0\"]")
            .empty());
  CHECK(absent_rows_of("variants = ['plain', 'special', 'mma_*']") ==
        Labels{"special@gone: no plugin 'gone': " + reason, "mma_*@gone: no plugin 'gone': " + reason});
  const Labels any{"*@gone: no plugin 'gone', which may have depth: " + reason};
  CHECK(absent_rows_of("variants = ['plain']\nparameters = { depth = [1, 2] }") == any);
  CHECK(absent_rows_of("where = ['depth < 3']") == any);
  CHECK(absent_rows_of(
            "[[sweep.override]]\nmatch = { device_type = 'gpu' }\nparameters = { depth = [1] }") == any);
  // A tunable that only other variants have is no tunable of these.
  CHECK(absent_rows_of("variants = ['plain']\nparameters = { tile = [1] }").size() == 1);
  // Its devices are not wanted.
  CHECK(absent_rows_of("devices = ['cpu:*']\nvariants = ['special']").empty());
  // Perhaps it is no backend at all.
  CHECK(absent_rows_of("variants = ['special']", catalogue()).empty());
}

TEST_CASE("a sweep that names a backend that is not there has a row for it, searched or not") {
  const std::string reason = ": no plugin 'gone': its toolkit was not found";
  CHECK(absent_rows_of("backends = ['gone', 'cpu']\nvariants = ['plain', 'fancy']") ==
        Labels{"fancy@gone" + reason});
  CHECK(absent_rows_of("backends = ['gone']\nvariants = ['plain', 'fancy']") ==
        Labels{"plain@gone" + reason, "fancy@gone" + reason});
  CHECK(absent_rows_of("backends = ['gone', 'cpu']\nsearch = { strategy = 'random' }") ==
        Labels{"*@gone" + reason});
  // Perhaps it is no backend at all, but it is asked for.
  CHECK(absent_rows_of("backends = ['gone', 'cpu']\nvariants = ['plain']", catalogue()) ==
        Labels{"*@gone" + reason});
}

TEST_CASE("names that a backend may have that is not there are no errors") {
  const auto found = [](const std::string& keys) { return validate(config(keys), without_gone()); };
  CHECK(to_text(found("variants = ['fancy', 'special']\nexpect = { special = 'wrong' }\n"
                      "parameters = { depth = [1], tile = [0], mode = [1] }\nwhere = ['depth > 1']")) ==
        "");
  CHECK(found("expect = { special = 'wrong' }").empty());
  // The sweep wants none of its devices, or names other backends.
  CHECK(has_errors(found("devices = ['cpu:*']\nvariants = ['special']")));
  CHECK(has_errors(found("backends = ['cpu', 'gpu']\nvariants = ['special']")));
  CHECK(has_errors(found("backends = ['cpu']\nparameters = { depth = [1] }")));
  CHECK(has_errors(found("backends = ['cpu']\nexpect = { special = 'wrong' }")));
  // Not a name of a variant or a tunable.
  CHECK(has_errors(found("parameters = { n = [0] }")));
  CHECK(has_errors(found("variants = ['special']\nexpect = { speciel = 'wrong' }")));
  // Nearly the name of something that is there.
  const std::vector<Diagnostic> near = found("variants = ['tiled', 'tield']\nparameters = { tiel = [1] }");
  CHECK_FALSE(has_errors(near));
  REQUIRE(near.size() == 2);
  CHECK(near[0].suggestion == "tiled");
  CHECK_THAT(near[0].message, ContainsSubstring("'gone' might, but is not here"));
}

TEST_CASE("the baseline of a config may be a backend's that is not there") {
  const auto has_errors_with = [](const std::string& backends, const Catalogue& tables) {
    return has_errors(
        validate(parse_config("[experiment]\nname = 'x'\n[compare]\nbaseline = { depth = 1 }\n[[sweep]]\n"
                              "workload = 'grid'\n" +
                                  backends,
                              "x.toml"),
                 tables));
  };
  CHECK_FALSE(has_errors_with("", without_gone()));
  CHECK(has_errors_with("", catalogue()));
  CHECK(has_errors_with("backends = ['cpu']", without_gone()));
}

TEST_CASE("a config's kernel of a backend that is not there is a skipped row, and its tunables are known") {
  const TemporaryDirectory folder;
  static_cast<void>(folder.write("k.cu", "kernel\n"));
  const auto plan = [&](const std::string& sweep) {
    Config own = parse_config(
        "[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'grid'\n" + sweep +
            "\n[[kernel]]\nname = 'mine'\nworkload = 'grid'\nbackend = 'gone'\nsource = 'k.cu'\n"
            "entry = 'go'\ndefines = ['T']\nblock = 'T'\ngrid = 'ceil_div(n, T)'\n",
        "x.toml", {folder.path(), false});
    Catalogue tables = without_gone();
    tables.absent.push_back({"lost", "it is damaged", true});
    add_own_kernels(tables, own);
    CHECK(validate(own, tables).empty());
    Labels labels;
    for (const Point& point : benchctl::expand(own, tables, lanes()).points) {
      if (point.status == Status::skipped) labels.push_back(point.variant + "@" + point.device);
    }
    return labels;
  };
  CHECK(plan("variants = ['mine']\nparameters = { T = [8, 16] }") == Labels{"mine@gone"});
  CHECK(plan("backends = ['gone', 'cpu']\nvariants = ['mine', 'plain']\nparameters = { T = [8] }") ==
        Labels{"mine@gone"});
  CHECK(plan("backends = ['cpu', 'lost']\nvariants = ['plain']") == Labels{"*@lost"});
}
