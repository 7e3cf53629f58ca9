#include "skinny_forms.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/joined_product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace benchctl::opencl {

namespace {

constexpr std::uint64_t items = 256;
constexpr std::uint64_t pack_bytes = 16;
/// Of the smaller operand, in local memory: few enough for several groups on a compute unit.
constexpr std::uint64_t held_bytes = 24576;
/// Sums of a work-item where columns are few, and how many rows have their packs under way.
constexpr std::uint64_t most_sum_bytes = 256;
constexpr std::uint64_t most_rows_of_item = 4;
/// Rows of B that a team has under way; the kernel's AHEAD.
constexpr std::uint64_t ahead = 4;
/// Strides of a part at least, and parts at most: one group adds up all of them.
constexpr std::uint64_t shortest_part = 4;
constexpr std::uint64_t most_splits = 64;
/// Few rows of floats, fitted to 72 times on an H100, of 5 to 10 rows at 33 sizes in up to four forms: what
/// they choose took 0.6 % longer than the best of these (the rate of memory beyond the cache is by hand,
/// from 8 x 4096 x 4096: tiles of 16 rows took 1.6 % longer on an H100 and 12 % on an H200). To hold
/// columns of A, the first of which come as the kernel starts, ns; a pack of B and row of C while one group
/// is on a compute unit, and how much longer that takes where rows of B begin anywhere; the rate of memory,
/// bytes per ns, as long as B stays in the second-level cache, and beyond; to join parts, ns, and to add up
/// one, ns per byte.
constexpr double holding_ns = 3240;
constexpr double pack_ns = 12.3;
constexpr double anywhere = 1.4;
constexpr double cached_bytes = 4e7;
constexpr double cache_bytes_per_ns = 6400;
constexpr double memory_bytes_per_ns = 3100;
constexpr double joining_ns = 1160;
constexpr double joining_ns_per_byte = 0.0107;
/// Measured on an H100 beside tiles of 32 rows: 12 x 4096 x 4096 32 us to 35, 16 x 4096 x 4096 46 to 35.
constexpr std::uint64_t most_paying_rows = 12;

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// Few columns are read as memory likes it best, in long runs of a row. With many of them columns of B are
/// what is read most, from local memory, and more rows share what is there. Measured on an H100.
void lay_along_k(SkinnyForm& form, const ProductSize& size, std::uint64_t element) {
  const std::uint64_t row_bytes = size.n * element;  // of B
  const std::uint64_t wanted_lanes = row_bytes <= 16 ? 32 : row_bytes <= 32 ? 16 : 8;
  const bool in_pairs = size.n > 1 && row_bytes <= 16;
  const std::uint64_t most_rows =
      in_pairs ? 2 : std::clamp<std::uint64_t>(most_sum_bytes / row_bytes, 1, most_rows_of_item);
  form.packs = in_pairs ? 2 : 1;
  // As many teams as rows need; of few teams each has many lanes, whose stride is to fit what is held.
  const std::uint64_t most_lanes =
      std::min(items, std::bit_floor(held_bytes / (size.n * form.packs * pack_bytes)));
  const std::uint64_t teams =
      std::clamp(std::bit_ceil(ceil_div(size.m, most_rows)), items / most_lanes, items / wanted_lanes);
  form.columns = narrow(size.n);
  form.lanes = narrow(items / teams);
  form.groups = ceil_div(size.m, teams * most_rows);
  form.rows = narrow(ceil_div(size.m, teams * form.groups));
}

void lay_along_columns(SkinnyForm& form, const ProductSize& size, std::uint64_t element,
                       std::uint64_t lanes) {
  const std::uint64_t width = pack_bytes / element;
  form.rows = narrow(size.m);
  form.lanes = narrow(std::clamp<std::uint64_t>(std::bit_ceil(ceil_div(size.n, width)), 8, lanes));
  form.groups = ceil_div(size.n, form.lanes * width);
}

/// Groups that a compute unit should have of a product of few columns: as many as registers have room for,
/// one after the other being worse than fewer.
std::uint32_t together_along_k(const ProductSize& size, std::uint64_t element) {
  return size.n * element <= 16 ? 4 : 2;
}

/// Elements of a step of k in local memory, of the smaller operand.
std::uint64_t held_of_step(const SkinnyForm& form, std::uint64_t element) {
  const std::uint64_t width = pack_bytes / element;
  return form.by_columns ? form.columns : (ceil_div(form.rows, width) | 1U) * width;
}

/// As the kernel counts them, HELD, in bytes.
std::uint64_t local_bytes(const SkinnyForm& form, std::uint64_t element) {
  const std::uint64_t width = pack_bytes / element;
  const std::uint64_t smaller =
      held_of_step(form, element) * (form.chunk + (form.by_columns ? width : 0)) * element;
  const std::uint64_t sums = form.by_columns ? (items + items / form.lanes) * element : items * pack_bytes;
  return ceil_div(std::max(smaller, sums), pack_bytes) * pack_bytes + (form.splits > 1 ? 4 : 0);
}

std::uint64_t outputs_of_group(const SkinnyForm& form, std::uint64_t element) {
  const std::uint64_t width = pack_bytes / element;
  const std::uint64_t outputs =
      form.by_columns ? form.rows * form.columns * (items / form.lanes) : form.rows * form.lanes * width;
  return ceil_div(outputs, width) * width;
}

/// Shares out k among groups, no more than run at once.
void cut_in_parts(SkinnyForm& form, const ProductSize& size, std::uint64_t element,
                  std::uint64_t compute_units) {
  form.packed = (form.by_columns ? size.k : size.n) * element % pack_bytes == 0;
  const std::uint64_t stride =
      form.by_columns ? form.lanes * form.packs * pack_bytes / element : ahead * items / form.lanes;
  const std::uint64_t most = std::clamp<std::uint64_t>(size.k / (shortest_part * stride), 1, most_splits);
  const std::uint64_t at_once = form.together * compute_units;
  const std::uint64_t splits = std::clamp<std::uint64_t>(at_once / form.groups, 1, most);
  form.part = ceil_div(ceil_div(size.k, splits), stride) * stride;
  form.splits = ceil_div(size.k, form.part);
  const std::uint64_t room = held_bytes / (held_of_step(form, element) * element) / stride * stride;
  form.chunk = narrow(std::min(form.part, std::max(room, stride)));
}

/// Few rows: strips of C of 16 and 32 lanes, of one or two groups for each compute unit; of one row more
/// groups, and of doubles one way.
std::vector<gpu::Ranked<SkinnyForm>> forms_along_columns(const ProductSize& size, std::uint64_t element,
                                                         std::uint64_t compute_units) {
  std::vector<gpu::Ranked<SkinnyForm>> forms;
  const auto add = [&](std::uint64_t lanes, std::uint32_t together) {
    SkinnyForm form;
    form.together = together;
    lay_along_columns(form, size, element, lanes);
    cut_in_parts(form, size, element, compute_units);
    forms.push_back({form, expected_ns(size, form, compute_units)});
  };
  if (size.m == 1 || element > sizeof(float)) {
    add(32, size.m == 1 ? 4 : 2);
    return forms;
  }
  for (const std::uint64_t lanes : {16, 32}) {
    for (const std::uint32_t together : {1U, 2U}) add(lanes, together);
  }
  return forms;
}

}  // namespace

