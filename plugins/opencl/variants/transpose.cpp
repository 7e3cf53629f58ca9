// Variants of workload `transpose`.
#include <benchctl/patterns/transpose.hpp>

#include "gpu/variants.hpp"

#include "swizzled_best.hpp"
#include "table.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "clblast_work.hpp"
#endif

namespace benchctl::opencl {

namespace {

VariantInfo transpose_variant(const char* name, const char* doc) {
  VariantInfo variant;
  variant.workload = "transpose";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

/// Shapes of its tiles, in elements, and their order.
struct SwizzledTiles {
  std::string packed =
      "(rows * sizeof(dtype) % 16 == 0 and columns * sizeof(dtype) % 16 == 0)";    ///< rows start at packs
  std::string down = shape("if(4 * columns <= tile, 4, 2) * tile", "tile / 2");    ///< rows of in
  std::string across = shape("tile / if(4 * columns <= tile, 4, 2)", "2 * tile");  ///< columns of in
  /// Rows before a tile's own that whole sectors of out need.
  std::string before = "if(" + packed + " or rows * sizeof(dtype) % 32 == 0, 0, 32 / sizeof(dtype) - 1)";
  /// Where rows begin anywhere, the tile's lines are a pack longer, for their shift, and an element apart.
  std::string bytes = "if(" + packed + ", tile * tile * sizeof(dtype), ceil_div((" + down + " + " + before +
                      ") * (" + across + " + 16 / sizeof(dtype) + 1) * sizeof(dtype), 16) * 16)";
  /// Where a row of in fits a page of memory, as 2 KiB do, its tiles are taken soon after one another.
  std::string band = "if(band > 0, band, if(columns * sizeof(dtype) <= 2048, 64, 2147483647))";

 private:
  /// Strips of rows that begin anywhere have tiles of another shape, so that few work-items are idle.
  [[nodiscard]] std::string shape(const std::string& of_narrow, const std::string& of_flat) const {
    return "if(" + packed + ", tile, if(2 * columns <= tile, " + of_narrow +
           ", if(2 * (rows + 32 / sizeof(dtype) - 1) <= tile, " + of_flat + ", tile)))";
  }
};

/// Its tiles have a multiple of 8 packs in a row where packed, else 4 or a multiple of 8.
VariantInfo swizzled() {
  VariantInfo variant = transpose_variant(
      "swizzled",
      "16-byte accesses to local memory, too, squares turned in registers, tiles taken in bands; where "
      "rows "
      "begin anywhere, in tiles that begin where the sectors of out do. Limited by memory bandwidth.");
  variant.tunables = {{"tile",
                       std::int64_t{64},
                       "Edge of the square of elements that a work-group moves.",
                       {"tile == 32 or tile == 64"},
                       {std::int64_t{32}, std::int64_t{64}}},
                      {"items",
                       std::int64_t{256},
                       "Work-items per work-group. Where rows begin anywhere, a multiple of 128.",
                       {"items >= 1", "items <= 1024"},
                       {std::int64_t{128}, std::int64_t{256}, std::int64_t{512}}},
                      {"band",
                       std::int64_t{0},
                       "Height in tiles of the bands in which work-groups go through the matrix. 0: all of "
                       "it, or 64 where rows of in are no longer than 2 KiB.",
                       {"band >= 0"},
                       {std::int64_t{0}, std::int64_t{2}, std::int64_t{64}}}};
  const SwizzledTiles tiles;
  variant.require = {tiles.packed + " or items % 128 == 0"};
  LaunchSpec launch;
  launch.source = "transpose_swizzled.cl";
  launch.entry = "transpose_swizzled";
  launch.defines = {{"REAL", "ctype(dtype)"},
                    {"USE_FP64", "dtype == 'f64'"},
                    {"WIDTH", "16 / sizeof(dtype)"},
                    {"RUN", tiles.down},
                    {"ACROSS", tiles.across},
                    {"BEFORE", tiles.before},
                    {"PACKED", tiles.packed},
                    {"BAND", tiles.band},
                    {"ITEMS", "items"},
                    {"SMALL", "0"},
                    {"FLAT", "0"},
                    {"TALL", "0"}};
  launch.block = {"items", "1", "1"};
  launch.grid = {
      "ceil_div(columns, " + tiles.across + ") * ceil_div(rows + " + tiles.before + ", " + tiles.down + ")",
      "1", "1"};
  launch.local_bytes = tiles.bytes;
  launch.arguments = {"in", "out", "rows", "columns"};
  variant.kernel = KernelSpec{{launch}, {}};
  variant.access = patterns::transposed_whole();
  return variant;
}

VariantInfo swizzled_best() {
  VariantInfo variant = transpose_variant(
      "swizzled_best",
      "For GPUs: `swizzled` in the way that suits the matrix: small ones and those of few rows or columns "
      "in ways of their own, the others in tiles by type. Latency limits small ones, memory bandwidth the "
      "others.");
  variant.device_types = {DeviceType::gpu};
  variant.access = patterns::transposed_whole();
  return variant;
}

#ifdef BENCHCTL_OPENCL_CLBLAST
VariantInfo transpose_vendor() {
  VariantInfo variant = transpose_variant("vendor", "CLBlast's omatcopy. The yardstick.");
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Work> make_transpose_vendor(const OpenDevice& device, const Buffers& buffers,
                                            const PrepareRequest& /*request*/) {
  return make_clblast_transpose(device, buffers);
}
#endif

const Table::Registration transpose_registration([] {
  std::vector<Table::Entry> entries = source_files(gpu::transpose_variants(".cl"));
  entries.push_back({swizzled()});
  entries.push_back({swizzled_best(), &make_swizzled_best});
#ifdef BENCHCTL_OPENCL_CLBLAST
  entries.push_back({transpose_vendor(), &make_transpose_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
