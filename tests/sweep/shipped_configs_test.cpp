// The configs that come with the program.
#include "engine/host.hpp"
#include "model/point_match.hpp"
#include "support/paths.hpp"
#include "sweep/usual_lanes.hpp"
#include "sweep/validate.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string text_of(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_text(diagnostic) + '\n';
  return text;
}

/// Values of the axis of a published series for which `device` has a point to measure.
std::size_t compared(const Published& published, const Expansion& expansion, const LaneTable& lanes,
                     const std::string& device) {
  std::set<std::size_t> places;
  for (const Point& point : expansion.points) {
    if (point.status != Status::not_run || point.device != device) continue;
    const DeviceType type = find_lane(lanes, point.device)->device.type;
    const bool matching = matches(point, published.match, type);
    for (std::size_t i = 0; matching && i < published.values.size(); ++i) {
      if (value_at(point, published.axis, type) == std::optional<Value>(published.values[i].first)) {
        places.insert(i);
      }
    }
  }
  return places.size();
}

}  // namespace

TEST_CASE("every shipped config suits the shipped plugins, and its lanes have a problem in common") {
  const PluginHost plugins = PluginHost::load({plugin_directory()});
  for (const char* backend : {"cuda", "opencl", "cpu_avx"}) {
    if (plugins.find(backend) == nullptr) SKIP("no plugin " << backend);
  }
  const Catalogue tables = make_catalogue(loaded_plugins(plugins));
  const auto files = config_files(config_directory());
  CHECK(files.size() >= 13);
  for (const auto& file : files) {
    INFO(file.string());
    const Config config = load_config(file);
    CHECK(config.experiment.name == file.stem().string());
    CHECK(text_of(validate(config, tables)) == "");
    for (const bool gpu : {false, true}) {
      INFO((gpu ? "with a GPU" : "without a GPU"));
      const LaneTable lanes = gpu ? with_gpu() : processor_only();
      const Expansion expansion = benchctl::expand(config, tables, lanes);
      INFO(text_of(expansion.warnings));
      CHECK(expansion.warnings.empty());
      std::set<std::size_t> sweeps;
      for (const Point& point : expansion.points) {
        if (point.status == Status::not_run) sweeps.insert(point.sweep);
      }
      // A sweep of GPUs' variants has nothing to do without one, but no config is empty. `apis` compares
      // APIs of GPUs.
      const bool of_gpus = file.stem() == "apis" || file.stem() == "control";
      CHECK(sweeps.size() >= (gpu ? config.sweeps.size() : of_gpus ? 0 : 1));
      if (!gpu) continue;
      for (const PublishedEntry& entry : config.published) {
        INFO(entry.figures.source);
        CHECK(compared(entry.figures, expansion, lanes, "cuda:0") == entry.figures.values.size());
      }
    }
  }
}

TEST_CASE(
    "the configs of limits suit the shipped plugins, and every sweep of theirs has something to measure") {
  const PluginHost plugins = PluginHost::load({plugin_directory()});
  for (const char* backend : {"cuda", "opencl", "cpu_avx", "vulkan"}) {
    if (plugins.find(backend) == nullptr) SKIP("no plugin " << backend);
  }
  const Catalogue tables = make_catalogue(loaded_plugins(plugins));
  const BackendEntry* cuda = tables.find("cuda");
  REQUIRE(cuda != nullptr);
  const bool has_cub = std::ranges::any_of(cuda->variants, [](const VariantInfo& variant) {
    return variant.workload == "reduce" && variant.name == "vendor";
  });
  if (!has_cub) SKIP("the plugin cuda was built without CUB");
  LaneTable lanes = with_gpu();
  lanes.push_back({"vulkan", {usual_lane("vulkan", "0", DeviceType::gpu)}, {}});
  const auto files = config_files(config_directory() / "limits");
  CHECK(!files.empty());
  for (const auto& file : files) {
    INFO(file.string());
    const Config config = load_config(file);
    CHECK(config.experiment.name == file.stem().string());
    CHECK(text_of(validate(config, tables)) == "");
    std::set<std::size_t> sweeps;
    for (const Point& point : benchctl::expand(config, tables, lanes).points) {
      if (point.status == Status::not_run) sweeps.insert(point.sweep);
    }
    CHECK(sweeps.size() == config.sweeps.size());
  }
}

TEST_CASE("without a GPU the tour's points take less than ten minutes, with one GPU the same") {
  const PluginHost plugins = PluginHost::load({plugin_directory()});
  for (const char* backend : {"cuda", "opencl", "cpu_avx"}) {
    if (plugins.find(backend) == nullptr) SKIP("no plugin " << backend);
  }
  const Config tour = load_config(config_directory() / "all.toml");
  const Catalogue tables = make_catalogue(loaded_plugins(plugins));
  std::set<std::string> workloads;
  for (const bool gpu : {false, true}) {
    double seconds = 0;
    for (const Point& point : benchctl::expand(tour, tables, gpu ? with_gpu() : processor_only()).points) {
      if (point.status == Status::not_run) seconds += point.measure.max_seconds;
      workloads.insert(point.workload);
    }
    INFO((gpu ? "with a GPU" : "without a GPU"));
    CHECK(seconds < 300);  // as much again for the roofs, for making problems and for verifying
  }
  for (const std::filesystem::path& file : config_files(config_directory())) {
    for (const Sweep& sweep : load_config(file).sweeps) {
      INFO(file << ": " << sweep.workload.text);
      CHECK(workloads.contains(sweep.workload.text));
    }
  }
}
