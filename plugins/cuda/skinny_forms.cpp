#include "skinny_forms.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/joined_product.hpp"
#include "gpu/strip_forms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

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
/// Few rows: parts have so many strides at least, and there are so many at most: one block adds up all.
constexpr std::uint64_t shortest_part = 4;
constexpr std::uint64_t most_splits = 64;
/// Of A, in shared memory.
constexpr std::uint64_t held_bytes = 24576;
/// Fitted to 77 products of 5 to 12 rows of floats on an H100, in five forms each: to hold columns of A,
/// the first of which come as the kernel starts, ns; a pack of B and row of C while one block is on a
/// multiprocessor, and how much longer that takes where rows of B begin anywhere; the rate of memory, bytes
/// per ns; to join parts, ns, and to add up one, ns per byte.
constexpr double holding_ns = 2700;
constexpr double pack_ns = 11.6;
constexpr double anywhere = 1.2;
constexpr double memory_bytes_per_ns = 4500;
constexpr double joining_ns = 1060;
constexpr double joining_ns_per_byte = 0.01;
/// Rows with which `register_tiled_best` takes it, if that is quicker.
constexpr std::uint64_t most_rows_that_pay = 12;

std::uint64_t whole_packs(std::uint64_t bytes) { return ceil_div(bytes, pack_bytes) * pack_bytes; }

/// Elements of a step of k of A, where rows are few.
std::uint64_t held_of_step(const SkinnyForm& form, std::uint64_t element) {
  const std::uint64_t width = pack_bytes / element;
  return (ceil_div(form.rows, width) | 1U) * width;
}

/// Static shared memory of a block.
std::uint64_t shared_bytes(const SkinnyForm& form, std::uint64_t element) {
  const std::uint64_t run = run_bytes / element;
  const std::uint64_t width = pack_bytes / element;
  const std::uint64_t last = form.splits > 1 ? pack_bytes : 0;
  if (form.by_columns) {
    return form.columns * (2 * run + width) * element + last;
  }
  const std::uint64_t held = form.chunk * held_of_step(form, element) * element;
  const std::uint64_t left_behind = std::uint64_t{form.warps} * run_bytes;
  return std::max(held, left_behind) + last;
}

std::uint64_t outputs_of_block(const SkinnyForm& form, std::uint64_t element) {
  return form.by_columns ? std::uint64_t{form.warps} * form.rows * form.columns
                         : std::uint64_t{form.rows} * form.lanes * pack_bytes / element;
}

/// Of a team, each thread of which reads a pack of each row.
std::uint64_t stride_of(const SkinnyForm& form) {
  return std::uint64_t{form.ahead} * 32 * form.warps / form.lanes;
}

/// Columns of C go to blocks of so many lanes, and k to as many of these as `per_unit` allows.
SkinnyForm along_columns(const ProductSize& size, std::uint64_t element, std::uint64_t lanes,
                         std::uint64_t per_unit, SkinnyForm form, std::uint64_t compute_units) {
  const std::uint64_t width = pack_bytes / element;
  form.packed = size.n * element % pack_bytes == 0;
  form.rows = static_cast<std::uint32_t>(size.m);
  form.lanes = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(std::bit_ceil(ceil_div(size.n, width)), 8, lanes));
  form.blocks = ceil_div(size.n, form.lanes * width);
  const std::uint64_t stride = stride_of(form);
  const std::uint64_t most = std::clamp<std::uint64_t>(size.k / (shortest_part * stride), 1, most_splits);
  const std::uint64_t splits = std::clamp<std::uint64_t>(per_unit * compute_units / form.blocks, 1, most);
  const std::uint64_t part = ceil_div(ceil_div(size.k, splits), stride) * stride;
  form.splits = static_cast<std::uint32_t>(ceil_div(size.k, part));
  const std::uint64_t room = held_bytes / (held_of_step(form, element) * element) / stride * stride;
  form.chunk = static_cast<std::uint32_t>(std::min(part, std::max(room, stride)));
  return form;
}

/// Few rows: strips of C of 16 and 32 lanes, of one or two blocks for each multiprocessor. Sums of more
/// than nine rows, and four packs under way, leave registers for one, doubles always.
std::vector<gpu::Ranked<SkinnyForm>> forms_along_columns(const ProductSize& size, std::uint64_t element,
                                                         std::uint64_t compute_units) {
  std::vector<gpu::Ranked<SkinnyForm>> forms;
  const auto add = [&](std::uint32_t ahead, std::uint32_t resident, std::uint64_t per_unit) {
    for (const std::uint64_t lanes : {16, 32}) {
      SkinnyForm form;
      form.ahead = ahead;
      form.resident = resident;
      form = along_columns(size, element, lanes, per_unit, form, compute_units);
      forms.push_back({form, expected_ns(size, form, element, compute_units)});
    }
  };
  if (size.m <= 9 && element == sizeof(float)) {
    add(4, 2, 1);
    add(4, 2, 2);
  } else {
    add(4, 1, 1);
    if (size.m <= most_rows_that_pay && element == sizeof(float)) add(2, 2, 2);
  }
  return forms;
}

}  // namespace

