// Variants of workload `reduce`.
#include <benchctl/access_spec.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

LaunchSpec reduce_launch(const std::string& variant, const std::string& step, const std::string& grid,
                         std::vector<ArgumentSpec> arguments) {
  LaunchSpec launch;
  launch.source = "reduce_" + variant;
  launch.entry = "reduce_" + variant + step;
  launch.defines = {
      {"REAL", "ctype(dtype)"},       {"USE_FP64", "dtype == 'f64'"}, {"BLOCK", "block"},
      {"OP_IS_MIN", "op == 'min'"},   {"OP_IS_MAX", "op == 'max'"},   {"OP_IS_MEAN", "op == 'mean'"},
      {"OP_IS_NORM", "op == 'norm'"}, {"OP_IS_DOT", "op == 'dot'"}};
  launch.block = {"block", "1", "1"};
  launch.grid = {grid, "1", "1"};
  launch.arguments = std::move(arguments);
  return launch;
}

void reduce_reads(VariantInfo& variant, const std::string& elements, const std::string& place,
                  const std::string& times, std::size_t launch) {
  for (const char* operand : {"x", "y"}) {
    AccessSpec access = patterns::pack(AccessKind::read, operand, place, elements, times);
    if (operand[0] == 'y') access.active += " and op == 'dot'";
    access.launch = launch;
    variant.access.push_back(access);
  }
}

