#include "skinny_forms.hpp"

#include "gpu/joined_product.hpp"

#include <algorithm>

namespace benchctl::cuda {

namespace {

constexpr std::uint64_t pack_bytes = 16;
constexpr std::uint64_t run_bytes = 32 * pack_bytes;
/// What a lane's sums may take of its registers.
constexpr std::uint64_t most_sum_bytes = 512;
constexpr std::uint64_t most_warps = 8;
constexpr std::uint64_t most_rows_of_warp = 4;
/// Blocks that a multiprocessor should have, so that enough reads are under way.
constexpr std::uint64_t blocks_per_unit = 4;
/// No more parts than multiprocessors: one block adds up all of them. Parts of k are multiples of so many
/// steps where rows are few; a run where columns are.
constexpr std::uint64_t grain_of_rows = 32;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t whole_packs(std::uint64_t bytes) { return ceil_div(bytes, pack_bytes) * pack_bytes; }

/// Static shared memory of a block.
std::uint64_t shared_bytes(const SkinnyForm& form, std::uint64_t element) {
  const std::uint64_t run = run_bytes / element;
  const std::uint64_t width = pack_bytes / element;
  const std::uint64_t last = form.splits > 1 ? pack_bytes : 0;
  if (form.by_columns) {
    return whole_packs(form.warps * form.rows * form.columns * element) +
           form.columns * (2 * run + width) * element + last;
  }
  const std::uint64_t packs = ceil_div(form.rows, width) | 1U;
  const std::uint64_t parts = most_warps * 4 * run * element;
  return form.rows * run * element + 128 * packs * pack_bytes + parts + last;
}

std::uint64_t outputs_of_block(const SkinnyForm& form, std::uint64_t element) {
  return form.by_columns ? std::uint64_t{form.warps} * form.rows * form.columns
                         : form.rows * run_bytes / element;
}

}  // namespace

SkinnyForm choose_skinny(const ProductSize& size, std::uint32_t element, std::uint64_t compute_units) {
  const std::uint64_t run = run_bytes / element;
  SkinnyForm form;
  form.by_columns = size.n <= most_skinny_columns;
  std::uint64_t grain = grain_of_rows;
  if (form.by_columns) {
    grain = run;
    form.packed = size.k * element % pack_bytes == 0;
    form.columns = static_cast<std::uint32_t>(size.n);
    form.rows = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(most_sum_bytes / (size.n * element), 1, most_rows_of_warp));
    form.warps = static_cast<std::uint32_t>(std::min(most_warps, ceil_div(size.m, form.rows)));
    form.blocks = ceil_div(size.m, std::uint64_t{form.warps} * form.rows);
  } else {
    form.packed = size.n * element % pack_bytes == 0;
    form.rows = static_cast<std::uint32_t>(size.m);
    form.blocks = ceil_div(size.n, run);
  }
  const std::uint64_t wanted = ceil_div(blocks_per_unit * compute_units, form.blocks);
  form.splits = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      std::min(wanted, compute_units), 1, std::max<std::uint64_t>(1, size.k / grain)));
  return form;
}

KernelPlan plan_skinny(const ProblemSpec& problem, const SkinnyForm& form,
                       const std::filesystem::path& kernels) {
  const std::uint64_t element = gpu::product_element_bytes(problem);
  const bool wide = element == 8;
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_skinny.cu").lexically_normal().string();
  launch.entry = "matmul_skinny";
  launch.defines = {{"REAL", wide ? "double" : "float"},       {"BY_COLUMNS", form.by_columns ? "1" : "0"},
                    {"PACKED", form.packed ? "1" : "0"},       {"ROWS", std::to_string(form.rows)},
                    {"COLUMNS", std::to_string(form.columns)}, {"WARPS", std::to_string(form.warps)},
                    {"SPLITS", std::to_string(form.splits)}};
  launch.block = {std::uint64_t{32} * form.warps, 1, 1};
  launch.local_bytes = shared_bytes(form, element);
  return gpu::plan_joined_product(
      problem, std::move(launch),
      {form.blocks, form.splits, outputs_of_block(form, element) * element, form.blocks});
}

std::string to_text(const SkinnyForm& form) {
  const std::string rows = form.by_columns ? std::to_string(form.rows) + " rows per warp, " +
                                                 std::to_string(form.columns) + " columns"
                                           : std::to_string(form.rows) + " rows";
  return rows + ", " + std::to_string(form.warps) + " warps, " + std::to_string(form.splits) + " parts" +
         (form.packed ? "" : ", not packed");
}

}  // namespace benchctl::cuda
