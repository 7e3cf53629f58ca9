#include "prepared_matmul.hpp"
#include "prepared_narrow_matmul.hpp"
#include "table.hpp"
#include "wgmma_product.hpp"

namespace benchctl::cuda {

namespace {

const std::vector<std::string> matmul_arguments{"A", "B", "C", "m", "n", "k"};

VariantInfo matmul_variant(const char* name, const char* doc) {
  VariantInfo variant = gpu_variant("matmul", name, doc);
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

VariantInfo matmul_naive() {
  VariantInfo variant = matmul_variant(
      "naive",
      "One thread per element of C, operands straight from global memory: limited by load instructions.");
  variant.tunables = {
      {"block_x", std::int64_t{32}, "Threads of a block along the columns of C.", {"block_x >= 1"}},
      {"block_y", std::int64_t{8}, "Threads of a block along the rows of C.", {"block_y >= 1"}}};
  variant.architectures = all_architectures();
  LaunchSpec launch;
  launch.source = "matmul_naive.cu";
  launch.entry = "matmul_naive";
  launch.defines = {{"REAL", "ctype(dtype)"}};
  launch.block = {"block_x", "block_y", "1"};
  launch.grid = {"ceil_div(n, block_x)", "ceil_div(m, block_y)", "1"};
  launch.arguments = matmul_arguments;
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo matmul_tiled() {
  VariantInfo variant = matmul_variant(
      "tiled",
      "Square tiles of A and B staged through shared memory, one thread per element of C: each "
      "global load serves `tile` products; limited by shared-memory loads.");
  variant.tunables = {
      {"tile",
       std::int64_t{16},
       "Edge of a tile; a block has tile * tile threads.",
       {"tile >= 1"},
       {std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}, std::int64_t{32}}}};
  variant.architectures = all_architectures();
  LaunchSpec launch;
  launch.source = "matmul_tiled.cu";
  launch.entry = "matmul_tiled";
  launch.defines = {{"REAL", "ctype(dtype)"}, {"TILE", "tile"}};
  launch.block = {"tile", "tile", "1"};
  launch.grid = {"ceil_div(n, tile)", "ceil_div(m, tile)", "1"};
  launch.local_bytes = "2 * tile * tile * sizeof(dtype)";
  launch.arguments = matmul_arguments;
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

/// bf16 matrices, or f32 matrices rounded to tf32 on the way into the tensor cores.
enum class Narrow : std::uint8_t { tf32, bf16 };

VariantInfo tensor_variant(const char* name, const char* doc, Narrow type) {
  VariantInfo variant = matmul_variant(name, doc);
  const bool tf32 = type == Narrow::tf32;
  variant.dtypes = {tf32 ? DType::f32 : DType::bf16};
  variant.precision = tf32 ? "tf32" : "bf16";
  variant.compute_path = tf32 ? "mma_tf32" : "mma_bf16";
  return variant;
}

/// With the matrix instruction of a warp.
VariantInfo matmul_tensor(Narrow type) {
  const bool tf32 = type == Narrow::tf32;
  VariantInfo variant =
      tf32 ? tensor_variant("tensor_tf32",
                            "f32 matrices rounded to tf32, tensor cores by mma.sync, slabs of k staged by "
                            "asynchronous copies; limited by the tensor cores.",
                            type)
           : tensor_variant("tensor_bf16",
                            "bf16 matrices, tensor cores by mma.sync, slabs of k staged by asynchronous "
                            "copies; limited by the tensor cores.",
                            type);
  variant.features = {"mma_sync"};
  variant.architectures = all_architectures();
  const std::vector<Value> edges{std::int64_t{64}, std::int64_t{128}, std::int64_t{256}};
  variant.tunables = {{"tile_m",
                       std::int64_t{128},
                       "Rows of C per block.",
                       {"tile_m == 64 or tile_m == 128 or tile_m == 256"},
                       edges},
                      {"tile_n",
                       std::int64_t{128},
                       "Columns of C per block.",
                       {"tile_n == 64 or tile_n == 128 or tile_n == 256"},
                       edges},
                      {"stages",
                       std::int64_t{tf32 ? 3 : 2},
                       "Slabs in shared memory, the one being multiplied included.",
                       {"stages >= 2", "stages <= 8"},
                       {std::int64_t{2}, std::int64_t{3}, std::int64_t{4}}},
                      {"depth",
                       std::int64_t{tf32 ? 32 : 64},
                       "Length of a slab along k.",
                       {"depth == 32 or depth == 64"},
                       {std::int64_t{32}, std::int64_t{64}}}};
  LaunchSpec launch;
  launch.source = "matmul_tensor.cu";
  launch.entry = "matmul_tensor";
  const auto copied_at_once = [tf32](const std::string& row) {
    return tf32 ? "if(" + row + " % 4 == 0, 16, if(" + row + " % 2 == 0, 8, 4))"
                : "if(" + row + " % 8 == 0, 16, if(" + row + " % 4 == 0, 8, if(" + row +
                      " % 2 == 0, 4, 2)))";
  };
  launch.defines = {{"TF32", tf32 ? "1" : "0"},
                    {"TILE_M", "tile_m"},
                    {"TILE_N", "tile_n"},
                    {"STAGES", "stages"},
                    {"DEPTH", "depth"},
                    {"A_BYTES", copied_at_once("k")},
                    {"B_BYTES", copied_at_once("n")}};
  launch.block = {"tile_m / if(tile_m >= 128, 64, 32) * (tile_n / if(tile_n >= 128, 64, 32)) * 32", "1",
                  "1"};
  launch.grid = {"ceil_div(m, tile_m) * ceil_div(n, tile_n)", "1", "1"};
  launch.shared_bytes = tf32 ? "stages * (tile_m * (depth * 4 + 16) + depth * (tile_n + 8) * 4)"
                             : "stages * (tile_m * (depth * 2 + 16) + depth * (tile_n + 8) * 2)";
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = matmul_arguments;
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

/// With Hopper's matrix instruction of a warpgroup.
VariantInfo matmul_wgmma(Narrow type) {
  const bool tf32 = type == Narrow::tf32;
  VariantInfo variant =
      tf32 ? tensor_variant("wgmma_tf32",
                            "f32 matrices rounded to tf32, Hopper's tensor cores by wgmma, fed by the copy "
                            "engine; limited by the tensor cores.",
                            type)
           : tensor_variant(
                 "wgmma_bf16",
                 "bf16 matrices, Hopper's tensor cores by wgmma, fed by the copy engine; limited by "
                 "the tensor cores.",
                 type);
  const std::string edge = tf32 ? "tile_m" : "tile_n";  // the longer one
  variant.features = {"wgmma"};
  variant.architectures = {"sm_90a"};
  variant.require = tf32 ? std::vector<std::string>{"n % 4 == 0", "k % 4 == 0"}
                         : std::vector<std::string>{"n % 8 == 0", "k % 8 == 0"};
  variant.tunables = {
      {"stages",
       std::int64_t{4},
       "Slabs in shared memory, the one being multiplied included.",
       {"stages >= 2", "stages <= 8"},
       {std::int64_t{3}, std::int64_t{4}}},
      {edge,
       std::int64_t{256},
       tf32 ? "Rows of C per block; its columns are 128." : "Columns of C per block; its rows are 128.",
       {edge + " == 128 or " + edge + " == 256"},
       {std::int64_t{128}, std::int64_t{256}}},
      {"band",
       std::int64_t{8},
       "Height in tiles of the bands in which blocks go through C.",
       {"band >= 1"},
       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
  LaunchSpec launch;
  launch.source = tf32 ? "matmul_wgmma_tf32.cu" : "matmul_wgmma_bf16.cu";
  launch.entry = tf32 ? "matmul_wgmma_tf32" : "matmul_wgmma_bf16";
  launch.defines = {{"TILE_M", tf32 ? "tile_m" : "128"},
                    {"TILE_N", tf32 ? "128" : "tile_n"},
                    {"DEPTH", tf32 ? "32" : "64"},
                    {"STAGES", "stages"},
                    {"BAND", "band"}};
  launch.block = {"384", "1", "1"};
  launch.grid = {tf32 ? "min(ceil_div(m, tile_m) * ceil_div(n, 128), compute_units)"
                      : "min(ceil_div(m, 128) * ceil_div(n, tile_n), compute_units)",
                 "1", "1"};
  launch.shared_bytes = "stages * (128 + " + edge + ") * 128 + 1024";
  launch.local_bytes = launch.shared_bytes + " + 2 * 8 * stages";
  launch.arguments = matmul_arguments;
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo matmul_vendor_narrow(Narrow type) {
  VariantInfo variant =
      type == Narrow::tf32
          ? tensor_variant(
                "vendor_tf32",
                "cuBLASLt with tf32 arithmetic on f32 matrices, the fastest of the algorithms that "
                "it proposes. A yardstick.",
                type)
          : tensor_variant(
                "vendor_bf16",
                "cuBLASLt on bf16 matrices with sums in f32, the fastest of the algorithms that it "
                "proposes. A yardstick.",
                type);
  variant.vendor = true;
  return variant;
}

VariantInfo matmul_vendor() {
  VariantInfo variant = matmul_variant("vendor", "cuBLAS in pedantic mode: f32 stays f32. The yardstick.");
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Prepared> make_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedMatmul>(problem);
}

std::unique_ptr<Prepared> make_vendor_narrow(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedNarrowMatmul>(problem);
}

const Table::Registration registration([] {
  return std::vector<Table::Entry>{{matmul_naive()},
                                   {matmul_tiled()},
                                   {matmul_tensor(Narrow::tf32)},
                                   {matmul_tensor(Narrow::bf16)},
                                   {matmul_wgmma(Narrow::tf32), &make_wgmma_product},
                                   {matmul_wgmma(Narrow::bf16), &make_wgmma_product},
                                   {matmul_vendor(), &make_vendor},
                                   {matmul_vendor_narrow(Narrow::tf32), &make_vendor_narrow},
                                   {matmul_vendor_narrow(Narrow::bf16), &make_vendor_narrow}};
});

}  // namespace

}  // namespace benchctl::cuda
