// Variants of workload `matmul` on tensor cores.
#include "narrow.hpp"
#include "prepared_narrow_matmul.hpp"
#include "table.hpp"
#include "tensor_product.hpp"
#include "wgmma_product.hpp"

namespace benchctl::cuda {

namespace {

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
  const bool split = type == Narrow::three_tf32;
  const std::vector<Value> edges{std::int64_t{64}, std::int64_t{128}, std::int64_t{256}};
  variant.tunables = {{"tile_m",
                       std::int64_t{128},
                       "Rows of C per block.",
                       {"tile_m == 64 or tile_m == 96 or tile_m == 128 or tile_m == 256"},
                       {std::int64_t{64}, std::int64_t{96}, std::int64_t{128}, std::int64_t{256}}},
                      {"tile_n",
                       std::int64_t{type == Narrow::tf32 ? 256 : 128},
                       "Columns of C per block.",
                       {"tile_n == 32 or tile_n == 64 or tile_n == 128 or tile_n == 256"},
                       edges},
                      {"stages",
                       std::int64_t{type == Narrow::tf32 ? 4 : 3},
                       "Slabs in shared memory, the one being multiplied included.",
                       {"stages >= 2", "stages <= 8"},
                       {std::int64_t{2}, std::int64_t{3}, std::int64_t{4}}},
                      {"depth",
                       std::int64_t{type == Narrow::tf32 ? 16
                                    : split              ? 32
                                                         : 64},
                       "Length of a slab along k.",
                       {tf32 ? "depth == 16 or depth == 32" : "depth == 32 or depth == 64"},
                       {std::int64_t{tf32 ? 16 : 32}, std::int64_t{tf32 ? 32 : 64}}},
                      {"workers",
                       std::int64_t{0},
                       "Blocks per multiprocessor that share out the tiles evenly, some of them in two "
                       "parts of k; 0 for a block per tile.",
                       {"workers >= 0", "workers <= 2"},
                       {std::int64_t{0}, std::int64_t{1}}}};
  // Registers of a multiprocessor suffice for 8 warps.
  variant.require = split ? std::vector<std::string>{"tile_m * tile_n <= 16384", "tile_n <= 128"}
                          : std::vector<std::string>{"tile_m * tile_n <= 32768"};
  // Of narrow tiles a warp has 16 rows at least, and all of their columns.
  variant.require.emplace_back("tile_n > 32 or tile_m == 64 or tile_m == 128");
  // All threads copy whole rows of a slab of A at a time.
  const std::string deep = tf32 ? "32" : "64";
  variant.require.push_back("tile_m != 96 or depth == " + deep + " or tile_n < " + (split ? "128" : "256"));
  // What a block keeps from tile to tile has room in registers in these.
  variant.require.emplace_back(split  ? "workers == 0"
                               : tf32 ? "workers == 0 or tile_m <= 96"
                                      : "workers == 0 or tile_m <= 96 or tile_m * tile_n == 32768");
  LaunchSpec launch;
  launch.source = "matmul_tensor.cu";
  launch.entry = "matmul_tensor";
  const auto copied_at_once = [tf32](const std::string& row) {
    return tf32 ? "if(" + row + " % 4 == 0, 16, if(" + row + " % 2 == 0, 8, 4))"
                : "if(" + row + " % 8 == 0, 16, if(" + row + " % 4 == 0, 8, if(" + row +
                      " % 2 == 0, 4, 2)))";
  };
  // A warp has 64 × 64 elements of C, or what there is; where operands have two parts, 64 × 32.
  const std::string warp_rows = "if(tile_n == 32, floor_div(tile_m, 4), min(floor_div(tile_m, 2), 64))";
  const std::string warp_columns = split ? "32" : "if(tile_n >= 128, 64, 32)";
  launch.defines = {{"TF32", tf32 ? "1" : "0"},
                    {"TERMS", split ? "3" : "1"},
                    {"TILE_M", "tile_m"},
                    {"TILE_N", "tile_n"},
                    {"WARP_M", warp_rows},
                    {"WARP_N", warp_columns},
                    {"STAGES", "stages"},
                    {"DEPTH", "depth"},
                    {"EVEN", "if(workers == 0, 0, 1)"},
                    {"SPLITS", "1"},
                    {"BAND", "8"},
                    {"A_BYTES", copied_at_once("k")},
                    {"B_BYTES", copied_at_once("n")}};
  launch.block = {"tile_m / " + warp_rows + " * (tile_n / " + warp_columns + ") * 32", "1", "1"};
  const std::string tiles = "ceil_div(m, tile_m) * ceil_div(n, tile_n)";
  const std::string blocks = "if(workers == 0, " + tiles + ", min(" + tiles + ", workers * compute_units))";
  launch.grid = {blocks, "1", "1"};
  launch.shared_bytes = std::string("stages * (tile_m + tile_n) * depth * ") + (tf32 ? "4" : "2");
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  variant.kernel =
      KernelSpec{{launch},
                 {{"partial", DType::f32, "max(4, if(workers == 0, 0, " + blocks + ") * tile_m * tile_n)"},
                  {"finished", DType::u32, tiles}}};
  return variant;
}

/// The same kernel in a tiling that is chosen when the product is known.
VariantInfo matmul_tensor_best(Narrow type) {
  VariantInfo variant = matmul_tensor(type);
  variant.doc =
      "`" + variant.name +
      "` in the tiling that a table of times expects to be the fastest for the size of the product "
      "and the number of multiprocessors.";
  variant.name += "_best";
  variant.require.clear();
  variant.tunables.clear();
  variant.architectures.clear();
  variant.kernel.reset();
  return variant;
}

/// What all products by Hopper's matrix instruction of a warpgroup are cut up by. Defaults are tiles of
/// `most_m` rows, and 4 stages.
std::vector<TunableInfo> wgmma_tunables(std::int64_t least_m, std::int64_t most_m, bool wide = false) {
  const std::string widths = "tile_n == 64 or tile_n == 128 or tile_n == 192";
  return {{"tile_m",
           most_m,
           "Rows of C per block.",
           {"tile_m >= " + std::to_string(least_m), "tile_m <= " + std::to_string(most_m)},
           numbers({64, 80, 112, 128, most_m})},
          {"tile_n",
           std::int64_t{128},
           wide ? "Columns of C per block, 64 per warpgroup that multiplies; 128 or 192 of each of two "
                  "where tiles are 256 or 384 columns wide."
                : "Columns of C per block, 64 per warpgroup that multiplies.",
           {wide ? widths + " or tile_n == 256 or tile_n == 384" : widths},
           numbers({64, 128})},
          {"stages",
           std::int64_t{4},
           "Slabs in shared memory, the one being multiplied included.",
           {"stages >= 2", "stages <= 8"},
           numbers({2, 3, 4})},
          {"splits",
           std::int64_t{1},
           "Blocks of a cluster that share a tile, each for a part of k.",
           {"splits == 1 or splits == 2 or splits == 4 or splits == 8"},
           numbers({1, 2, 4})},
          {"band",
           std::int64_t{8},
           "Height in tiles of the bands in which blocks go through C.",
           {"band >= 1"},
           numbers({2, 4, 8})}};
}

/// Launches as many clusters as run at the same time, or where a tile's sums are shared one for each tile.
/// Clusters of more than two blocks leave multiprocessors over (30 of 33 fit the H200).
void add_wgmma_launch(VariantInfo& variant, LaunchSpec& launch, Narrow type) {
  const bool bf16 = type == Narrow::bf16;
  const bool three = type == Narrow::three_tf32;
  const std::string share = three ? "1" : "share";
  const std::string across = three ? "1" : "across";
  launch.defines = {{"TILE_M", "tile_m"}, {"TILE_N", "tile_n"}, {"DEPTH", bf16 ? "64" : "32"},
                    {"STAGES", "stages"}, {"BAND", "band"},     {"SPLITS", "splits"},
                    {"SHARE", share},     {"ACROSS", across}};
  if (!three) launch.defines["LATE"] = "late";
  if (three) {
    launch.defines["PROMOTE"] = "promote";
    launch.defines["APART"] = "apart";
  }
  // Two warpgroups multiply where tiles are wider than three pieces of 64 columns, and a third one feeds
  // them.
  const std::string pieces = bf16 ? "if(tile_n > 192, floor_div(tile_n, 128), 1)" : "1";
  launch.block = {bf16 ? "if(tile_n > 192, 384, 32 + tile_n * 2)" : "128 + tile_n * 2", "1", "1"};
  const std::string blocks = "(splits * " + share + " * " + across + ")";
  const std::string groups = "ceil_div(m, tile_m * " + share + ") * ceil_div(n, tile_n * " + across + ")";
  launch.grid = {"if(splits > 1, " + groups + ", min(" + groups + ", max(1, floor_div(compute_units - if(" +
                     blocks + " > 2, floor_div(compute_units, 11), 0), " + blocks + ")))) * " + blocks,
                 "1", "1"};
  // Slabs, the others' sums, rows of C on their way out.
  const std::string rows =
      bf16 ? "min(tile_m / splits, if(tile_n > 192, 32, 64)) * (tile_n / 64 / " + pieces + " * 144)"
           : std::string("min(tile_m / splits, 64) * tile_n * 4");
  launch.shared_bytes =
      std::string("stages * (tile_m") + (three ? " * 2" : "") +
      " + tile_n) * 128 + (splits - 1) * tile_m * tile_n * 4 / splits + " +
      (three ? rows : "if(late > 0, late * tile_n * " + std::string(bf16 ? "2" : "4") + ", " + rows + ")") +
      " + 1024";
  launch.local_bytes =
      launch.shared_bytes + (three ? " + ceil_div(3 * stages + 1, 2) * 16" : " + (stages + 1) * 16");
  // Blocks that share a tile write whole eights of rows; of float matrices pairs of them.
  variant.require.emplace_back(std::string("tile_m % (") + (bf16 ? "8" : "16") + " * splits) == 0");
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
  variant.features = {"wgmma"};
  variant.architectures = {"sm_90a"};
  variant.require = tf32 ? std::vector<std::string>{"n % 4 == 0", "k % 4 == 0"}
                         : std::vector<std::string>{"n % 8 == 0", "k % 8 == 0"};
  variant.require.emplace_back(tf32 ? "tile_m * tile_n <= 32768 and (tile_n < 192 or tile_m <= 128)"
                                    : "tile_m * tile_n <= if(tile_n > 192, 40960, 38400)");
  variant.require.emplace_back("splits == 1 or (tile_m * tile_n <= 24576 and tile_n <= 192)");
  variant.tunables = wgmma_tunables(tf32 ? 64 : 48, 256, !tf32);
  // Parts of a slab of B are 8 rows at least.
  variant.tunables.push_back(
      {"share",
       std::int64_t{tf32 ? 1 : 2},
       "Blocks of a cluster below each other that fetch B for each other.",
       {std::string("share == 1 or share == 2 or share == 4") + (tf32 ? "" : " or share == 8")},
       numbers({1, 2, 4})});
  variant.tunables.push_back({"across",
                              std::int64_t{1},
                              "Blocks of a cluster beside each other that fetch A for each other.",
                              {"across == 1 or across == 2 or across == 4 or across == 8"},
                              numbers({1, 2, 4})});
  variant.tunables.push_back({"late",
                              std::int64_t{0},
                              "Rows of a tile that leave while the next one is multiplied.",
                              {"late >= 0", "late <= tile_m",
                               "late == tile_m or (late % 16 == 0 and tile_m % 16 == 0) or late == 0"},
                              numbers({0, 64, 128})});
  variant.require.emplace_back("share * across * splits <= 8");
  variant.require.emplace_back("late == 0 or (splits == 1 and tile_n != 192)");
  LaunchSpec launch;
  launch.source = tf32 ? "matmul_wgmma_tf32.cu" : "matmul_wgmma_bf16.cu";
  launch.entry = tf32 ? "matmul_wgmma_tf32" : "matmul_wgmma_bf16";
  add_wgmma_launch(variant, launch, type);
  launch.arguments = {"A", "B", "C", "m", "n", "k"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

/// With the same instruction, three products added up. Where A is taken apart by the product itself, the
/// first launch is left out (wgmma_product.cpp).
VariantInfo matmul_wgmma_3xtf32() {
  VariantInfo variant = tensor_variant("wgmma_3xtf32",
                                       "f32 matrices at the accuracy of f32 arithmetic, as three products "
                                       "in tf32 by wgmma; limited by a third "
                                       "of the tensor cores' rate.",
                                       Narrow::three_tf32);
  variant.features = {"wgmma"};
  variant.architectures = {"sm_90a"};
  variant.require = {"n % 4 == 0", "k % 4 == 0", "tile_n <= 128", "splits == 1 or tile_m <= 96",
                     "splits == 1 or promote > 1 or apart == 1"};
  variant.tunables = wgmma_tunables(64, 128);
  variant.tunables.push_back(
      {"promote",
       std::int64_t{2},
       "Slabs of 32 steps of k after which sums leave the tensor cores, which do not round.",
       {"promote == 1 or promote == 2 or promote == 4"},
       numbers({1, 2, 4})});
  variant.tunables.push_back({"apart",
                              std::int64_t{1},
                              "1: A is taken apart by a launch of its own. 0: by warps of each block.",
                              {"apart == 0 or apart == 1"},
                              numbers({0, 1})});
  LaunchSpec split;
  split.source = "split_tf32.cu";
  split.entry = "split_tf32";
  split.block = {"256", "1", "1"};
  split.grid = {"min(ceil_div(m * k, 1024), compute_units * 16)", "1", "1"};
  split.arguments = {"A", "high", "low", "m", "k"};
  LaunchSpec product;
  product.source = "matmul_wgmma_3xtf32.cu";
  product.entry = "matmul_wgmma_3xtf32";
  add_wgmma_launch(variant, product, Narrow::three_tf32);
  product.arguments = {"high", "low", "B", "C", "m", "n", "k"};
  const std::string elements = "if(apart == 1, m * k, 4)";
  variant.kernel =
      KernelSpec{{split, product}, {{"high", DType::f32, elements}, {"low", DType::f32, elements}}};
  return variant;
}

/// The same kernels in a tiling that is chosen when the product is known.
VariantInfo matmul_wgmma_best(Narrow type) {
  VariantInfo variant = matmul_wgmma_3xtf32();
  if (type != Narrow::three_tf32) variant = matmul_wgmma(type);
  variant.name += "_best";
  variant.doc =
      "`" + variant.name.substr(0, variant.name.size() - 5) +
      "` in the tiling that a model expects to be the fastest for the size of the product and the "
      "number of multiprocessors; where rows begin within 16 bytes, from copies that a first launch makes.";
  variant.require.clear();
  variant.tunables.clear();
  variant.architectures.clear();
  variant.kernel.reset();
  return variant;
}

/// The quickest of several tilings of these and of the kernels by wgmma.
VariantInfo matmul_tensor_tuned(Narrow type) {
  VariantInfo variant = matmul_tensor_best(type);
  const std::string kernel = variant.name.substr(0, variant.name.size() - 5);
  variant.doc =
      "What `" + kernel +
      "_best` chooses and the four next tilings by its times, and the five first of `wgmma_" +
      kernel.substr(7) +
      "_best` where the GPU has wgmma, each compiled and tried on the GPU and the matrices at hand: "
      "the quickest of them.";
  variant.name = kernel + "_tuned";
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

const Table::Registration matmul_tensor_registration([] {
  return std::vector<Table::Entry>{{matmul_tensor(Narrow::tf32)},
                                   {matmul_tensor(Narrow::bf16)},
                                   {matmul_tensor(Narrow::three_tf32)},
                                   {matmul_tensor_best(Narrow::tf32), &make_tensor_tf32_best},
                                   {matmul_tensor_best(Narrow::bf16), &make_tensor_bf16_best},
                                   {matmul_tensor_tuned(Narrow::tf32), &make_tensor_tf32_tuned},
                                   {matmul_tensor_tuned(Narrow::bf16), &make_tensor_bf16_tuned},
                                   {matmul_wgmma(Narrow::tf32), &make_wgmma_product},
                                   {matmul_wgmma(Narrow::bf16), &make_wgmma_product},
                                   {matmul_wgmma_3xtf32(), &make_wgmma_product},
                                   {matmul_wgmma_best(Narrow::tf32), &make_wgmma_tf32_best},
                                   {matmul_wgmma_best(Narrow::bf16), &make_wgmma_bf16_best},
                                   {matmul_wgmma_best(Narrow::three_tf32), &make_wgmma_3xtf32_best},
                                   {matmul_vendor_narrow(Narrow::tf32), &make_vendor_narrow},
                                   {matmul_vendor_narrow(Narrow::bf16), &make_vendor_narrow}};
});

}  // namespace

}  // namespace benchctl::cuda