namespace {

/// A work-item's sum of squares in float32 stops growing where an element is less than half a digit of it:
/// after 2^24 elements, and loses accuracy before.
std::string squares_keep_growing(const std::string& elements, const std::string& items) {
  return "op != 'norm' or " + elements + " <= 1048576 * " + items;
}

TunableInfo blocks_tunable() {
  return {"blocks_per_unit",
          std::int64_t{4},
          "Work-groups per compute unit.",
          {"blocks_per_unit >= 1", "blocks_per_unit <= 64"},
          {std::int64_t{1}, std::int64_t{4}, std::int64_t{16}}};
}

/// As many groups as the device is to hold, but none without an element to begin with.
std::string grid_of(const std::string& elements_per_item) {
  return "min(compute_units * blocks_per_unit, ceil_div(n, block * " + elements_per_item + "))";
}

void use_tree(VariantInfo& variant) {
  for (LaunchSpec& launch : variant.kernel->launches) launch.local_bytes = "block * sizeof(dtype)";
}

VariantInfo variant(const Language& language, const char* name, const char* doc,
                    std::vector<LaunchSpec> launches) {
  VariantInfo variant = variant_of("reduce", name, doc, {DType::f32, DType::f64});
  variant.tunables = {block_tunable(language)};
  variant.tunables[0].require = {"block >= 1", "block <= 1024"};
  variant.kernel = KernelSpec{std::move(launches), {}};
  return variant;
}

VariantInfo racy(const Language& language) {
  LaunchSpec start = reduce_launch("racy", "_start", "1", {"result"});
  start.block = {"1", "1", "1"};
  VariantInfo info =
      variant(language, "racy", "Every work-item adds to one sum, unguarded: wrong, as a lesson.",
              {start, reduce_launch("racy", "", "ceil_div(n, block)", {"x", "result", "n"})});
  info.require = {"op == 'sum'"};
  info.wrong_on_purpose = true;
  // Elsewhere work-items of a group may run one after the other, and the race stay hidden.
  info.device_types = {DeviceType::gpu};
  reduce_reads(info, "1", "i", "1", 1);
  return info;
}

VariantInfo atomic(const Language& language) {
  LaunchSpec start = reduce_launch("atomic", "_start", "1", {"total"});
  LaunchSpec finish = reduce_launch("atomic", "_finish", "1", {"total", "result", "n"});
  start.block = {"3", "1", "1"};
  finish.block = {"1", "1", "1"};
  VariantInfo info = variant(
      language, "atomic", "One compare-and-swap update per element; limited by updates of one address.",
      {start, reduce_launch("atomic", "", "ceil_div(n, block)", {"x", "y|x", "total", "n"}), finish});
  info.dtypes = {DType::f32};  // 64-bit atomics are an extension
  info.kernel->scratch = {{"total", DType::u32, "3"}};
  // One sum for all, in float32.
  info.require = {"op != 'norm' or n <= 16777216"};
  reduce_reads(info, "1", "i", "1", 1);
  return info;
}

VariantInfo single_block(const Language& language) {
  VariantInfo info =
      variant(language, "single_block",
              "One work-group, a tree through local memory; limited by what one compute unit can load.",
              {reduce_launch("single_block", "", "1", {"x", "y|x", "result", "n"})});
  info.require = {squares_keep_growing("n", "block")};
  use_tree(info);
  reduce_reads(info, "1", "i", "ceil_div(n, block)");
  return info;
}

VariantInfo two_kernel(const Language& language) {
  VariantInfo info =
      variant(language, "two_kernel",
              "One element per work-item, one partial value per work-group, a second launch for those.",
              {reduce_launch("two_kernel", "", "ceil_div(n, block)", {"x", "y|x", "partial", "n"}),
               reduce_launch("two_kernel", "_finish", "1", {"partial", "result", "n"})});
  use_tree(info);
  info.kernel->scratch = {{"partial", DType::f32, "ceil_div(n, block) * sizeof(dtype) / 4"}};
  info.require = {squares_keep_growing("ceil_div(n, block)", "block")};
  reduce_reads(info, "1", "i", "1");
  return info;
}

VariantInfo grid_stride(const Language& language) {
  VariantInfo info = reduce_resident(
      language, "grid_stride",
      "Each work-item takes many elements, then one tree per work-group; limited by memory bandwidth on "
      "a GPU with enough work-items.",
      "1");
  use_tree(info);
  return info;
}

VariantInfo reduce_vectorized(const Language& language) {
  const std::string share = "ceil_div(floor_div(n, width), " + grid_of("width") + ")";
  VariantInfo info = reduce_resident(
      language, "vectorized",
      "A stream of packs of `width` elements per group, four in flight; limited by memory bandwidth.",
      "width", "(bx * " + share + " + t)");
  use_tree(info);
  info.tunables.push_back(width_tunable(language));
  for (LaunchSpec& launch : info.kernel->launches) launch.defines["WIDTH"] = "width";
  return info;
}

/// One launch: the group that ends last joins the values of all.
VariantInfo single_pass(const Language& language) {
  const std::string width = "floor_div(16, sizeof(dtype))";
  // A single group waits for nobody. A group per unit has the values joined soonest, more of them keep more
  // bytes under way; then a group's loads in flight lie in one piece.
  const std::string grid =
      "if(n * sizeof(dtype) <= if(op == 'norm', 32768, 65536), 1, min(compute_units * if(n * sizeof(dtype) "
      "<= 16777216, 1, "
      "blocks_per_unit), ceil_div(n, block * " +
      width + ")))";
  LaunchSpec only =
      reduce_launch("single_pass", "", grid, {"x", "y|x", "partial", "finished", "result", "n"});
  only.defines["GRID"] = grid;
  only.defines["WIDTH"] = width;
  only.defines["UNROLL"] =
      "if(unroll > 0, unroll, if(op == 'dot' or op == 'norm' or n * sizeof(dtype) <= 4194304 or n * "
      "sizeof(dtype) > 16777216, 4, 8))";
  only.defines["NEAR"] = "n * sizeof(dtype) > 16777216";
  VariantInfo info = variant(language, "single_pass",
                             "Packs dealt out over the device in one launch: the group that ends last "
                             "joins the groups' values, in "
                             "their order; limited by memory bandwidth.",
                             {only});
  info.device_types = {DeviceType::gpu, DeviceType::simulator};  // processors have cpu_streams
  info.tunables.push_back(blocks_tunable());
  info.tunables.push_back({"unroll",
                           std::int64_t{0},
                           "Loads of 16 bytes that a work-item has in flight. 0: 4, between 4 and 16 MB 8 "
                           "unless of dot products "
                           "and norms.",
                           {"unroll >= 0", "unroll <= 16"},
                           {std::int64_t{1}, std::int64_t{4}, std::int64_t{8}}});
  use_tree(info);
  info.kernel->scratch = {{"partial", DType::f32, grid + " * sizeof(dtype) / 4"},
                          {"finished", DType::u32, "1"}};  // the kernel leaves it at zero
  info.require = {squares_keep_growing("n", "block * compute_units")};
  reduce_reads(info, width, "i", "ceil_div(n, " + grid + " * block * " + width + ")");
  return info;
}

}  // namespace

VariantInfo reduce_resident(const Language& language, const char* name, const char* doc,
                            const std::string& elements, const std::string& place) {
  const std::string grid = grid_of(elements);
  VariantInfo info = variant(language, name, doc,
                             {reduce_launch(name, "", grid, {"x", "y|x", "partial", "n"}),
                              reduce_launch(name, "_finish", "1", {"partial", "result", "n"})});
  info.tunables.push_back(blocks_tunable());
  for (LaunchSpec& launch : info.kernel->launches) launch.defines["GRID"] = grid;
  info.kernel->scratch = {{"partial", DType::f32, grid + " * sizeof(dtype) / 4"}};
  info.require = {squares_keep_growing("n", "block * compute_units * blocks_per_unit")};
  reduce_reads(info, elements, place, "ceil_div(n, " + grid + " * block * " + elements + ")");
  return info;
}

std::vector<VariantInfo> reduce_variants(const Language& language) {
  return translated({racy(language), atomic(language), single_block(language), two_kernel(language),
                     grid_stride(language)},
                    language);
}

std::vector<VariantInfo> reduce_pack_variants(const Language& language) {
  return translated({reduce_vectorized(language), single_pass(language)}, language);
}

}  // namespace benchctl::gpu
