// Variants of workload `matmul` on tensor cores by the matrix instruction of a warp, and the vendor's.
#include "gpu/joined_products.hpp"

#include "mapped_product.hpp"
#include "variants/narrow_products.hpp"
#include "vendor/prepared_narrow_matmul.hpp"

namespace benchctl::cuda {

namespace {

bool is_tf32(Narrow type) { return type != Narrow::bf16; }

/// How many bytes of rows of `length` elements can be copied at once.
std::string copied_at_once(Narrow type, const std::string& length) {
  const std::string floats = "if(" + length + " % 4 == 0, 16, if(" + length + " % 2 == 0, 8, 4))";
  return is_tf32(type) ? floats
                       : "if(" + length + " % 8 == 0, 16, if(" + length + " % 4 == 0, 8, if(" + length +
                             " % 2 == 0, 4, 2)))";
}

/// The launch of matmul_tensor.cu without what its tile decides, which is in derived values: `warp_m`,
/// `warp_n`, `tiles`, `blocks`, `parts`.
LaunchSpec tensor_launch(Narrow type) {
  LaunchSpec launch;
  launch.source = "matmul_tensor.cu";
  launch.entry = "matmul_tensor";
  launch.defines = {{"TF32", is_tf32(type) ? "1" : "0"},
                    {"TERMS", type == Narrow::three_tf32 ? "3" : "1"},
                    {"TILE_M", "tile_m"},
                    {"TILE_N", "tile_n"},
                    {"WARP_M", "warp_m"},
                    {"WARP_N", "warp_n"},
                    {"STAGES", "stages"},
                    {"DEPTH", "depth"},
                    {"SPLITS", "parts"},
                    {"BAND", "8"},
                    {"A_BYTES", copied_at_once(type, "k")},
                    {"B_BYTES", copied_at_once(type, "n")}};
  launch.block = {"tile_m / warp_m * (tile_n / warp_n) * 32", "1", "1"};
  launch.grid = {"blocks", "parts", "1"};
  launch.shared_bytes = "shared";
  launch.local_bytes = "shared";
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  return launch;
}

/// Room for the sums of so many blocks, and counters of those that ended.
std::vector<ScratchSpec> joined(const std::string& blocks) {
  return {{"partial", DType::f32, "max(4, " + blocks + " * tile_m * tile_n)"},
          {"finished", DType::u32, "tiles"}};
}

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
  VariantInfo variant = narrow_variant(named().first, named().second, type);
  variant.features = {"mma_sync"};
  variant.architectures = all_architectures();
  const bool split = type == Narrow::three_tf32;
  variant.tunables = {
      {"tile_m",
       std::int64_t{128},
       "Rows of C per block.",
       {"tile_m == 64 or tile_m == 96 or tile_m == 128 or tile_m == 256"},
       {std::int64_t{64}, std::int64_t{96}, std::int64_t{128}, std::int64_t{256}}},
      {"tile_n",
       std::int64_t{type == Narrow::tf32 ? 256 : 128},
       "Columns of C per block.",
       {"tile_n == 32 or tile_n == 64 or tile_n == 128 or tile_n == 256"},
       numbers({32, 64, 128, 256})},
      {"stages",
       std::int64_t{type == Narrow::tf32 ? 4 : 3},
       "Slabs in shared memory, the one being multiplied included.",
       {"stages >= 2", "stages <= 8"},
       numbers({2, 3, 4, 8})},
      {"depth",
       std::int64_t{type == Narrow::tf32 ? 16
                    : split              ? 32
                                         : 64},
       "Length of a slab along k.",
       {tf32 ? "depth == 16 or depth == 32" : "depth == 32 or depth == 64"},
       {std::int64_t{tf32 ? 16 : 32}, std::int64_t{tf32 ? 32 : 64}}},
      {"persistent",
       std::int64_t{0},
       "Persistent blocks per multiprocessor that share out the tiles evenly, some of them in two "
       "parts of k; 0 for a block per tile.",
       {"persistent >= 0", "persistent <= 2"},
       {std::int64_t{0}, std::int64_t{1}}},
      {"repack",
       std::int64_t{0},
       "1: a first launch copies rows that do not begin at multiples of 16 bytes.",
       {"repack == 0 or repack == 1"},
       {std::int64_t{0}, std::int64_t{1}}},
      {"least_shared",
       std::int64_t{0},
       "Bytes of shared memory that a block takes at least behind that launch, where each "
       "block has a multiprocessor: with more than half of it, the product's blocks come "
       "early without sharing one.",
       {"least_shared >= 0"},
       {std::int64_t{0}, std::int64_t{117248}}}};
  // Registers of a multiprocessor suffice for 8 warps.
  variant.require = split ? std::vector<std::string>{"tile_m * tile_n <= 16384", "tile_n <= 128"}
                          : std::vector<std::string>{"tile_m * tile_n <= 32768"};
  // In narrow tiles a warp has 16 rows at least, and all of their columns.
  variant.require.emplace_back("tile_n > 32 or tile_m == 64 or tile_m == 128");
  // All threads copy whole rows of a slab of A at a time.
  const std::string deep = tf32 ? "32" : "64";
  variant.require.push_back("tile_m != 96 or depth == " + deep + " or tile_n < " + (split ? "128" : "256"));
  // What a block keeps from tile to tile has room in registers in these.
  variant.require.emplace_back(split  ? "persistent == 0"
                               : tf32 ? "persistent == 0 or tile_m <= 96"
                                      : "persistent == 0 or tile_m <= 96 or tile_m * tile_n == 32768");
  KernelSpec& kernel = variant.kernel.emplace();
  derive_repacking(kernel, type, "repack == 0");
  // A warp has 64 × 64 elements of C, or what there is; where operands have two parts, 64 × 32.
  kernel.derived.insert(
      kernel.derived.end(),
      {{"warp_m", "if(tile_n == 32, floor_div(tile_m, 4), min(floor_div(tile_m, 2), 64))"},
       {"warp_n", split ? "32" : "if(tile_n >= 128, 64, 32)"},
       {"tiles", tiles},
       {"blocks", "if(persistent == 0, tiles, min(tiles, persistent * compute_units))"},
       {"parts", "1"},
       {"slabs", "stages * (tile_m + tile_n) * depth * " + element_size(type)},
       {"shared", "if(repacked == 1 and blocks <= compute_units, max(slabs, least_shared), slabs)"}});
  LaunchSpec launch = tensor_launch(type);
  launch.defines["EVEN"] = "if(persistent == 0, 0, 1)";
  launch.defines["AWAITS"] = "repacked";
  const auto take_copy = [&](const std::string& matrix, const std::string& copied) {
    launch.defines[matrix + "_UNIT"] = "if(" + copied + " == 1, " + elements_of(type, 128) + ", 1)";
    std::string& bytes = launch.defines[matrix + "_BYTES"];
    bytes = "if(" + copied + " == 1, 16, " + bytes + ")";
  };
  take_copy("A", "repack_a");
  take_copy("B", "repack_b");
  launch.arguments[0] = a_or_copy;
  launch.arguments[1] = b_or_copy;
  kernel.launches = {launch};
  kernel.scratch = joined("if(persistent == 0, 0, blocks)");
  kernel.effort = gpu::effort_of_tiles("1") + effort_of_copies;
  add_repacking(kernel, type);
  return variant;
}

/// The same kernel for products with few tiles: parts of k go to several blocks. It takes matrices as they
/// are. Numbers of 16 bits are shifted on their way into shared memory, floats copied one by one.
VariantInfo matmul_tensor_split_k(Narrow type) {
  const bool tf32 = type == Narrow::tf32;
  VariantInfo variant = narrow_variant(
      tf32 ? "tensor_tf32_split_k" : "tensor_bf16_split_k",
      tf32 ? "f32 matrices rounded to tf32 whose product has few tiles, by mma.sync, parts of k in several "
             "blocks; limited by reading the matrices."
           : "bf16 matrices whose product has few tiles, by mma.sync, parts of k in several blocks, rows "
             "that begin anywhere shifted on their way; limited by reading the matrices.",
      type);
  variant.features = {"mma_sync"};
  variant.architectures = all_architectures();
  variant.tunables = {
      {"tile_m",
       std::int64_t{64},
       "Rows of C per block.",
       {"tile_m == 16 or tile_m == 32 or tile_m == 64 or tile_m == 128"},
       numbers({16, 32, 64, 128})},
      {"tile_n",
       std::int64_t{64},
       "Columns of C per block.",
       {"tile_n == 32 or tile_n == 64 or tile_n == 128"},
       numbers({32, 64, 128})},
      {"stages",
       std::int64_t{tf32 ? 5 : 3},
       "Slabs of 128 bytes along k in shared memory, the one being multiplied included.",
       {"stages >= 2", "stages <= 8"},
       numbers({2, 3, 5})},
      {"resident",
       std::int64_t{2},
       "Blocks that a multiprocessor has registers for.",
       {"resident >= 1", "resident <= 3"},
       numbers({1, 2, 3})},
      {"split_k",
       std::int64_t{0},
       "Blocks that share a tile, each for a part of k; 0 for as many as run at once, with 4 slabs each.",
       {"split_k >= 0", "split_k <= 64"},
       numbers({0, 1, 2, 4, 8}),
       true}};
  KernelSpec& kernel = variant.kernel.emplace();
  kernel.derived = {{"depth", elements_of(type, 128)},
                    {"warp_m", "if(tile_m * tile_n >= 8192, 32, 16)"},
                    {"warp_n", "32"},
                    {"threads", "tile_m / warp_m * tile_n"},
                    {"tiles", tiles},
                    {"blocks", "tiles"},
                    {"slabs", "ceil_div(k, depth)"},
                    {"at_once", "floor_div(resident * compute_units, tiles)"},
                    {"parts", "if(split_k > 0, split_k, max(1, min(16, floor_div(slabs, 4), at_once)))"},
                    {"shared", "stages * (tile_m + tile_n) * 128"}};
  variant.require = {
      // Four warps at least, and of eight the registers of a multiprocessor suffice for two
      // blocks.
      "tile_m * tile_n >= 2048", "tile_m * tile_n <= 8192", "resident * threads <= 512", "parts <= slabs"};
  // Shifting takes registers.
  if (!tf32) {
    variant.require.emplace_back(
        "resident <= if(tile_m == 16, 2, if(tile_m == 128 or tile_n == 128, 1, 3))");
  }
  LaunchSpec launch = tensor_launch(type);
  launch.defines["EVEN"] = "0";
  launch.defines["SHIFTED"] = tf32 ? "0" : "1";
  launch.defines["RESIDENT"] = "resident";
  kernel.launches = {launch};
  kernel.scratch = joined("if(parts == 1, 0, tiles * parts)");
  kernel.effort = gpu::effort_of_tiles("parts", false, tf32 ? "64" : "128");
  return variant;
}

/// The quickest of these and of the kernels by wgmma.
VariantInfo matmul_tensor_tuned(Narrow type) {
  const std::string kind = type == Narrow::bf16 ? "bf16" : type == Narrow::tf32 ? "tf32" : "3xtf32";
  const std::string doc = "The quickest configuration of `wgmma_" + kind + "` and `tensor_" + kind +
                          (type == Narrow::three_tf32 ? "`" : "*`") + " in a trial.";
  VariantInfo variant = narrow_variant(("tensor_" + kind + "_tuned").c_str(), doc.c_str(), type);
  variant.features = {"mma_sync"};
  variant.tunables = choice_tunables();
  variant.among = {"wgmma_" + kind, "tensor_" + kind};
  if (type != Narrow::three_tf32) variant.among.push_back("tensor_" + kind + "_split_k");
  return variant;
}

VariantInfo matmul_vendor_narrow(Narrow type) {
  VariantInfo variant =
      type == Narrow::tf32
          ? narrow_variant(
                "vendor_tf32",
                "cuBLASLt with tf32 arithmetic on f32 matrices, the fastest of the algorithms that "
                "it proposes. A yardstick.",
                type)
          : narrow_variant(
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

const Table::Registration matmul_tensor_registration([] {
  return std::vector<Table::Entry>{{matmul_tensor(Narrow::tf32), &make_mapped_product},
                                   {matmul_tensor(Narrow::bf16), &make_mapped_product},
                                   {matmul_tensor(Narrow::three_tf32), &make_mapped_product},
                                   {matmul_tensor_split_k(Narrow::tf32)},
                                   {matmul_tensor_split_k(Narrow::bf16)},
                                   {matmul_tensor_tuned(Narrow::tf32)},
                                   {matmul_tensor_tuned(Narrow::bf16)},
                                   {matmul_tensor_tuned(Narrow::three_tf32)},
                                   {matmul_vendor_narrow(Narrow::tf32), &make_vendor_narrow},
                                   {matmul_vendor_narrow(Narrow::bf16), &make_vendor_narrow}};
});

}  // namespace

}  // namespace benchctl::cuda
