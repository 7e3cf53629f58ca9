#include "tensor_f64_tilings.hpp"

#include "f64_times.hpp"
#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace benchctl::cuda {

namespace {

/// Rates by whether k and n are even.
struct Row {
  TensorF64Tiling tiling;  ///< with spread = 1: where k or n is odd
  F64Rates even;
  F64Rates odd;
};

/// Measured on an H100, see f64_times.hpp; other GPUs take what is expected by the same rates. Tilings:
/// tile_m, tile_n, warp_m, warp_n, depth, stages, spread, splits, slices, workers. Copies 8 bytes off take
/// instructions, which are in the way unless they are spread; large warps read less of shared memory, but
/// only in slices there are enough of them.
constexpr std::array<Row, 10> rows{{
    {{32, 64, 16, 32, 16, 4}, {381, 412, 436}, {287, 347, 341}},
    {{32, 32, 16, 16, 16, 3, 0, 1, 2}, {296, 321, 323}, {}},
    {{32, 32, 16, 16, 32, 3}, {297, 329, 343}, {270, 290, 288}},
    {{32, 32, 16, 16, 32, 3, 0, 1, 2}, {}, {284}},
    {{32, 64, 16, 32, 16, 4, 0, 1, 2}, {400}, {}},
    {{48, 64, 16, 32, 16, 3, 1, 1, 2}, {}, {357}},
    {{64, 64, 16, 32, 16, 4}, {446, 458}, {389, 441}},
    {{96, 64, 16, 32, 24, 3, 1}, {}, {377}},
    {{64, 128, 32, 32, 16, 3, 0, 1, 2}, {}, {442}},
    // Shared out evenly: quickest where the last turn of others would leave most multiprocessors idle.
    {{64, 128, 16, 32, 16, 4, 0, 1, 1, 1}, {369}, {}},
}};
constexpr F64Overheads overheads{36.7, 22.2, 0.035, 0.509, 0};
/// The first of `rows` is for parts of k, too, where C has few rows: blocks then wait for B.
constexpr std::uint64_t most_strip_rows = 48;
constexpr std::uint64_t least_steps_of_part = 64;
constexpr std::uint64_t most_parts = 16;
constexpr std::string_view measured = "sm_90a";

std::uint64_t tiles(const ProductSize& size, const TensorF64Tiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

/// In shared memory, of rows of `part` doubles out of `length`: congruent to their length modulo 16, or
/// modulo 4 without `lines`, or where that asks for turned sectors and the other operand's length is odd.
std::uint64_t pitch(std::uint64_t part, std::uint64_t length, std::uint64_t other, bool lines) {
  if (!lines) return part + 2 + (length + 2) % 4;
  const std::uint64_t least = part + length % 2;
  const std::uint64_t apart = length % 8 == 0 && other % 2 != 0 ? 4 : length % 16;
  return least + (apart + 512 - least) % 16;
}

std::uint64_t shared_bytes(const ProductSize& size, const TensorF64Tiling& tiling) {
  const std::uint64_t of_a = tiling.tile_m * pitch(tiling.depth, size.k, size.n, tiling.lines != 0);
  const std::uint64_t of_b = tiling.depth * pitch(tiling.tile_n, size.n, size.k, tiling.lines != 0);
  return 8 * tiling.slices * tiling.stages * (of_a + of_b);
}

/// Whether there are more tiles than blocks that run at once, each long enough for two parts. Where
/// compilers have registers for that.
bool shares_out(const ProductSize& size, const TensorF64Tiling& tiling, const ProductDevice& device) {
  return device.architecture == measured && size.k >= 256 &&
         tiles(size, tiling) > tiling.workers * device.compute_units;
}

/// Blocks that may share a tile of the first row, as many as run at once.
std::uint64_t parts_of(const ProductSize& size, const ProductDevice& device) {
  if (size.m > most_strip_rows) return 1;
  const std::uint64_t at_once = 2 * device.compute_units / tiles(size, rows.front().tiling);
  return std::clamp<std::uint64_t>(std::min(size.k / least_steps_of_part, at_once), 1, most_parts);
}

bool are_alike(const TensorF64Tiling& a, const TensorF64Tiling& b) {
  return a.tile_m == b.tile_m && a.tile_n == b.tile_n && a.depth == b.depth && a.slices == b.slices &&
         a.workers == b.workers && gpu::are_about_as_many(a.splits, b.splits);
}

/// A block that need not look for its tile begins sooner.
bool needs_no_bands(const ProductSize& size, const TensorF64Tiling& tiling, const ProductDevice& device) {
  return tiling.workers == 0 && tiling.splits == 1 && tiles(size, tiling) <= device.compute_units;
}

}  // namespace

std::vector<gpu::Ranked<TensorF64Tiling>> rank_tensor_f64_tilings(const ProductDevice& device,
                                                                  const ProductSize& size,
                                                                  std::size_t most) {
  const bool even = size.k % 2 == 0 && size.n % 2 == 0;
  std::vector<gpu::Ranked<TensorF64Tiling>> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows.at(i);
    const F64Rates& rates = even ? row.even : row.odd;
    TensorF64Tiling tiling = row.tiling;
    if (even) tiling.spread = 0;
    // A slice has four slabs at least.
    const bool short_sum = tiling.slices > 1 && size.k < std::uint64_t{4} * tiling.depth * tiling.slices;
    const std::uint64_t bytes = shared_bytes(size, tiling);
    if (rates.front() == 0 || short_sum || bytes > device.shared_bytes) continue;
    if (tiling.workers > 0 && !shares_out(size, tiling, device)) continue;
    for (std::uint64_t splits = 1; splits <= (i == 0 ? parts_of(size, device) : 1); ++splits) {
      tiling.splits = static_cast<std::uint32_t>(splits);
      const F64Form form{tiling.tile_m, tiling.tile_n, tiling.depth,
                         tiling.splits, bytes,         tiling.workers > 0};
      // Elsewhere small tiles may be all that shared memory has room for.
      if (device.architecture == measured && !within_measured(size, form, device)) continue;
      found.push_back({tiling, expected_f64_ns(size, form, rates, overheads, device)});
    }
  }
  if (found.empty()) found.push_back({rows.front().tiling, std::numeric_limits<double>::max()});
  std::vector<gpu::Ranked<TensorF64Tiling>> ranked = gpu::rank(std::move(found), most, are_alike);
  for (gpu::Ranked<TensorF64Tiling>& next : ranked) {
    if (needs_no_bands(size, next.form, device)) next.form.band = 0;
  }
  return ranked;
}

