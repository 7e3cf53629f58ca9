#include "gpu/vector_forms.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/joined_product.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>
#include <limits>

namespace benchctl::gpu {

namespace {

constexpr std::uint64_t pack_bytes = 16;
constexpr std::uint64_t most_warps_that_share = 8;
/// The kernels count steps of k in 32 bits with sign, and look up to so many beyond the last.
constexpr std::uint64_t beyond = 2048;
constexpr std::uint64_t longest = std::numeric_limits<std::int32_t>::max() - beyond;

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// As many as leave no block without room, and no part shorter than `shortest` of k's pieces.
std::uint32_t parts(std::uint64_t room, std::uint64_t blocks, std::uint64_t pieces,
                    std::uint64_t shortest) {
  return narrow(std::max<std::uint64_t>(1, std::min(room / blocks, pieces / shortest)));
}

/// A warp has 8 loads under way, of two rows or four, and warps share rows as long as each still has as
/// many.
VectorForm choose_columns(const ProductSize& size, std::uint32_t element, std::uint64_t compute_units) {
  VectorForm form;
  form.by_columns = true;
  form.packed = size.k * element % pack_bytes == 0;
  form.columns = narrow(size.n);
  form.rows = size.n <= 2 ? 2 : 4;
  form.together = 8 / form.rows;
  const std::uint64_t runs = ceil_div(size.k, 32 * pack_bytes / element);
  while (form.share < most_warps_that_share && runs >= std::uint64_t{2} * form.share * form.together)
    form.share *= 2;
  const bool light = element == 4 && (form.packed || size.n == 1);  // in registers
  form.resident = !light ? 2 : size.n == 4 ? 3 : 4;
  form.blocks = ceil_div(size.m, form.rows * form.warps / form.share);
  form.splits = parts(4 * compute_units, form.blocks, runs, std::uint64_t{form.share} * form.together);
  return form;
}

/// Strips of 8 lanes need no parts, which take time to join, where there are about as many as
/// multiprocessors. Else long runs are better for memory.
VectorForm choose_rows(const ProductSize& size, std::uint32_t element, std::uint64_t compute_units) {
  const auto strips = [&](std::uint64_t lanes) { return ceil_div(size.n * element, lanes * pack_bytes); };
  VectorForm form;
  form.packed = size.n * element % pack_bytes == 0;
  form.rows = narrow(size.m);
  if (strips(8) <= compute_units && 4 * strips(8) >= 3 * compute_units) {
    form.lanes = 8;
    form.warps = 16;
    form.resident = 1;
    form.blocks = strips(8);
    return form;
  }
  form.lanes = strips(32) >= 2 * compute_units ? 32 : 16;
  form.blocks = strips(form.lanes);
  form.splits = parts(2 * compute_units, form.blocks, size.k, 32);
  return form;
}

std::uint64_t outputs_of_block(const VectorForm& form, std::uint64_t element) {
  return form.by_columns ? std::uint64_t{form.warps} / form.share * form.rows * form.columns
                         : form.rows * form.lanes * pack_bytes / element;
}

std::uint64_t shared_bytes(const VectorForm& form, std::uint64_t element) {
  const std::uint64_t sharing = form.by_columns ? form.share : form.warps;
  return ceil_div(sharing * outputs_of_block(form, element) * element, pack_bytes) * pack_bytes;
}

}  // namespace

VectorForm choose_vectors(const ProductSize& size, std::uint32_t element, std::uint64_t compute_units) {
  if (size.k > longest) {
    throw Failure(FailureKind::unsupported, "products of a matrix and vectors take k up to " +
                                                std::to_string(longest) + ", not " +
                                                std::to_string(size.k));
  }
  return size.n <= most_vectors ? choose_columns(size, element, compute_units)
                                : choose_rows(size, element, compute_units);
}

KernelPlan plan_vectors(const ProblemSpec& problem, const VectorForm& form,
                        const std::filesystem::path& source) {
  const std::uint64_t element = product_element_bytes(problem);
  const bool wide = element == 8;
  PlannedLaunch launch;
  launch.source = source.lexically_normal().string();
  launch.entry = "matmul_vectors";
  launch.defines = {{"REAL", wide ? "double" : "float"},       {"BY_COLUMNS", form.by_columns ? "1" : "0"},
                    {"PACKED", form.packed ? "1" : "0"},       {"ROWS", std::to_string(form.rows)},
                    {"COLUMNS", std::to_string(form.columns)}, {"SHARE", std::to_string(form.share)},
                    {"LANES", std::to_string(form.lanes)},     {"TOGETHER", std::to_string(form.together)},
                    {"WARPS", std::to_string(form.warps)},     {"RESIDENT", std::to_string(form.resident)},
                    {"SPLITS", std::to_string(form.splits)}};
  launch.block = {std::uint64_t{32} * form.warps, 1, 1};
  launch.local_bytes = shared_bytes(form, element);
  return plan_joined_product(
      problem, std::move(launch),
      {form.blocks, form.splits, outputs_of_block(form, element) * element, form.blocks});
}

std::string to_text(const VectorForm& form) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  const std::string what = form.by_columns ? number(form.rows) + " rows per warp, " + number(form.share) +
                                                 " of " + number(form.warps) + " warps share them, " +
                                                 number(form.columns) + " columns"
                                           : number(form.rows) + " rows, " + number(form.lanes) +
                                                 " lanes side by side, " + number(form.warps) + " warps";
  return what + ", " + number(form.splits) + " parts" + (form.packed ? "" : ", not packed");
}

}  // namespace benchctl::gpu
