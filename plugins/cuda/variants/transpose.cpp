// Variants of workload `transpose`.
#include <benchctl/patterns/transpose.hpp>

#include "execution.hpp"
#include "swizzled_best.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo transpose_variant(const char* name, const char* doc) {
  VariantInfo variant = gpu_variant("transpose", name, doc);
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch) {
  VariantInfo variant = transpose_variant(name, doc);
  variant.architectures = all_architectures();
  variant.tunables = {{"tile",
                       std::int64_t{32},
                       "Edge of the square of elements that a block moves.",
                       {"tile >= 1", "tile <= 64"},
                       {std::int64_t{16}, std::int64_t{32}, std::int64_t{64}}},
                      {"block_rows",
                       std::int64_t{8},
                       "Rows of threads in a block: each thread moves tile / block_rows elements.",
                       {"block_rows >= 1", "tile % block_rows == 0"},
                       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
  // A grid has at most 65535 blocks in y.
  variant.require = {"ceil_div(rows, tile) <= 65535"};
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["TILE"] = "tile";
  launch.defines["BLOCK_ROWS"] = "block_rows";
  launch.block = {"tile", "block_rows", "1"};
  launch.grid = {"ceil_div(columns, tile)", "ceil_div(rows, tile)", "1"};
  launch.arguments = {"in", "out", "rows", "columns"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo naive() {
  LaunchSpec launch;
  launch.source = "transpose_naive.cu";
  launch.entry = "transpose_naive";
  VariantInfo variant = kernel_variant(
      "naive", "Coalesced reads, writes a row of out apart; limited by what the caches join of them.",
      launch);
  variant.access = patterns::transposed_directly();
  return variant;
}

VariantInfo tiled(const char* name, const char* doc, const std::string& padding) {
  LaunchSpec launch;
  launch.source = "transpose_shared.cu";
  launch.entry = "transpose_shared";
  launch.defines["PADDING"] = padding;
  launch.local_bytes = "tile * (tile + " + padding + ") * sizeof(dtype)";
  VariantInfo variant = kernel_variant(name, doc, launch);
  variant.access = patterns::transposed_in_shared_memory(padding);
  return variant;
}

VariantInfo transpose_vectorized() {
  LaunchSpec launch;
  launch.source = "transpose_vectorized.cu";
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
  variant.access = patterns::transposed_in_packs();
  return variant;
}

/// Shapes of its tiles, in elements, their order and their threads.
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
  /// A tile of doubles takes twice the shared memory, so that fewer blocks are resident.
  std::string threads = "if(threads_per_block > 0, threads_per_block, 64 * sizeof(dtype))";

 private:
  /// Strips of rows that begin anywhere have tiles of another shape, so that few threads are idle.
  [[nodiscard]] std::string shape(const std::string& of_narrow, const std::string& of_flat) const {
    return "if(" + packed + ", tile, if(2 * columns <= tile, " + of_narrow +
           ", if(2 * (rows + 32 / sizeof(dtype) - 1) <= tile, " + of_flat + ", tile)))";
  }
};

/// Its tiles have a multiple of 8 packs in a row where packed, else 4 or a multiple of 8.
VariantInfo swizzled() {
  VariantInfo variant =
      transpose_variant("swizzled",
                        "16-byte accesses to shared memory, too, squares turned in registers, tiles taken "
                        "in bands; where rows begin anywhere, in tiles that begin where the sectors of out "
                        "do. Limited by memory bandwidth.");
  variant.architectures = all_architectures();
  variant.tunables = {
      {"tile",
       std::int64_t{64},
       "Edge of the square of elements that a block moves.",
       {"tile == 32 or tile == 64"},
       {std::int64_t{32}, std::int64_t{64}}},
      {"threads_per_block",
       std::int64_t{0},
       "Threads per block. 0: 256, of doubles 512.",
       {"threads_per_block >= 0", "threads_per_block <= 1024", "threads_per_block % 128 == 0"},
       {std::int64_t{0}, std::int64_t{128}, std::int64_t{256}, std::int64_t{512}}},
      {"band",
       std::int64_t{0},
       "Height in tiles of the bands in which blocks go through the matrix. 0: all of it, or 64 "
       "where rows of in are no longer than 2 KiB.",
       {"band >= 0"},
       {std::int64_t{0}, std::int64_t{2}, std::int64_t{64}}}};
  const SwizzledTiles tiles;
  LaunchSpec launch;
  launch.source = "transpose_swizzled.cu";
  launch.entry = "transpose_swizzled";
  launch.defines = {{"REAL", "ctype(dtype)"},
                    {"WIDTH", "16 / sizeof(dtype)"},
                    {"RUN", tiles.down},
                    {"ACROSS", tiles.across},
                    {"BEFORE", tiles.before},
                    {"PACKED", tiles.packed},
                    {"BAND", tiles.band},
                    {"THREADS", tiles.threads},
                    {"SMALL", "0"},
                    {"FLAT", "0"},
                    {"TALL", "0"}};
  launch.block = {tiles.threads, "1", "1"};
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
      "`swizzled` in the way that suits the matrix: small ones and those of few rows or columns in ways of "
      "their own, the others in tiles by type. Latency limits small ones, memory bandwidth the others.");
  variant.features = {"mma_sync"};  // cp.async came with it, at compute capability 8.0
  variant.access = patterns::transposed_whole();
  return variant;
}

VariantInfo transpose_vendor() {
  VariantInfo variant = transpose_variant("vendor", "cuBLAS's geam with one operand. The yardstick.");
  variant.vendor = true;
  return variant;
}

/// cuBLAS counts in columns: what is row-major to us is its own transpose there, for in and out alike.
class VendorTranspose final : public PreparedExecution {
 public:
  explicit VendorTranspose(DeviceProblem& problem)
      : PreparedExecution(problem),
        blas_(context().cublas()),
        in_(problem.spec().position_of_buffer("in")),
        out_(problem.spec().position_of_buffer("out")),
        rows_(size("rows")),
        columns_(size("columns")) {}

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return blas_.notes();
  }

 protected:
  void enqueue(std::uint32_t set) override {
    if (problem().spec().buffers[in_].type == DType::f64) {
      transpose<double>(blas_.api().dgeam, set);
    } else {
      transpose<float>(blas_.api().sgeam, set);
    }
  }
  [[nodiscard]] std::uint32_t operations() const override { return 1; }
  [[nodiscard]] std::string title() const override { return "cuBLAS's transpose"; }

 private:
  [[nodiscard]] int size(const char* name) const {
    const ProblemSpec& spec = problem().spec();
    return static_cast<int>(std::get<std::int64_t>(spec.scalars[spec.position_of_scalar(name)].value));
  }

  template <class Real, class Geam>
  void transpose(Geam geam, std::uint32_t set) {
    const Real one = 1;
    const Real zero = 0;
    const auto* in = reinterpret_cast<const Real*>(problem().address(set, in_));
    auto* out = reinterpret_cast<Real*>(problem().address(set, out_));
    // The second operand is multiplied by zero and never read.
    blas_.api().check(geam(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows_, columns_, &one, in, columns_,
                           &zero, out, rows_, out, rows_),
                      "transposing with cuBLAS");
  }

  CublasHandle& blas_;
  std::size_t in_;
  std::size_t out_;
  int rows_;
  int columns_;
};

std::unique_ptr<Prepared> make_transpose_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<VendorTranspose>(problem);
}

const Table::Registration transpose_registration([] {
  return std::vector<Table::Entry>{
      {naive()},
      {tiled("shared",
             "Through a tile in shared memory, both global sides coalesced; limited by bank conflicts when "
             "the tile is read down its columns.",
             "0")},
      {tiled("shared_padded",
             "As `shared`, with a column of padding that takes the conflicts away; limited by memory "
             "bandwidth.",
             "1")},
      {transpose_vectorized()},
      {swizzled()},
      {swizzled_best(), &make_swizzled_best},
      {transpose_vendor(), &make_transpose_vendor}};
});

}  // namespace

}  // namespace benchctl::cuda
