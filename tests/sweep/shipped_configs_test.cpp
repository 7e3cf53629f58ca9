// The configs and tuning tables that come with the program.
#include "config/tuning_file.hpp"
#include "engine/host.hpp"
#include "model/point.hpp"
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"
#include "support/paths.hpp"
#include "sweep/usual_lanes.hpp"
#include "sweep/validate.hpp"

#include <filesystem>
#include <optional>

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

TEST_CASE("every shipped config suits the shipped plugins, and published figures have points beside them") {
  const PluginHost plugins = PluginHost::load({plugin_directory()});
  for (const char* backend : {"cuda", "opencl", "cpu_avx"}) {
    if (plugins.find(backend) == nullptr) SKIP("no plugin " << backend);
  }
  const Catalogue tables = make_catalogue(loaded_plugins(plugins));
  std::vector<std::filesystem::path> folders{config_directory()};
  // Configs of limits name variants of CUB and of Vulkan.
  if (tables.find("cuda")->find_variant("reduce", "vendor") != nullptr && plugins.find("vulkan") != nullptr)
    folders.push_back(config_directory() / "limits");
  for (const auto& folder : folders) {
    const auto files = config_files(folder);
    CHECK(!files.empty());
    for (const auto& file : files) {
      INFO(file.string());
      const Config config = load_config(file);
      CHECK(config.experiment.name == file.stem().string());
      CHECK(text_of(validate(config, tables)) == "");
      if (config.published.empty()) continue;
      const Expansion expansion = benchctl::expand(config, tables, with_gpu());
      for (const PublishedEntry& entry : config.published) {
        INFO(entry.figures.source);
        CHECK(compared(entry.figures, expansion, with_gpu(), "cuda:0") == entry.figures.values.size());
      }
    }
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

// A choice leaves out what it does not know: a renamed tunable would cost it its table without a word.
TEST_CASE("tuning tables name variants and tunables that there are") {
  for (const char* name : {"cuda", "opencl", "vulkan", "cpu_avx"}) {
    Backend* plugin = plugin_backend(name);
    if (plugin == nullptr) continue;
    for (const TuningTable& table : load_tunings(tree_root() / "share/benchctl/tunings", name)) {
      for (const TunedClass& tuned : table.classes) {
        const VariantInfo& choice = variant_of(*plugin, table.workload, tuned.choice);
        for (const Configuration& one : tuned.configurations) {
          CAPTURE(name, table.architecture, to_text(tuned.problem), one.variant);
          CHECK(std::ranges::find(choice.among, one.variant) != choice.among.end());
          const VariantInfo& variant = variant_of(*plugin, table.workload, one.variant);
          for (const auto& [tunable, value] : one.tunables) {
            CAPTURE(tunable);
            const auto found = std::ranges::find(variant.tunables, tunable, &TunableInfo::name);
            REQUIRE(found != variant.tunables.end());
            CHECK(found->default_value.index() == value.index());
          }
        }
      }
    }
  }
}
