// Variants of workload `matmul` on tensor cores.
#include "prepared_narrow_matmul.hpp"
#include "table.hpp"
#include "wgmma_product.hpp"

namespace benchctl::cuda {

namespace {

/// bf16 matrices, f32 matrices rounded to tf32 on the way into the tensor cores, or f32 matrices each as
/// the sum of two in tf32, of whose four products three count.
enum class Narrow : std::uint8_t { tf32, bf16, three_tf32 };

bool is_tf32(Narrow type) { return type != Narrow::bf16; }

VariantInfo tensor_variant(const char* name, const char* doc, Narrow type) {
  VariantInfo variant = gpu_variant("matmul", name, doc);
  variant.dtypes = {is_tf32(type) ? DType::f32 : DType::bf16};
  if (type != Narrow::three_tf32) variant.precision = is_tf32(type) ? "tf32" : "bf16";
  variant.compute_path = is_tf32(type) ? "mma_tf32" : "mma_bf16";
  return variant;
}

/// With the matrix instruction of a warp.
VariantInfo matmul_tensor(Narrow type) {
  const bool tf32 = is_tf32(type);
  const auto named = [&]() -> std::pair<const char*, const char*> {
    switch (type) {
      case Narrow::tf32:
        return {"tensor_tf32",
                "f32 matrices rounded to tf32, tensor cores by mma.sync, slabs of k staged by "
                "asynchronous copies; limited by the tensor cores."};
      case Narrow::bf16:
        return {"tensor_bf16",
                "bf16 matrices, tensor cores by mma.sync, slabs of k staged by asynchronous copies; "
                "limited by the tensor cores."};
      case Narrow::three_tf32:
        break;
    }
    return {
        "tensor_3xtf32",
        "f32 matrices at the accuracy of f32 arithmetic, as three products in tf32 by mma.sync; limited "
        "by a third of the tensor cores' rate."};
  };
  VariantInfo variant = tensor_variant(named().first, named().second, type);
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
  if (type == Narrow::three_tf32) variant.require = {"tile_m * tile_n <= 16384"};
  LaunchSpec launch;
  launch.source = "matmul_tensor.cu";
  launch.entry = "matmul_tensor";
  const auto copied_at_once = [tf32](const std::string& row) {
    return tf32 ? "if(" + row + " % 4 == 0, 16, if(" + row + " % 2 == 0, 8, 4))"
                : "if(" + row + " % 8 == 0, 16, if(" + row + " % 4 == 0, 8, if(" + row +
                      " % 2 == 0, 4, 2)))";
  };
  launch.defines = {{"TF32", tf32 ? "1" : "0"},
                    {"TERMS", type == Narrow::three_tf32 ? "3" : "1"},
                    {"TILE_M", "tile_m"},
                    {"TILE_N", "tile_n"},
                    {"STAGES", "stages"},
                    {"DEPTH", "depth"},
                    {"A_BYTES", copied_at_once("k")},
                    {"B_BYTES", copied_at_once("n")}};
  // A warp has 64 × 64 elements of C, or what there is; where operands have two parts, 64 × 32.
  const std::string warp_columns = type == Narrow::three_tf32 ? "32" : "if(tile_n >= 128, 64, 32)";
  launch.block = {"tile_m / if(tile_m >= 128, 64, 32) * (tile_n / " + warp_columns + ") * 32", "1", "1"};
  launch.grid = {"ceil_div(m, tile_m) * ceil_div(n, tile_n)", "1", "1"};
  launch.shared_bytes = tf32 ? "stages * (tile_m * (depth * 4 + 16) + depth * (tile_n + 8) * 4)"
                             : "stages * (tile_m * (depth * 2 + 16) + depth * (tile_n + 8) * 2)";
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {"A", "B", "C", "m", "n", "k"};
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
  launch.arguments = {"A", "B", "C", "m", "n", "k"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

/// With the same instruction, in two launches: A is taken apart, then three products are added up.
VariantInfo matmul_wgmma_3xtf32() {
  VariantInfo variant = tensor_variant("wgmma_3xtf32",
                                       "f32 matrices at the accuracy of f32 arithmetic, as three products "
                                       "in tf32 by wgmma; limited by a third "
                                       "of the tensor cores' rate.",
                                       Narrow::three_tf32);
  variant.features = {"wgmma"};
  variant.architectures = {"sm_90a"};
  variant.require = {"n % 4 == 0", "k % 4 == 0"};
  variant.tunables = {
      {"stages",
       std::int64_t{4},
       "Slabs in shared memory, the one being multiplied included.",
       {"stages >= 2", "stages <= 4"},
       {std::int64_t{2}, std::int64_t{3}, std::int64_t{4}}},
      {"promote",
       std::int64_t{2},
       "Slabs of 32 steps of k after which sums leave the tensor cores, which do not round.",
       {"promote == 1 or promote == 2 or promote == 4"},
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}},
      {"band",
       std::int64_t{8},
       "Height in tiles of the bands in which blocks go through C.",
       {"band >= 1"},
       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
  LaunchSpec split;
  split.source = "split_tf32.cu";
  split.entry = "split_tf32";
  split.block = {"256", "1", "1"};
  split.grid = {"min(ceil_div(m * k, 1024), compute_units * 16)", "1", "1"};
  split.arguments = {"A", "high", "low", "m", "k"};
  LaunchSpec product;
  product.source = "matmul_wgmma_3xtf32.cu";
  product.entry = "matmul_wgmma_3xtf32";
  product.defines = {{"TILE_M", "128"},    {"TILE_N", "128"},      {"DEPTH", "32"},
                     {"STAGES", "stages"}, {"PROMOTE", "promote"}, {"BAND", "band"}};
  product.block = {"384", "1", "1"};
  product.grid = {"min(ceil_div(m, 128) * ceil_div(n, 128), compute_units)", "1", "1"};
  product.shared_bytes = "stages * 3 * 16384 + 1024";
  product.local_bytes = product.shared_bytes + " + 2 * 8 * stages";
  product.arguments = {"high", "low", "B", "C", "m", "n", "k"};
  variant.kernel =
      KernelSpec{{split, product}, {{"high", DType::f32, "m * k"}, {"low", DType::f32, "m * k"}}};
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

std::unique_ptr<Prepared> make_vendor_narrow(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedNarrowMatmul>(problem);
}

const Table::Registration registration([] {
  return std::vector<Table::Entry>{{matmul_tensor(Narrow::tf32)},
                                   {matmul_tensor(Narrow::bf16)},
                                   {matmul_tensor(Narrow::three_tf32)},
                                   {matmul_wgmma(Narrow::tf32), &make_wgmma_product},
                                   {matmul_wgmma(Narrow::bf16), &make_wgmma_product},
                                   {matmul_wgmma_3xtf32(), &make_wgmma_product},
                                   {matmul_vendor_narrow(Narrow::tf32), &make_vendor_narrow},
                                   {matmul_vendor_narrow(Narrow::bf16), &make_vendor_narrow}};
});

}  // namespace

}  // namespace benchctl::cuda
