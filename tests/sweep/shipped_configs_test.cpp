// The configs that come with the program.
#include "engine/host.hpp"
#include "fixtures.hpp"
#include "model/point_match.hpp"
#include "support/paths.hpp"
#include "sweep/validate.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

using namespace benchctl;
using namespace benchctl::test;

namespace {

VariantInfo matmul(const std::string& name, std::vector<TunableInfo> tunables = {}) {
  VariantInfo info = variant(name, std::move(tunables));
  info.workload = "matmul";
  return info;
}

/// The backends' variants of matmul, as far as the sweep speaks of them.
Catalogue shipped() {
  const TunableInfo tile = tunable("tile", std::int64_t{16}, {"tile >= 1"});
  Catalogue tables;
  tables.backends = {
      {"cuda",
       {matmul("naive"), matmul("tiled", {tile}), matmul("tiled_as_published", {tile}), matmul("vendor")},
       "",
       false},
      {"opencl",
       {matmul("naive"), matmul("tiled", {tile}), matmul("tiled_as_published", {tile}), matmul("vendor")},
       "",
       false},
      {"vulkan",
       {matmul("naive"), matmul("tiled", {tile}), matmul("tiled_as_published", {tile})},
       "",
       false},
      {"cpu_avx",
       {matmul("naive"), matmul("naive_mt"), matmul("tiled", {tile}), matmul("avx2"), matmul("avx512"),
        matmul("vendor")},
       "",
       false}};
  return tables;
}

/// The configs of a folder.
std::vector<std::filesystem::path> config_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string text_of(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_text(diagnostic) + '\n';
  return text;
}

/// A lane with the limits that most devices of its kind have.
Lane usual_lane(const std::string& backend, const std::string& id, DeviceType type) {
  Lane result = lane(backend, id, type);
  const bool gpu = type == DeviceType::gpu;
  const std::uint64_t gibibyte = std::uint64_t{1} << 30;
  result.device.compute_units = gpu ? 100 : 2;
  result.device.max_batch = 64;
  result.device.last_level_cache_bytes = std::uint64_t{40} << 20;
  result.device.limits.memory_bytes = (gpu ? 24 : 8) * gibibyte;
  result.device.limits.max_allocation_bytes = (gpu ? 6 : 2) * gibibyte;
  result.device.limits.local_memory_bytes = 49152;
  result.device.limits.max_block_threads = gpu ? 1024 : 4096;
  if (backend == "cpu_avx") {
    result.device.limits.local_memory_bytes = 0;
    result.device.limits.max_block_threads = 0;
    result.device.features = {"avx2", "fma", "avx512f"};
  }
  result.device.memory.warp = gpu ? 32 : 0;
  if (backend == "opencl" && gpu) result.device.features = {"cp_async"};  // as NVIDIA's have
  if (backend == "cuda") {
    result.device.features = {"mma_sync", "wgmma"};
    result.device.limits.local_memory_bytes = 99 * 1024;  // the least of all that have mma_sync
  }
  return result;
}

LaneTable processor_only() {
  return {{"cuda", {}, "no driver"},
          {"opencl", {usual_lane("opencl", "pocl:0", DeviceType::cpu)}, {}},
          {"cpu_avx", {usual_lane("cpu_avx", "0", DeviceType::cpu)}, {}}};
}

LaneTable with_gpu() {
  return {
      {"cuda", {usual_lane("cuda", "0", DeviceType::gpu)}, {}},
      {"opencl",
       {usual_lane("opencl", "gpu:0", DeviceType::gpu), usual_lane("opencl", "pocl:0", DeviceType::cpu)},
       {}},
      {"cpu_avx", {usual_lane("cpu_avx", "0", DeviceType::cpu)}, {}}};
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

std::set<std::int64_t> measured_sizes(const Expansion& expansion, const std::string& device) {
  std::set<std::int64_t> result;
  for (const Point& point : expansion.points) {
    if (point.device != device || point.status != Status::not_run) continue;
    result.insert(std::get<std::int64_t>(point.problem.at("n")));
  }
  return result;
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

TEST_CASE("the tile sweep gives processors small sizes and every lane one size in common") {
  const Config sweep = load_config(config_directory() / "tile_sweep.toml");
  CHECK(validate(sweep, shipped()).empty());
  const LaneTable table{
      {"cuda", {lane("cuda", "0", DeviceType::gpu)}, {}},
      {"opencl", {lane("opencl", "gpu:0", DeviceType::gpu), lane("opencl", "pocl:0", DeviceType::cpu)}, {}},
      {"cpu_avx", {lane("cpu_avx", "0", DeviceType::cpu)}, {}}};
  const Expansion expansion = benchctl::expand(sweep, shipped(), table);
  CHECK(expansion.warnings.empty());
  for (const char* device : {"cuda:0", "opencl:gpu:0"}) {
    CHECK(measured_sizes(expansion, device) == std::set<std::int64_t>{512, 1024, 2048, 4096});
  }
  for (const char* device : {"opencl:pocl:0", "cpu_avx:0"}) {
    CHECK(measured_sizes(expansion, device) == std::set<std::int64_t>{256, 512});
  }
  // naive, five tiles, vendor, at one size five tiles as published; cpu_avx has naive_mt, avx2 and avx512
  // besides.
  CHECK(std::ranges::count(expansion.points, "cuda:0", &Point::device) == 4 * 7 + 5);
  CHECK(std::ranges::count(expansion.points, "opencl:pocl:0", &Point::device) == 2 * 7 + 5);
  CHECK(std::ranges::count(expansion.points, "cpu_avx:0", &Point::device) == 2 * 10);
}

TEST_CASE("without a GPU the tile sweep's points take half a minute, verification aside") {
  const Config sweep = load_config(config_directory() / "tile_sweep.toml");
  const LaneTable table{{"cuda", {}, "no driver"},
                        {"opencl", {lane("opencl", "pocl:0", DeviceType::cpu)}, {}},
                        {"cpu_avx", {lane("cpu_avx", "0", DeviceType::cpu)}, {}}};
  double seconds = 0;
  for (const Point& point : benchctl::expand(sweep, shipped(), table).points) {
    if (point.status == Status::not_run) seconds += point.measure.max_seconds;
    if (point.backend == "cuda") CHECK(point.reason == "no device: no driver");
  }
  CHECK(seconds == 34);
}
