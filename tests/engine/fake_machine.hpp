// The scripted plugin in this process, driven by the coordinator: one point of it is measured as `run`
// does.
#pragma once

#include "engine/coordinator.hpp"
#include "engine/host.hpp"
#include "store/store.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/silent_progress.hpp"
#include "sweep/expand.hpp"
#include "sweep/validate.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace benchctl::test {

/// How many configurations each `prepare` was asked to try.
using Counts = std::vector<std::size_t>;

class ListeningFactory : public ChannelFactory {
 public:
  ListeningFactory(const PluginHost& plugins, Counts& tried) : local_(plugins), tried_(tried) {}
  [[nodiscard]] std::unique_ptr<Channel> start(const std::vector<std::filesystem::path>& none) override {
    return std::make_unique<Listening>(local_.start(none), tried_);
  }

 private:
  class Listening : public Channel {
   public:
    Listening(std::unique_ptr<Channel> channel, Counts& tried)
        : channel_(std::move(channel)), tried_(tried) {}
    nlohmann::json call(Verb verb, const nlohmann::json& arguments,
                        std::chrono::duration<double> timeout) override {
      if (verb == Verb::prepare) tried_.push_back(arguments.at("configurations").size());
      return channel_->call(verb, arguments, timeout);
    }

   private:
    std::unique_ptr<Channel> channel_;
    Counts& tried_;
  };

  LocalChannelFactory local_;
  Counts& tried_;
};

struct FakeMachine {
  PluginHost host = PluginHost::load({test_plugin_directory()});
  PluginTable plugins = loaded_plugins(host);
  Catalogue catalogue = make_catalogue(plugins);
  Counts tried;
  ListeningFactory factory{host, tried};
  LaneTable lanes = probe_lanes(plugins, factory, {"fake"}, 10);
  TemporaryDirectory folder;

  BackendEntry& backend() {
    for (BackendEntry& entry : catalogue.backends) {
      if (entry.name == "fake") return entry;
    }
    throw std::logic_error("no backend 'fake'");
  }
  [[nodiscard]] std::vector<Point> points(const std::string& variant, const std::string& parameters,
                                          const std::string& measure = {}) {
    config = parse_config(
        fake_config("variants = [\"" + variant + "\"]", parameters, "seed = 1\n" + measure), "fake.toml");
    REQUIRE_FALSE(has_errors(validate(config, catalogue)));
    return expand(config, catalogue, lanes).points;
  }
  /// Its only point, measured.
  StoredPoint measure(const std::string& variant, const std::string& parameters,
                      const std::string& settings = {}) {
    setenv("BENCHCTL_LOCK_FILE", (folder.path() / "lock").c_str(), 1);
    static_cast<void>(points(variant, parameters, settings));
    tried.clear();
    RunOptions options;
    options.store = folder.path() / "store.db";
    options.folder = folder.path();
    options.offline_compile = false;
    SilentProgress progress;
    const RunOutcome outcome = run_points(config, expand(config, catalogue, lanes), lanes, catalogue,
                                          plugins, factory, options, progress);
    std::vector<StoredPoint> results =
        Store::open(options.store, Store::Access::read_only).results(outcome.run);
    REQUIRE(results.size() == 1);
    return std::move(results.front());
  }
  Config config;
};

}  // namespace benchctl::test