SkinnyForm choose_skinny(const ProductSize& size, std::uint64_t element, std::uint64_t compute_units) {
  // Of a C of few rows and columns the larger side.
  const bool by_columns = size.n <= most_skinny_columns && (size.m >= size.n || size.m > most_skinny_rows);
  if (!by_columns) {
    return std::ranges::min(forms_along_columns(size, element, compute_units), {},
                            &gpu::Ranked<SkinnyForm>::expected_ns)
        .form;
  }
  SkinnyForm form;
  form.by_columns = true;
  form.together = together_along_k(size, element);
  lay_along_k(form, size, element);
  cut_in_parts(form, size, element, compute_units);
  return form;
}

double expected_ns(const ProductSize& size, const SkinnyForm& form, std::uint64_t compute_units) {
  const std::uint64_t groups = form.groups * form.splits;
  const std::uint64_t turns = ceil_div(groups, form.together * compute_units);
  const std::uint64_t together = std::min<std::uint64_t>(form.together, ceil_div(groups, compute_units));
  const std::uint64_t strides = ceil_div(form.part, ahead * items / form.lanes);
  const std::uint64_t chunks = ceil_div(form.part, form.chunk);
  const double compute = static_cast<double>(turns * strides * ahead * form.rows * together) * pack_ns *
                         (form.packed ? 1 : anywhere);
  const double input_bytes = 4.0 * static_cast<double>(size.k) * static_cast<double>(size.n + size.m);
  const double read =
      input_bytes / (input_bytes <= cached_bytes ? cache_bytes_per_ns : memory_bytes_per_ns);
  // Neither hides the other wholly.
  const double both = std::cbrt(compute * compute * compute + read * read * read);
  const auto bytes = static_cast<double>(form.splits * form.rows * form.lanes * pack_bytes);
  const double joining = form.splits > 1 ? joining_ns + joining_ns_per_byte * bytes : 0;
  return static_cast<double>(turns * chunks) * holding_ns + both + joining;
}