SkinnyForm choose_skinny(const ProductSize& size, std::uint32_t element, std::uint64_t compute_units) {
  const std::uint64_t run = run_bytes / element;
  SkinnyForm form;
  form.by_columns = size.n <= most_skinny_columns;
  if (!form.by_columns) {
    return std::ranges::min(forms_along_columns(size, element, compute_units), {},
                            &gpu::Ranked<SkinnyForm>::expected_ns)
        .form;
  }
  form.packed = size.k * element % pack_bytes == 0;
  form.columns = static_cast<std::uint32_t>(size.n);
  form.rows = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(most_sum_bytes / (size.n * element), 1, most_rows_of_warp));
  form.warps = static_cast<std::uint32_t>(std::min(most_warps, ceil_div(size.m, form.rows)));
  form.blocks = ceil_div(size.m, std::uint64_t{form.warps} * form.rows);
  // No more parts than multiprocessors: one block adds up all of them. They are multiples of a run.
  const std::uint64_t wanted = ceil_div(blocks_per_unit * compute_units, form.blocks);
  form.splits = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      std::min(wanted, compute_units), 1, std::max<std::uint64_t>(1, size.k / run)));
  return form;
}

std::vector<gpu::Ranked<SkinnyForm>> rank_few_rows(const ProductSize& size, std::uint64_t compute_units,
                                                   std::size_t most) {
  return gpu::rank(forms_along_columns(size, sizeof(float), compute_units), most,
                   [](const SkinnyForm& a, const SkinnyForm& b) { return to_text(a) == to_text(b); });
}

double expected_ns(const ProductSize& size, const SkinnyForm& form, std::uint64_t element,
                   std::uint64_t compute_units) {
  const std::uint64_t blocks = form.blocks * form.splits;
  const std::uint64_t turns = ceil_div(blocks, form.resident * compute_units);
  const std::uint64_t together = std::min<std::uint64_t>(form.resident, ceil_div(blocks, compute_units));
  const std::uint64_t stride = stride_of(form);
  const std::uint64_t strides = ceil_div(ceil_div(size.k, form.splits), stride);
  const std::uint64_t chunks = ceil_div(strides * stride, form.chunk);
  const double compute = static_cast<double>(turns * strides * form.ahead * form.rows * together) *
                         pack_ns * (form.packed ? 1 : anywhere);
  const double read = static_cast<double>(element * size.k * (size.n + size.m)) / memory_bytes_per_ns;
  // Neither hides the other wholly.
  const double both = std::cbrt(compute * compute * compute + read * read * read);
  const auto bytes = static_cast<double>(form.splits * outputs_of_block(form, element) * element);
  const double joining = form.splits > 1 ? joining_ns + joining_ns_per_byte * bytes : 0;
  return static_cast<double>(turns * chunks) * holding_ns + both + joining;
}

bool skinny_pays(const ProductSize& size, const ProductDevice& device) {
  if (size.m > most_rows_that_pay || size.n <= most_skinny_columns) return false;
  const double tiled = choose_tiling(device, size).expected_ns;
  const double strips = gpu::choose_strips(size, {device.compute_units, device.shared_bytes}).expected_ns;
  const double other = strips > 0 ? std::min(tiled, strips) : tiled;
  const SkinnyForm form = choose_skinny(size, sizeof(float), device.compute_units);
  return expected_ns(size, form, sizeof(float), device.compute_units) < other;
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
  if (!form.by_columns) {
    launch.defines["LANES"] = std::to_string(form.lanes);
    launch.defines["CHUNK"] = std::to_string(form.chunk);
    launch.defines["AHEAD"] = std::to_string(form.ahead);
    launch.defines["RESIDENT"] = std::to_string(form.resident);
  }
  launch.block = {std::uint64_t{32} * form.warps, 1, 1};
  launch.local_bytes = shared_bytes(form, element);
  return gpu::plan_joined_product(
      problem, std::move(launch),
      {form.blocks, form.splits, whole_packs(outputs_of_block(form, element) * element), form.blocks});
}

std::string to_text(const SkinnyForm& form) {
  const std::string rows =
      form.by_columns
          ? std::to_string(form.rows) + " rows per warp, " + std::to_string(form.columns) + " columns"
          : std::to_string(form.rows) + " rows, lanes of " + std::to_string(form.lanes);
  return rows + ", " + std::to_string(form.warps) + " warps, " + std::to_string(form.splits) + " parts" +
         (form.packed ? "" : ", not packed");
}

}  // namespace benchctl::cuda
