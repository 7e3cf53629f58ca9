// Variants of workload `matmul` by Hopper's matrix instruction of a warpgroup.
#include "mapped_product.hpp"
#include "variants/narrow_products.hpp"

namespace benchctl::cuda {

namespace {

/// Tiling of all of them. Defaults are tiles of `most_m` rows, and 4 stages.
std::vector<TunableInfo> wgmma_tunables(std::int64_t least_m, std::int64_t most_m, bool wide = false) {
  const std::string widths = "tile_n == 64 or tile_n == 128 or tile_n == 192";
  std::vector<Value> heights;
  for (const std::int64_t rows : {8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 192, 208, 256}) {
    if (rows >= least_m && rows <= most_m) heights.emplace_back(rows);
  }
  return {{"tile_m",
           most_m,
           "Rows of C per block.",
           {"tile_m >= " + std::to_string(least_m), "tile_m <= " + std::to_string(most_m)},
           heights},
          {"tile_n",
           std::int64_t{128},
           wide ? "Columns of C per block, 64 per warpgroup that multiplies; 128 or 192 of each of two "
                  "where tiles are 256 or 384 columns wide."
                : "Columns of C per block, 64 per warpgroup that multiplies.",
           {wide ? widths + " or tile_n == 256 or tile_n == 384" : widths},
           wide ? numbers({64, 128, 192, 256}) : numbers({64, 128})},
          {"stages",
           std::int64_t{4},
           "Slabs in shared memory, the one being multiplied included.",
           {"stages >= 2", "stages <= 16"},
           numbers({2, 3, 4, 5, 6, 8, 12})},
          {"split_k",
           std::int64_t{1},
           "Blocks of a cluster that share a tile, each for a part of k.",
           {"split_k == 1 or split_k == 2 or split_k == 4 or split_k == 8"},
           numbers({1, 2, 4, 8}),
           true},
          {"raster",
           std::int64_t{8},
           "Raster order: height in tiles of the bands in which blocks go through C.",
           {"raster >= 1"},
           numbers({2, 4, 8})}};
}

/// Launches as many clusters as run at the same time, or where a tile's sums are shared one for each tile.
/// Clusters of more than two blocks leave multiprocessors over (30 of 33 fit the H200). The variant has its
/// tunables, and `launch` its file and the definitions that are its alone.
void describe_wgmma(VariantInfo& variant, LaunchSpec launch, Narrow type) {
  const bool bf16 = type == Narrow::bf16;
  const bool three = type == Narrow::three_tf32;
  const std::string share = three ? "1" : "cluster_m";
  const std::string across = three ? "1" : "cluster_n";
  const std::string bytes = element_size(type);
  KernelSpec& kernel = variant.kernel.emplace();
  derive_repacking(kernel, type);
  // Two warpgroups multiply where tiles are wider than three pieces of 64 columns, and a third one feeds
  // them.
  const std::string pieces = bf16 ? "if(tile_n > 192, floor_div(tile_n, 128), 1)" : "1";
  const std::string row_bytes = bf16 ? "tile_n / 64 / " + pieces + " * 144" : "tile_n * 4";
  const std::string rows =
      bf16 ? "min(tile_m / split_k, if(tile_n > 192, 32, 64))" : std::string("min(tile_m / split_k, 64)");
  kernel.derived.insert(
      kernel.derived.end(),
      {{"cluster", "split_k * " + share + " * " + across},
       {"groups", "ceil_div(m, tile_m * " + share + ") * ceil_div(n, tile_n * " + across + ")"},
       {"usable", "compute_units - if(cluster > 2, floor_div(compute_units, 11), 0)"},
       {"clusters", "if(split_k > 1, groups, min(groups, max(1, floor_div(usable, cluster))))"},
       {"slabs", std::string("stages * (tile_m") + (three ? " * 2" : "") + " + tile_n) * 128"},
       {"others_sums", "(split_k - 1) * tile_m * tile_n * 4 / split_k"},
       {"leaving_rows",
        three ? rows + " * " + row_bytes
              : "if(late > 0, late * tile_n * " + bytes + ", " + rows + " * " + row_bytes + ")"},
       {"shared", "slabs + others_sums + leaving_rows + 1024"}});
  launch.defines.insert({{"TILE_M", "tile_m"},
                         {"TILE_N", "tile_n"},
                         {"DEPTH", bf16 ? "64" : "32"},
                         {"STAGES", "stages"},
                         {"BAND", "raster"},
                         {"SPLITS", "split_k"},
                         {"SHARE", share},
                         {"ACROSS", across},
                         {"AWAITS", "repacked"},
                         {"C_BYTES", "if(repack_b == 1, " + bytes + ", 16)"}});
  launch.block = {bf16 ? "if(tile_n > 192, 384, 32 + tile_n * 2)" : "128 + tile_n * 2", "1", "1"};
  launch.grid = {"clusters * cluster", "1", "1"};
  launch.shared_bytes = "shared";
  launch.local_bytes = three ? "shared + ceil_div(3 * stages + 1, 2) * 16" : "shared + (stages + 1) * 16";
  kernel.launches = {std::move(launch)};
  // Rounds of clusters, each with its sums, as much again as fills its slabs, and sums for other blocks.
  kernel.effort =
      std::string("ceil_div(groups, max(1, floor_div(usable, cluster))) * (k / split_k + stages * ") +
      (bf16 ? "64 + 256" : "32 + 128") + " * (split_k - 1) / split_k) * tile_m * tile_n" + effort_of_copies;
  // Blocks that share a tile write whole eights of rows; of float matrices pairs of them.
  variant.require.emplace_back(std::string("tile_m % (") + (bf16 ? "8" : "16") + " * split_k) == 0");
}

VariantInfo wgmma(Narrow type) {
  const bool tf32 = type == Narrow::tf32;
  VariantInfo variant = narrow_variant(
      tf32 ? "wgmma_tf32" : "wgmma_bf16",
      tf32
          ? "f32 matrices rounded to tf32, Hopper's tensor cores by wgmma, fed by the copy engine; limited "
            "by the tensor cores."
          : "bf16 matrices, Hopper's tensor cores by wgmma, fed by the copy engine; limited by the tensor "
            "cores.",
      type);
  variant.features = {"wgmma"};
  variant.architectures = {"sm_90a"};
  variant.tunables = wgmma_tunables(tf32 ? 16 : 8, 256, !tf32);
  // Parts of a slab of B are 8 rows at least.
  variant.tunables.push_back({"cluster_m",
                              std::int64_t{tf32 ? 1 : 2},
                              "Blocks of a cluster below each other that fetch B for each other.",
                              {std::string("cluster_m == 1 or cluster_m == 2 or cluster_m == 4") +
                               (tf32 ? "" : " or cluster_m == 8")},
                              numbers({1, 2, 4})});
  variant.tunables.push_back({"cluster_n",
                              std::int64_t{1},
                              "Blocks of a cluster beside each other that fetch A for each other.",
                              {"cluster_n == 1 or cluster_n == 2 or cluster_n == 4 or cluster_n == 8"},
                              numbers({1, 2, 4})});
  variant.tunables.push_back({"late",
                              std::int64_t{0},
                              "Rows of a tile that leave while the next one is multiplied.",
                              {"late >= 0", "late <= tile_m",
                               "late == tile_m or (late % 16 == 0 and tile_m % 16 == 0) or late == 0"},
                              numbers({0, 32, 64, 128})});
  variant.require = {tf32 ? "tile_m * tile_n <= 32768 and (tile_n < 192 or tile_m <= 128)"
                          : "tile_m * tile_n <= if(tile_n > 192, 40960, 38400)",
                     "split_k == 1 or (tile_m * tile_n <= 24576 and tile_n <= 192)",
                     "cluster_m * cluster_n * split_k <= 8",
                     "late == 0 or (split_k == 1 and tile_n != 192 and tile_m >= 48)",
                     // The copy engine writes what leaves late.
                     "late == 0 or repack_b == 0",
                     // Rows that begin anywhere are written with more registers than so many sums leave.
                     "repack_b == 0 or tile_n != 192 or tile_m < 192"};
  LaunchSpec launch;
  launch.source = tf32 ? "matmul_wgmma_tf32.cu" : "matmul_wgmma_bf16.cu";
  launch.entry = tf32 ? "matmul_wgmma_tf32" : "matmul_wgmma_bf16";
  launch.defines = {{"LATE", "late"}};
  launch.arguments = {a_or_copy, b_or_copy, "C", "m", "n", "k"};
  describe_wgmma(variant, std::move(launch), type);
  add_repacking(*variant.kernel, type);
  return variant;
}

/// With the same instruction, three products added up. A is taken apart by the launch that copies rows, by
/// one of its own where there is none, or by the product itself.
VariantInfo wgmma_3xtf32() {
  VariantInfo variant = narrow_variant("wgmma_3xtf32",
                                       "f32 matrices at the accuracy of f32 arithmetic, as three products "
                                       "in tf32 by wgmma; limited by a third of the tensor cores' rate.",
                                       Narrow::three_tf32);
  variant.features = {"wgmma"};
  variant.architectures = {"sm_90a"};
  variant.require = {"tile_n <= 128", "split_k == 1 or tile_m <= 96",
                     "split_k == 1 or promote > 1 or apart == 1"};
  variant.tunables = wgmma_tunables(64, 128);
  variant.tunables.push_back(
      {"promote",
       std::int64_t{2},
       "Slabs of 32 steps of k after which sums leave the tensor cores, which do not round.",
       {"promote == 1 or promote == 2 or promote == 4"},
       numbers({1, 2, 4})});
  variant.tunables.push_back({"apart",
                              std::int64_t{1},
                              "1: A is taken apart before the product. 0: by warps of each block.",
                              {"apart == 0 or apart == 1"},
                              numbers({0, 1})});
  LaunchSpec product;
  product.source = "matmul_wgmma_3xtf32.cu";
  product.entry = "matmul_wgmma_3xtf32";
  product.defines = {{"PROMOTE", "promote"}, {"APART", "apart"}};
  product.arguments = {"if(a_copies > 0, 'rows_of_a', 'A')",
                       "if(a_copies == 2, 'rest_of_a', if(a_copies == 1, 'rows_of_a', 'A'))",
                       b_or_copy,
                       "C",
                       "m",
                       "n",
                       "k"};
  describe_wgmma(variant, std::move(product), Narrow::three_tf32);
  LaunchSpec split;
  split.source = "split_tf32.cu";
  split.entry = "split_tf32";
  split.when = "apart == 1 and repacked == 0";
  split.block = {"256", "1", "1"};
  split.grid = {"min(ceil_div(m * k, 1024), compute_units * 16)", "1", "1"};
  split.arguments = {"A", "rows_of_a", "rest_of_a", "m", "k"};
  KernelSpec& kernel = *variant.kernel;
  kernel.launches.insert(kernel.launches.begin(), split);
  add_repacking(kernel, Narrow::three_tf32, "if(apart == 1, 2, repack_a)");
  kernel.scratch.push_back({"rest_of_a", DType::f32, "if(apart == 1, m * a_row, 8)"});
  return variant;
}

const Table::Registration matmul_wgmma_registration([] {
  return std::vector<Table::Entry>{{wgmma(Narrow::tf32), &make_mapped_product},
                                   {wgmma(Narrow::bf16), &make_mapped_product},
                                   {wgmma_3xtf32(), &make_mapped_product}};
});

}  // namespace

}  // namespace benchctl::cuda
