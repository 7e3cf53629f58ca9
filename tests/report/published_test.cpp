// Published figures and roofs beside ours.
#include "report/stored_run.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

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

TEST_CASE("published ratios stand beside those that were measured, of rows that match alone") {
  const auto rows = rows_of({with_tile(measured("gpu:0", "tiled", 8e6, 100), 2),
                             with_tile(measured("gpu:0", "tiled", 1e6, 100), 16),
                             with_tile(measured("gpu:0", "naive", 5, 1), 16),
                             with_tile(measured("cpu:0", "tiled", 1e6, 100), 16)});
  const std::string text = published_tables({tile_figures()}, rows, {}, {});
  CHECK_THAT(text, HasAll({"66.6×", "8.000 ms           8.00×\n", "1.000 ms           1.00×\n"}) &&
                       !ContainsSubstring("naive") && !ContainsSubstring("cpu:0"));
}

TEST_CASE("what does not match, or stands alone, has no table") {
  const auto alone = rows_of({with_tile(measured("gpu:0", "tiled", 8e6, 100), 2)});
  CHECK(published_tables({tile_figures()}, alone, {}, {}).empty());
  Published other = tile_figures();
  other.match["device_type"] = std::string("gpu");
  const auto pair = rows_of({with_tile(measured("gpu:0", "tiled", 8e6, 100), 2),
                             with_tile(measured("gpu:0", "tiled", 8e6, 100), 4)});
  CHECK(published_tables({other}, pair, {lane_of("gpu:0", "Card", DeviceType::cpu)}, {}).empty());
  CHECK_THAT(published_tables({other}, pair, {lane_of("gpu:0", "Card")}, {}), ContainsSubstring("523"));
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
  CHECK_THAT(published_tables({published}, rows, {}, {}), HasAll({"1.38×", "1.50×"}));
}

TEST_CASE("roofs are listed by device, with interval and clock where these are known") {
  CHECK(roof_table({}, {}).empty());
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
  std::vector<Result> points;
  for (const std::int64_t n : {1, 2, 4}) {
    Result point = measured("gpu:0", "strided", 1000.0 * static_cast<double>(n), 10);
    point.row.point.problem.set("n", n);
    point.row.cost = {.bytes_read = 500, .bytes_written = 500};
    point.resources = {{"predicted_ns", 500.0 * static_cast<double>(n)},
                       {"sector_efficiency", 1.0 / static_cast<double>(n)},
                       {"roof_fraction", 0.5}};
    points.push_back(point);
  }
  CHECK_THAT(problem_tables(rows_of(points), {}),
             HasAll({"of roof  predicted  vs predicted  sector use\n",
                     "0  n=1      strided  1.000 µs   0.990–1.01   1.000     50 %   500.0 ns         2.00× "
                     "      100 %\n",
                     "2  n=4      strided  4.000 µs  3.990–4.010  0.2500     50 %   2.000 µs         2.00× "
                     "       25 %\n"}));
}

TEST_CASE("words that look like other parameters do not unite series") {
  Result one = with_tile(measured("gpu:0", "tiled", 8e6, 100), 2);
  Result other = with_tile(measured("gpu:0", "tiled", 1e6, 100), 16);
  one.row.point.tunables = {{"a", std::string("x b=y")}, {"b", std::string("z")}};
  other.row.point.tunables = {{"a", std::string("x")}, {"b", std::string("y b=z")}};
  CHECK(published_tables({tile_figures()}, rows_of({one, other}), {}, {}).empty());
}