std::vector<gpu::Ranked<SkinnyForm>> rank_skinny(const ProductSize& size, std::uint64_t compute_units,
                                                 std::size_t most) {
  const SkinnyForm chosen = choose_skinny(size, sizeof(float), compute_units);
  if (chosen.by_columns) return {{chosen, std::numeric_limits<double>::max()}};
  return gpu::rank(forms_along_columns(size, sizeof(float), compute_units), most,
                   [](const SkinnyForm& a, const SkinnyForm& b) { return to_text(a) == to_text(b); });
}

// Without cp.async tiles have 32 rows at least.
bool skinny_pays(const ProductSize& size, const ProductDevice& device) {
  if (size.n <= most_skinny_columns) return true;
  if (size.m > most_paying_rows) return false;
  const SkinnyForm form = choose_skinny(size, sizeof(float), device.compute_units);
  return !device.cp_async ||
         expected_ns(size, form, device.compute_units) < choose_tiling(device, size).expected_ns;
}

KernelPlan plan_skinny(const ProblemSpec& problem, const SkinnyForm& form,
                       const std::filesystem::path& kernels) {
  const std::uint64_t element = gpu::product_element_bytes(problem);
  const bool wide = element == 8;
  const auto text = [](std::uint64_t value) { return std::to_string(value); };
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_skinny.cl").lexically_normal().string();
  launch.entry = "matmul_skinny";
  launch.defines = {{"REAL", wide ? "double" : "float"},   {"USE_FP64", wide ? "1" : "0"},
                    {"WIDTH", text(pack_bytes / element)}, {"BY_COLUMNS", form.by_columns ? "1" : "0"},
                    {"PACKED", form.packed ? "1" : "0"},   {"ROWS", text(form.rows)},
                    {"COLUMNS", text(form.columns)},       {"LANES", text(form.lanes)},
                    {"PACKS", text(form.packs)},           {"ITEMS", text(items)},
                    {"CHUNK", text(form.chunk)},           {"PART", text(form.part)},
                    {"SPLITS", text(form.splits)}};
  launch.block = {items, 1, 1};
  launch.local_bytes = local_bytes(form, element);
  return gpu::plan_joined_product(
      problem, std::move(launch),
      {form.groups, form.splits, outputs_of_group(form, element) * element, form.groups});
}

std::string to_text(const SkinnyForm& form) {
  return std::to_string(form.rows) + " rows" +
         (form.by_columns ? " × " + std::to_string(form.columns) + " columns" : "") + ", lanes of " +
         std::to_string(form.lanes) + ", " + std::to_string(form.chunk) + " held, " +
         std::to_string(form.splits) + " parts" + (form.packed ? "" : ", not packed");
}

}  // namespace benchctl::opencl
