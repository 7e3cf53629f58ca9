// Published figures and roofs beside ours, character by character.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/fixtures.hpp"
#include "report/table.hpp"
#include "report/text_width.hpp"

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

Published tile_figures() {
  Published published;
  published.source = "an article";
  published.hardware = "an old card";
  published.unit = "ms";
  published.match = {{"workload", std::string("matmul")}, {"variant", std::string("tiled")}};
  published.axis = "tile";
  published.values = {{std::int64_t{2}, 3464}, {std::int64_t{4}, 523}, {std::int64_t{16}, 52}};
  published.relative_to = std::int64_t{16};
  return published;
}

}  // namespace

TEST_CASE("published ratios stand beside those that were measured") {
  const auto rows = rows_of({with_tile(measured("gpu:0", "tiled", 8e6, 100), 2),
                             with_tile(measured("gpu:0", "tiled", 1e6, 100), 16),
                             with_tile(measured("gpu:0", "naive", 5, 1), 16),
                             with_tile(measured("cpu:0", "tiled", 1e6, 100), 16)});
  CHECK(published_tables({tile_figures()}, rows, {}, {}) ==
        "published: an article, on an old card\n"
        "measured on                              tile  published, ms  published ratio  measured  measured "
        "ratio\n"
        "gpu:0 tiled basis=device dtype=f32 n=64  2              3464            66.6×  8.000 ms           "
        "8.00×\n"
        "                                         16            52.00            1.00×  1.000 ms           "
        "1.00×\n"
        "\n");
}

