// Variants of workload `matmul` for GPUs, with several elements of C per work-item.
#include "gpu/first_launch.hpp"
#include "gpu/joined_products.hpp"

#include "table.hpp"

namespace benchctl::opencl {

namespace {

using gpu::chosen;
using gpu::power_at_least;
using gpu::power_of_two;
using gpu::splits_tunable;
using gpu::tunable;

/// `stages` says how many slabs local memory has room for: a number, or the name of the tunable.
VariantInfo register_tiles(const char* name, const char* doc, bool async, const std::string& stages) {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  const std::string items = "(tile_m * tile_n / (thread_m * thread_n))";
  variant.tunables = {
      tunable("tile_m", 128, "Rows of C per work-group.", {power_of_two("tile_m", 16, 256)},
              {32, 64, 128, 256}),
      tunable("tile_n", 128, "Columns of C per work-group.", {power_of_two("tile_n", 32, 256)},
              {32, 64, 128, 256}),
      tunable("depth", 8, "Length of a slab along k.", {power_of_two("depth", 8, 32)}, {8, 16, 32}),
      tunable("thread_m", 8, "Rows of C per work-item.", {power_of_two("thread_m", 4, 16)}, {4, 8, 16}),
      tunable("thread_n", 8, "Columns of C per work-item.", {power_of_two("thread_n", 4, 16)}, {4, 8, 16}),
      tunable("raster", 8, "Raster order: height in tiles of the bands in which work-groups go through C.",
              {"raster >= 1"}, {4, 8, 16}),
      gpu::by_size(tunable("split_k", 1, "Work-groups that share a tile, each for a part of k.",
                           {"split_k >= 1", "split_k <= 64", "split_k <= ceil_div(k, depth)"}, {1, 2, 4})),
      tunable("sliced_k", 1,
              "Groups of a work-group's items that share its part of a tile, each for a part of k: as many "
              "items at work on a compute unit as if it had several tiles.",
              {"sliced_k >= 1", "sliced_k <= 8"}, {1, 2, 3, 4}),
      {"along",
       std::string("rows"),
       "Order of a work-item's multiplications: along rows or columns of its part of C, or by squares of 2 "
       "or "
       "4. The compiler's choice of registers depends on it, by which times of up to a tenth differ.",
       {"along == 'rows' or along == 'columns' or along == 'squares_2' or along == 'squares_4'"},
       {std::string("rows"), std::string("columns"), std::string("squares_2"), std::string("squares_4")}}};
  // Registers of slices: what is carried of a slab, sums, operands twice, and what addresses take.
  const std::string carried = async ? "0" : "floor_div((tile_m + tile_n) * depth, " + items + ")";
  const std::string addresses = async ? "32" : "44";
  variant.require = {"thread_m * thread_n * sizeof(dtype) <= 512", "tile_m % (4 * thread_m) == 0",
                     "tile_n % (8 * thread_n) == 0", items + " * sliced_k <= 1024",
                     "sliced_k == 1 or " + items + " * sliced_k * (floor_div(sizeof(dtype), 4) * (" +
                         carried + " + thread_m * thread_n + 2 * (thread_m + thread_n)) + " + addresses +
                         ") <= 65536",
                     // Copies of A take whole tiles.
                     "tile_m * 32 % (" + items + " * sizeof(dtype)) == 0"};

  // By cp.async rows of B that begin anywhere come in packs, one more of each, if enough products share
  // them.
  const std::string before = "n % floor_div(16, sizeof(dtype))";
  const std::string b_pitch = async ? "(tile_n + if(thread_m < 8 or copies == 'words' or " + before +
                                          " == 0, 0, floor_div(16, sizeof(dtype))))"
                                    : "tile_n";
  // Padding keeps A's slab free of conflicts; where 48 KB have room for the slabs, but not for the padding,
  // the order of its packs does.
  const auto bytes = [&](const std::string& a_pitch) {
    return stages + " * sliced_k * depth * (" + a_pitch + " + " + b_pitch + ") * sizeof(dtype)";
  };
  const std::string swizzled = "if(thread_m * sizeof(dtype) >= 32 and tile_m >= 32 and " +
                               bytes("tile_m + 4") + " > 49152 and " + bytes("tile_m") + " <= 49152, 1, 0)";
  // NVIDIA's compiler is told for how many groups at a time to plan its 65536 registers: as many as sums,
  // operands and addresses leave room for. By itself it takes fewer registers than help, and puts loads too
  // late.
  const std::string spare =
      "if(thread_m * thread_n == 64 and along == 'rows' and split_k == 1 and n * sizeof(dtype) % 16 == 0, "
      "20, 28)";
  const std::string words =
      "(floor_div(sizeof(dtype), 4) * (thread_m * thread_n + 2 * (thread_m + thread_n)) + 2 * "
      "(floor_div(32 * tile_m, " +
      items + " * sizeof(dtype)) + 1) + " + spare + " + " + (async ? "if(persistent == 0, 0, 16)" : "0") +
      ")";
  const std::string groups =
      "max(1, floor_div(max(1, floor_div(512, " + words + ")) * 128, " + items + " * sliced_k))";
  const std::string tiles = "ceil_div(m, tile_m) * ceil_div(n, tile_n)";
  LaunchSpec launch;
  launch.source = "matmul_register_tiled.cl";
  launch.entry = "matmul_register_tiled";
  launch.defines = {
      {"REAL", "ctype(dtype)"},
      {"USE_FP64", "dtype == 'f64'"},
      {"TILE_M", "tile_m"},
      {"TILE_N", "tile_n"},
      {"DEPTH", "depth"},
      {"THREAD_M", "thread_m"},
      {"THREAD_N", "thread_n"},
      {"STAGES", stages},
      {"BAND", "raster"},
      {"ASYNC", async ? "1" : "0"},
      {"SPLITS", "split_k"},
      {"SLICES", "sliced_k"},
      {"SWIZZLED", swizzled},
      {"EVEN", async ? "if(persistent == 0, 0, if(persistent == 1 or " + tiles +
                           " >= persistent * compute_units, 1, 3))"
                     : "0"},
      {"ALONG", "if(along == 'rows', 0, if(along == 'columns', 1, if(along == 'squares_2', 2, 3)))"},
      {"BEFORE", before},
      {"WORDS", async ? "if(copies == 'words', 1, 0)" : "0"}};
  // Slabs that come through registers need more of them, and would spill.
  if (async) {
    launch.defines["REGISTERS"] =
        "min(255, floor_div(floor_div(65536, " + items + " * sliced_k * " + groups + "), 8) * 8)";
  }
  launch.block = {items, "sliced_k", "1"};
  const std::string shared_out =
      "min(" + tiles + " * if(persistent == 1, 1, ceil_div(k, depth)), persistent * compute_units)";
  const std::string all_groups = async ? "if(persistent == 0, " + tiles + ", " + shared_out + ")" : tiles;
  launch.grid = {all_groups, "split_k", "1"};
  launch.local_bytes = "sliced_k * " + stages + " * depth * (tile_m + 4 * (1 - " + swizzled + ") + " +
                       b_pitch + ") * sizeof(dtype)";
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  // Counted in float64 to have room for either type.
  const std::string of_parts = "if(split_k == 1, 0, " + tiles + " * split_k)";
  const std::string parts =
      async ? "if(persistent > 0, " + all_groups + " * if(persistent == 1, 1, 2), " + of_parts + ")"
            : of_parts;
  variant.kernel =
      KernelSpec{{launch},
                 {{"partial", DType::f64, "max(2, (" + parts + ") * tile_m * tile_n * sizeof(dtype) / 8)"},
                  {"finished", DType::u32, tiles + " * split_k"}},
                 {{"tiles", tiles}}};
  variant.kernel->effort =
      "ceil_div(tiles * split_k, compute_units) * (k / split_k + " + stages + " * depth) * tile_m * tile_n";
  if (async) variant.kernel->effort = gpu::effort_of_tiles("split_k");
  return variant;
}

VariantInfo register_tiled() {
  return register_tiles(
      "register_tiled",
      "For GPUs: blocks of C in local memory, up to 16×8 elements per work-item in registers, the next "
      "slab "
      "of k under way in registers; limited by the share of multiply-adds among instructions.",
      false, "2");
}

VariantInfo register_tiled_async() {
  VariantInfo variant = register_tiles(
      "register_tiled_async",
      "`register_tiled` with slabs of k brought past the registers by cp.async, an instruction of NVIDIA's "
      "GPUs from compute capability 8.0 on, written in PTX.",
      true, "stages");
  variant.features = {"cp_async"};
  variant.tunables.push_back(tunable("stages", 4,
                                     "Slabs in local memory, the one being multiplied included.",
                                     {"stages >= 2", "stages <= 6"}, {2, 3, 4}));
  variant.tunables.push_back(tunable("portions", 1,
                                     "Groups in which the copies of a slab are spread over its steps.",
                                     {power_of_two("portions", 1, 4)}, {1, 2, 4}));
  variant.tunables.push_back(tunable(
      "persistent", 0,
      "Persistent work-groups per compute unit that share out the tiles evenly, some of them in parts of "
      "k, two for "
      "each "
      "or, where several groups have fewer tiles than there are groups, more; 0 for a group per tile.",
      {"persistent >= 0", "persistent <= 8"}, {0, 1, 2, 3}));
  variant.tunables.push_back(
      {"copies",
       std::string("packs"),
       "How B comes into local memory where its rows do not begin at multiples of 16 bytes: in packs of as "
       "many, from the place before, if a work-item has 8 rows or more; or by words, in pieces of as many "
       "bytes as rows are multiples of: more copies, but fewer loads from there.",
       {"copies == 'packs' or copies == 'words'"},
       {std::string("packs"), std::string("words")}});
  variant.require.emplace_back("persistent == 0 or split_k == 1 and sliced_k == 1");
  variant.kernel->launches[0].defines["PORTIONS"] = "portions";
  return variant;
}

VariantInfo register_tiled_tuned() {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "register_tiled_tuned";
  variant.doc =
      "For GPUs: the quickest of `register_tiled`, `strips`, `skinny_columns`, `skinny_rows` and "
      "`vectors`, "
      "by cp.async and shuffles where the device has them, in the configurations that were quickest for "
      "products of about the same size.";
  variant.dtypes = {DType::f32};
  variant.device_types = {DeviceType::gpu};
  variant.tunables = choice_tunables();
  variant.among = {"register_tiled_async", "register_tiled", "strips_async",    "strips",
                   "skinny_columns",       "skinny_rows",    "vectors_shuffle", "vectors"};
  return variant;
}

VariantInfo skinny_columns() {
  VariantInfo variant = gpu::joined_product(
      "skinny_columns", "matmul_skinny",
      "Products of up to 32 columns: A is read once, in order, its next packs under way while those before "
      "them are multiplied by B from local memory; limited by memory.");
  variant.tunables = {
      tunable("rows", 0, "Rows of C per work-item; 0: up to 4, as evenly as groups can share them out.",
              {"rows >= 0", "rows <= 4", "rows * n * sizeof(dtype) <= 256"}, {0, 1, 2, 4}),
      tunable("row_threads", 0,
              "Work-items side by side along a row of A; 0: 8 to 32, and more for few rows.",
              {"row_threads == 0 or " + power_of_two("row_threads", 8, 256)}, {0, 8, 16, 32}),
      tunable("resident", 0,
              "Work-groups of a compute unit at a time; 0: 4, and 2 with more than 16 bytes in a row of B.",
              {"resident >= 0", "resident <= 4"}, {0, 1, 2, 4}),
      splits_tunable("Work-groups that share a part of C, each for a part of k; 0: as many as run at once.",
                     64)};
  variant.require = {"n <= 32", "row_threads <= most_lanes"};
  // Few columns are read as memory likes it best, in long runs of a row. With many of them columns of B are
  // what is read most, from local memory, and more rows share what is there. As many teams as rows need; of
  // few teams each has many lanes, whose stride is to fit what is held.
  gpu::derive(variant, {{"row_bytes", "n * sizeof(dtype)"},
                        {"packs", "if(n > 1 and row_bytes <= 16, 2, 1)"},
                        {"most_rows",
                         chosen("rows", "if(packs == 2, 2, max(1, min(4, floor_div(256, row_bytes))))")},
                        {"fewest_teams", power_at_least("ceil_div(n * packs, 6)", 1, 8)},
                        {"most_teams", "if(row_bytes <= 16, 8, if(row_bytes <= 32, 16, 32))"},
                        {"most_lanes", "floor_div(256, fewest_teams)"},
                        {"wanted_teams", power_at_least("ceil_div(m, most_rows)", 1, 32)},
                        {"teams",
                         "if(row_threads > 0, floor_div(256, max(1, row_threads)), max(fewest_teams, "
                         "min(wanted_teams, most_teams)))"},
                        {"across", "floor_div(256, teams)"},
                        {"tiles", "ceil_div(m, teams * most_rows)"},
                        {"per_item", chosen("rows", "ceil_div(m, teams * tiles)")},
                        {"stride", "across * packs * width"},
                        {"held_of_step", "n"}});
  gpu::share_out_k(variant, chosen("resident", "if(row_bytes <= 16, 4, 2)") + " * compute_units");
  gpu::derive(variant, {{"part_bytes", "ceil_div(per_item * n * teams, width) * 16"},
                        {"held", "max(n * (chunk + width), 256 + teams)"},
                        {"local_bytes", "ceil_div(held, width) * 16 + 4"}});
  gpu::define(variant, {{"BY_COLUMNS", "1"},
                        {"PACKED", "k % width == 0"},
                        {"ROWS", "per_item"},
                        {"COLUMNS", "n"},
                        {"LANES", "across"},
                        {"PACKS", "packs"},
                        {"ITEMS", "256"}});
  first_launch(variant).block[0] = "256";
  return variant;
}

/// An entry that CUDA has, too, and a feature that it needs.
VariantInfo shared(VariantInfo variant, std::vector<std::string> features = {}) {
  variant.features = std::move(features);
  first_launch(variant).source += ".cl";
  return variant;
}

const Table::Registration register_tiled_registration([] {
  return std::vector<Table::Entry>{
      {register_tiled()},
      {register_tiled_async()},
      {register_tiled_tuned()},
      {shared(skinny_columns())},
      {shared(gpu::skinny_rows("if(m == 1, 4, 2)"))},
      {shared(gpu::strips("strips", false))},
      {shared(gpu::strips("strips_async", true), {"cp_async"})},
      {shared(gpu::vectors("vectors", false))},
      // NVIDIA's compiler takes PTX.
      {shared(gpu::vectors("vectors_shuffle", true), {"cl_nv_compiler_options"})}};
});

}  // namespace

}  // namespace benchctl::opencl
