// The configs that come with the program.
#include "fixtures.hpp"
#include "support/paths.hpp"
#include "sweep/validate.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
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
  tables.backends = {{"cuda", {matmul("naive"), matmul("tiled", {tile}), matmul("vendor")}, "", false},
                     {"opencl", {matmul("naive"), matmul("tiled", {tile}), matmul("vendor")}, "", false},
                     {"cpu_avx",
                      {matmul("naive"), matmul("naive_mt"), matmul("tiled", {tile}), matmul("avx2"),
                       matmul("avx512"), matmul("vendor")},
                      "",
                      false}};
  return tables;
}

std::set<std::int64_t> sizes(const Expansion& expansion, const std::string& device) {
  std::set<std::int64_t> result;
  for (const Point& point : expansion.points) {
    if (point.device == device) result.insert(std::get<std::int64_t>(point.problem.at("n")));
  }
  return result;
}

}  // namespace

TEST_CASE("every shipped config can be read") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(config_directory())) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path().string());
    CHECK_NOTHROW(load_config(entry.path()));
    ++count;
  }
  CHECK(count >= 1);
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
    CHECK(sizes(expansion, device) == std::set<std::int64_t>{512, 1024, 2048, 4096});
  }
  for (const char* device : {"opencl:pocl:0", "cpu_avx:0"}) {
    CHECK(sizes(expansion, device) == std::set<std::int64_t>{256, 512});
  }
  // naive, five tiles, vendor; cpu_avx has naive_mt, avx2 and avx512 besides.
  CHECK(std::ranges::count(expansion.points, "cuda:0", &Point::device) == 4 * 7);
  CHECK(std::ranges::count(expansion.points, "opencl:pocl:0", &Point::device) == 2 * 7);
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