TEST_CASE("a described device has the times that its slowest part takes") {
  const DescribedDevice device{4, 1000, 48, 64, 32, 28.8};
  CHECK(least_ns({384'000, 0, 0, 0}, device) == 1000);  // 4 · 48 multiply-adds a clock of 1 ns
  CHECK(least_ns({384'000, 28.8 * 2000, 0, 0}, device) == 2000);
  CHECK(least_ns({384'000, 0, 32 * 3000, 0}, device) == 3000);
  CHECK(least_ns({384'000, 0, 0, 256 * 4000}, device) == 4000);
  CHECK(std::isnan(
      least_ns({384'000, 0, 0, 0}, {4, 1000, 0, 0, 0, 28.8})));  // nothing that it needs is known
}

TEST_CASE("what is predicted for described hardware stands between published and measured figures") {
  Published published = tile_figures();
  published.device = DescribedDevice{4, 1000, 48, 64, 32, 28.8};
  std::vector<StoredPoint> points{with_tile(measured("gpu:0", "tiled", 8e6, 100), 2),
                                  with_tile(measured("gpu:0", "tiled", 1e6, 100), 16)};
  points[0].resources["shared_bytes"] = 256 * 5e6;
  points[1].resources["shared_bytes"] = 256 * 2e6;
  CHECK(published_from_json(to_json(published)) == published);
  CHECK_THAT(published_tables({published}, rows_of(points), {}, {}),
             ContainsSubstring("published ratio  predicted there  predicted ratio  measured") &&
                 ContainsSubstring("5.000 ms            2.50×  8.000 ms") &&
                 ContainsSubstring("2.000 ms            1.00×  1.000 ms"));
  // With too little room what can be missed is left out: no line is longer, no figure broken.
  const std::string narrow = published_tables({published}, rows_of(points), {}, {.width = 80});
  CHECK_THAT(narrow, ContainsSubstring("(not in 80 columns: predicted there"));
  std::istringstream lines(narrow);
  for (std::string line; std::getline(lines, line);) CHECK(columns_of(line) <= 80);
}

TEST_CASE("what does not match, or stands alone, has no table") {
  const auto alone = rows_of({with_tile(measured("gpu:0", "tiled", 8e6, 100), 2)});
  CHECK(published_tables({tile_figures()}, alone, {}, {}).empty());
  Published other = tile_figures();
  other.match["device_type"] = std::string("gpu");
  const auto pair = rows_of({with_tile(measured("gpu:0", "tiled", 8e6, 100), 2),
                             with_tile(measured("gpu:0", "tiled", 8e6, 100), 4)});
  CHECK(published_tables({other}, pair, {{"gpu:0", DeviceType::cpu}}, {}).empty());
  CHECK_THAT(published_tables({other}, pair, {{"gpu:0", DeviceType::gpu}}, {}), ContainsSubstring("523"));
}

TEST_CASE("variants are compared across their own tunables, the fastest of each") {
  Published published = tile_figures();
  published.match = {{"workload", std::string("matmul")}};
  published.axis = "variant";
  published.values = {{std::string("naive"), 1.38}, {std::string("tiled"), 1}};
  published.relative_to = std::string("tiled");
  const auto rows =
      rows_of({measured("gpu:0", "naive", 3e6, 1), with_tile(measured("gpu:0", "tiled", 9e6, 1), 2),
               with_tile(measured("gpu:0", "tiled", 2e6, 1), 16)});
  CHECK_THAT(published_tables({published}, rows, {}, {}),
             ContainsSubstring("1.38×") && ContainsSubstring("1.50×"));
}

TEST_CASE("roofs are listed by device") {
  CHECK(roof_table({}, {}).empty());
  CHECK(roof_table({{"gpu:0", "dram_copy", 3.02e12, PointId{1}}, {"gpu:0", "fma_f32", 51.5e12, PointId{2}}},
                   {}) ==
        "roofs used\n"
        "device  roof            measured\n"
        "gpu:0   dram_copy      3020 GB/s\n"
        "gpu:0   fma_f32    51500 GFLOP/s\n"
        "\n");
  CHECK(roof_table({{"gpu:0", "dram_copy", 3.02e12, PointId{1}, 2.99e12, 3.05e12, 1980},
                    {"gpu:0", "fma_f32", 51.5e12, PointId{2}}},
                   {}) ==
        "roofs used\n"
        "device  roof            measured       ±     clock\n"
        "gpu:0   dram_copy      3020 GB/s  0.99 %  1980 MHz\n"
        "gpu:0   fma_f32    51500 GFLOP/s\n"
        "\n");
}

TEST_CASE("a sweep over a problem parameter is one table, with what was predicted") {
  std::vector<StoredPoint> points;
  for (const std::int64_t n : {1, 2, 4}) {
    StoredPoint point = measured("gpu:0", "strided", 1000.0 * static_cast<double>(n), 10);
    point.row.point.problem.set("n", n);
    point.row.cost = {.bytes_read = 500, .bytes_written = 500};
    point.resources = {{"predicted_ns", 500.0 * static_cast<double>(n)},
                       {"sector_efficiency", 1.0 / static_cast<double>(n)},
                       {"roof_fraction", 0.5}};
    points.push_back(point);
  }
  CHECK(problem_tables(rows_of(points), {}) ==
        "matmul  dtype=f32\n"
        "time on the device (basis device); cache hot, launch stream\n"
        "#  device  problem  variant    median       ±    GB/s  of roof  predicted  vs predicted  sector "
        "use\n"
        "0  gpu:0   n=1      strided  1.000 µs   1.0 %   1.000     50 %   500.0 ns         2.00×       100 "
        "%\n"
        "1  gpu:0   n=2      strided  2.000 µs  0.50 %  0.5000     50 %   1.000 µs         2.00×        50 "
        "%\n"
        "2  gpu:0   n=4      strided  4.000 µs  0.25 %  0.2500     50 %   2.000 µs         2.00×        25 "
        "%\n"
        "\n");
}

TEST_CASE("words that look like other parameters do not unite series") {
  StoredPoint one = with_tile(measured("gpu:0", "tiled", 8e6, 100), 2);
  StoredPoint other = with_tile(measured("gpu:0", "tiled", 1e6, 100), 16);
  one.row.point.tunables = {{"a", std::string("x b=y")}, {"b", std::string("z")}};
  other.row.point.tunables = {{"a", std::string("x")}, {"b", std::string("y b=z")}};
  CHECK(published_tables({tile_figures()}, rows_of({one, other}), {}, {}).empty());
}