TensorF64Tiling choose_tensor_f64_tiling(const ProductDevice& device, const ProductSize& size) {
  return rank_tensor_f64_tilings(device, size, 1).front().form;
}

KernelPlan plan_tensor_f64(const ProblemSpec& problem, const ProductSize& size,
                           const TensorF64Tiling& tiling, std::uint64_t compute_units,
                           const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t blocks =
      tiling.workers == 0 ? tile_count : std::min(tile_count, tiling.workers * compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? blocks
                              : tiling.splits > 1 ? tile_count * tiling.splits
                                                  : 0;
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f64, std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n), false},
      {"finished", DType::u32, tile_count, false}};
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_tensor_f64.cu").lexically_normal().string();
  launch.entry = "matmul_tensor_f64";
  launch.defines = {{"TILE_M", std::to_string(tiling.tile_m)}, {"TILE_N", std::to_string(tiling.tile_n)},
                    {"WARP_M", std::to_string(tiling.warp_m)}, {"WARP_N", std::to_string(tiling.warp_n)},
                    {"DEPTH", std::to_string(tiling.depth)},   {"STAGES", std::to_string(tiling.stages)},
                    {"SPREAD", std::to_string(tiling.spread)}, {"SPLITS", std::to_string(tiling.splits)},
                    {"SLICES", std::to_string(tiling.slices)}, {"EVEN", tiling.workers == 0 ? "0" : "1"},
                    {"BAND", std::to_string(tiling.band)},     {"LINES", std::to_string(tiling.lines)},
                    {"K_MODULO", std::to_string(size.k % 16)}, {"N_MODULO", std::to_string(size.n % 16)}};
  launch.block = {tiling.tile_m / tiling.warp_m * (tiling.tile_n / tiling.warp_n) * 32, tiling.slices, 1};
  launch.grid = {blocks, tiling.splits, 1};
  if (tiling.band == 0) launch.grid = {ceil_div(size.n, tiling.tile_n), ceil_div(size.m, tiling.tile_m), 1};
  launch.shared_bytes = shared_bytes(size, tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const TensorF64Tiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.warp_m) + "x" + number(tiling.warp_n) + ", " + number(tiling.stages) +
         " stages, copies " + (tiling.spread != 0 ? "spread" : "together") + ", " + number(tiling.splits) +
         " parts, " + number(tiling.slices) + " slices" +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "") +
         (tiling.band == 0 ? ", no bands" : "") + (tiling.lines == 0 ? ", pitches modulo 4" : "");
}

}  // namespace benchctl::cuda
