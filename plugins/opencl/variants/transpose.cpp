// Variants of workload `transpose`.
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

AccessSpec access(const char* operand, AccessSpace space, AccessKind kind, const std::string& place,
                  const std::string& active) {
  AccessSpec spec;
  spec.operand = operand;
  spec.space = space;
  spec.kind = kind;
  spec.offset = "(" + place + ") * sizeof(dtype)";
  spec.active = active;
  spec.times = "tile / block_rows";
  return spec;
}

// Of the first elements that the work-items of a group move: x along a row of in, y down its columns.
constexpr const char* inside_in = "by * tile + ty < rows and bx * tile + tx < columns";
AccessSpec read_in() {
  return access("in", AccessSpace::global, AccessKind::read, "(by * tile + ty) * columns + bx * tile + tx",
                inside_in);
}

VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch) {
  VariantInfo variant = transpose_variant(name, doc);
  variant.tunables = {{"tile",
                       std::int64_t{32},
                       "Edge of the square of elements that a work-group moves.",
                       {"tile >= 1", "tile <= 64"},
                       {std::int64_t{16}, std::int64_t{32}, std::int64_t{64}}},
                      {"block_rows",
                       std::int64_t{8},
                       "Rows of work-items in a work-group: each moves tile / block_rows elements.",
                       {"block_rows >= 1", "tile % block_rows == 0"},
                       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.defines["TILE"] = "tile";
  launch.defines["BLOCK_ROWS"] = "block_rows";
  launch.block = {"tile", "block_rows", "1"};
  launch.grid = {"ceil_div(columns, tile)", "ceil_div(rows, tile)", "1"};
  launch.arguments = {"in", "out", "rows", "columns"};
  variant.access = {read_in()};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo naive() {
  LaunchSpec launch;
  launch.source = "transpose_naive.cl";
  launch.entry = "transpose_naive";
  VariantInfo variant = kernel_variant(
      "naive", "Coalesced reads, writes a row of out apart; limited by what the caches join of them.",
      launch);
  variant.access.push_back(access("out", AccessSpace::global, AccessKind::write,
                                  "(bx * tile + tx) * rows + by * tile + ty", inside_in));
  return variant;
}

VariantInfo tiled(const char* name, const char* doc, const std::string& padding) {
  LaunchSpec launch;
  launch.source = "transpose_shared.cl";
  launch.entry = "transpose_shared";
  launch.defines["PADDING"] = padding;
  launch.local_bytes = "tile * (tile + " + padding + ") * sizeof(dtype)";
  VariantInfo variant = kernel_variant(name, doc, launch);
  const std::string pitch = "(tile + " + padding + ")";
  const std::string inside_out = "bx * tile + ty < columns and by * tile + tx < rows";
  variant.access.push_back(
      access("tile", AccessSpace::shared, AccessKind::write, "ty * " + pitch + " + tx", inside_in));
  variant.access.push_back(
      access("tile", AccessSpace::shared, AccessKind::read, "tx * " + pitch + " + ty", inside_out));
  variant.access.push_back(access("out", AccessSpace::global, AccessKind::write,
                                  "(bx * tile + ty) * rows + by * tile + tx", inside_out));
  return variant;
}

VariantInfo vectorized() {
  LaunchSpec launch;
  launch.source = "transpose_vectorized.cl";
  launch.entry = "transpose_vectorized";
  launch.defines["WIDTH"] = "16 / sizeof(dtype)";
  launch.local_bytes = "tile * (tile + 1) * sizeof(dtype)";
  VariantInfo variant = kernel_variant(
      "vectorized",
      "As `shared_padded`, with 16-byte accesses on both global sides, for rows that start at "
      "such; limited by memory bandwidth.",
      launch);
  variant.tunables[0].default_value = std::int64_t{64};
  variant.tunables[0].require.emplace_back("tile * sizeof(dtype) % 16 == 0");
  variant.tunables[1].default_value = std::int64_t{16};
  variant.require.emplace_back("rows * sizeof(dtype) % 16 == 0");
  variant.require.emplace_back("columns * sizeof(dtype) % 16 == 0");
  variant.kernel->launches[0].block[0] = "tile * sizeof(dtype) / 16";
  // Packs along x; in local memory their elements one by one, each local access standing for `width`.
  const std::string width = "(16 / sizeof(dtype))";
  const std::string inside_in_packs = "by * tile + ty < rows and bx * tile + tx * " + width + " < columns";
  const std::string inside_out = "bx * tile + ty < columns and by * tile + tx * " + width + " < rows";
  variant.access = {access("in", AccessSpace::global, AccessKind::read,
                           "(by * tile + ty) * columns + bx * tile + tx * " + width, inside_in_packs),
                    access("tile", AccessSpace::shared, AccessKind::write,
                           "ty * (tile + 1) + tx * " + width, inside_in_packs),
                    access("tile", AccessSpace::shared, AccessKind::read,
                           "tx * " + width + " * (tile + 1) + ty", inside_out),
                    access("out", AccessSpace::global, AccessKind::write,
                           "(bx * tile + ty) * rows + by * tile + tx * " + width, inside_out)};
  for (AccessSpec& spec : variant.access) {
    if (spec.space == AccessSpace::global) {
      spec.bytes = "16";
    } else {
      spec.times = "tile / block_rows * " + width;
    }
  }
  return variant;
}

#ifdef BENCHCTL_OPENCL_CLBLAST
VariantInfo vendor() {
  VariantInfo variant = transpose_variant("vendor", "CLBlast's omatcopy. The yardstick.");
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Work> make_vendor(const OpenDevice& device, const Buffers& buffers,
                                  const PrepareRequest& /*request*/) {
  return make_clblast_transpose(device, buffers);
}
#endif

const Table::Registration registration([] {
  std::vector<Table::Entry> entries{
      {naive()},
      {tiled("shared",
             "Through a tile in local memory, both global sides coalesced; limited by bank conflicts when "
             "the tile is read down its columns.",
             "0")},
      {tiled("shared_padded",
             "As `shared`, with a column of padding that takes the conflicts away; limited by memory "
             "bandwidth.",
             "1")},
      {vectorized()}};
#ifdef BENCHCTL_OPENCL_CLBLAST
  entries.push_back({vendor(), &make_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
