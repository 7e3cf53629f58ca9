// The scripted plugin in this process, driven by the coordinator: one point of it is measured as `run`
// does.
#pragma once

#include "engine/coordinator.hpp"
#include "engine/host.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/scripted_channel.hpp"
#include "sweep/expand.hpp"
#include "sweep/validate.hpp"

#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

namespace benchctl::test {

/// How many candidates each `prepare` was asked to try.
using Counts = std::vector<std::size_t>;

struct FakeMachine {
  PluginHost host = PluginHost::load({test_plugin_directory()});
  PluginTable plugins = loaded_plugins(host);
  Catalogue catalogue = make_catalogue(plugins);
  Counts tried;
  /// Changes the plugin's answers to calls.
  std::function<nlohmann::json(Verb verb, const nlohmann::json& arguments, nlohmann::json answer)> script;
  ScriptedFactory factory{host, [this] {
                            return [this](Verb verb, const nlohmann::json& arguments, const auto& pass) {
                              if (verb == verbs::Prepare::verb)
                                tried.push_back(arguments.at("candidates").size());
                              return script ? script(verb, arguments, pass()) : pass();
                            };
                          }};
  LaneTable lanes = probe_lanes(plugins, factory, {"fake"}, 10);
  TemporaryDirectory folder;

  BackendEntry& backend() {
    for (BackendEntry& entry : catalogue.backends) {
      if (entry.name == "fake") return entry;
    }
    throw std::logic_error("no backend 'fake'");
  }
  void configure(const std::string& text) {
    config = parse_config(text, "fake.toml");
    REQUIRE_FALSE(has_errors(validate(config, catalogue)));
  }
  [[nodiscard]] std::vector<Point> points(const std::string& variant, const std::string& parameters,
                                          const std::string& measure = {}) {
    configure(fake_config(list_of({variant}), parameters, "seed = 1\n" + measure));
    return expand(config, catalogue, lanes).points;
  }
  [[nodiscard]] RunOptions options() const {
    RunOptions options;
    options.store = folder.path() / "store.db";
    options.folder = folder.path();
    options.offline_compile = false;
    return options;
  }
  /// Measures what was configured.
  RunOutcome run(const RunOptions& options, Progress& progress) {
    setenv("BENCHCTL_LOCK_FILE", (folder.path() / "lock").c_str(), 1);
    return run_points(config, expand(config, catalogue, lanes), lanes, catalogue, plugins, factory, options,
                      progress);
  }
  [[nodiscard]] Store store() const { return Store::open(options().store, Store::Access::read_only); }
  /// Its only point, measured.
  Result measure(const std::string& variant, const std::string& parameters,
                 const std::string& settings = {}) {
    static_cast<void>(points(variant, parameters, settings));
    tried.clear();
    Progress progress;
    const RunOutcome outcome = run(options(), progress);
    std::vector<Result> results = store().results(outcome.run);
    REQUIRE(results.size() == 1);
    return std::move(results.front());
  }
  Config config;
};

}  // namespace benchctl::test
