// Variants of workload `matmul` for GPUs, with several elements of C per work-item.
#include "register_tiled_product.hpp"
#include "table.hpp"

namespace benchctl::opencl {

namespace {

TunableInfo tunable(const char* name, std::int64_t default_value, const char* doc,
                    std::vector<std::string> require, std::initializer_list<std::int64_t> values) {
  return {name, default_value, doc, std::move(require), {values.begin(), values.end()}};
}

/// `name` is one of the powers of two from `least` to `most`.
std::string power_of_two(const std::string& name, std::int64_t least, std::int64_t most) {
  std::string text;
  for (std::int64_t value = least; value <= most; value *= 2) {
    text += (text.empty() ? "" : " or ") + name + " == " + std::to_string(value);
  }
  return text;
}

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
      tunable("band", 8, "Height in tiles of the bands in which work-groups go through C.", {"band >= 1"},
              {4, 8, 16}),
      tunable("splits", 1, "Work-groups that share a tile, each for a part of k.",
              {"splits >= 1", "splits <= 64", "splits <= ceil_div(k, depth)"}, {1, 2, 4}),
      tunable("slices", 1,
              "Groups of a work-group's items that share its part of a tile, each for a part of k: as many "
              "items at work on a compute unit as if it had several tiles.",
              {"slices >= 1", "slices <= 8"}, {1, 2, 3, 4}),
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
                     "tile_n % (8 * thread_n) == 0", items + " * slices <= 1024",
                     "slices == 1 or " + items + " * slices * (floor_div(sizeof(dtype), 4) * (" + carried +
                         " + thread_m * thread_n + 2 * (thread_m + thread_n)) + " + addresses +
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
    return stages + " * slices * depth * (" + a_pitch + " + " + b_pitch + ") * sizeof(dtype)";
  };
  const std::string swizzled = "if(thread_m * sizeof(dtype) >= 32 and tile_m >= 32 and " +
                               bytes("tile_m + 4") + " > 49152 and " + bytes("tile_m") + " <= 49152, 1, 0)";
  // NVIDIA's compiler is told for how many groups at a time to plan its 65536 registers: as many as sums,
  // operands and addresses leave room for. By itself it takes fewer registers than help, and puts loads too
  // late.
  const std::string spare =
      "if(thread_m * thread_n == 64 and along == 'rows' and splits == 1 and n * sizeof(dtype) % 16 == 0, "
      "20, 28)";
  const std::string words =
      "(floor_div(sizeof(dtype), 4) * (thread_m * thread_n + 2 * (thread_m + thread_n)) + 2 * "
      "(floor_div(32 * tile_m, " +
      items + " * sizeof(dtype)) + 1) + " + spare + " + " + (async ? "if(workers == 0, 0, 16)" : "0") + ")";
  const std::string groups =
      "max(1, floor_div(max(1, floor_div(512, " + words + ")) * 128, " + items + " * slices))";
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
      {"BAND", "band"},
      {"ASYNC", async ? "1" : "0"},
      {"SPLITS", "splits"},
      {"SLICES", "slices"},
      {"SWIZZLED", swizzled},
      {"EVEN",
       async ? "if(workers == 0, 0, if(workers == 1 or " + tiles + " >= workers * compute_units, 1, 3))"
             : "0"},
      {"ALONG", "if(along == 'rows', 0, if(along == 'columns', 1, if(along == 'squares_2', 2, 3)))"},
      {"BEFORE", before},
      {"WORDS", async ? "if(copies == 'words', 1, 0)" : "0"}};
  // Slabs that come through registers need more of them, and would spill.
  if (async) {
    launch.defines["REGISTERS"] =
        "min(255, floor_div(floor_div(65536, " + items + " * slices * " + groups + "), 8) * 8)";
  }
  launch.block = {items, "slices", "1"};
  const std::string shared_out =
      "min(" + tiles + " * if(workers == 1, 1, ceil_div(k, depth)), workers * compute_units)";
  const std::string all_groups = async ? "if(workers == 0, " + tiles + ", " + shared_out + ")" : tiles;
  launch.grid = {all_groups, "splits", "1"};
  launch.local_bytes = "slices * " + stages + " * depth * (tile_m + 4 * (1 - " + swizzled + ") + " +
                       b_pitch + ") * sizeof(dtype)";
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  // Counted in float64 to have room for either type.
  const std::string of_parts = "if(splits == 1, 0, " + tiles + " * splits)";
  const std::string parts =
      async ? "if(workers > 0, " + all_groups + " * if(workers == 1, 1, 2), " + of_parts + ")" : of_parts;
  variant.kernel =
      KernelSpec{{launch},
                 {{"partial", DType::f64, "max(2, (" + parts + ") * tile_m * tile_n * sizeof(dtype) / 8)"},
                  {"finished", DType::u32, tiles + " * splits"}}};
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
      "workers", 0,
      "Work-groups per compute unit that share out the tiles evenly, some of them in parts of k, two for "
      "each "
      "or, where several groups have fewer tiles than there are groups, more; 0 for a group per tile.",
      {"workers >= 0", "workers <= 8"}, {0, 1, 2, 3}));
  variant.tunables.push_back(
      {"copies",
       std::string("packs"),
       "How B comes into local memory where its rows do not begin at multiples of 16 bytes: in packs of as "
       "many, from the place before, if a work-item has 8 rows or more; or by words, in pieces of as many "
       "bytes as rows are multiples of: more copies, but fewer loads from there.",
       {"copies == 'packs' or copies == 'words'"},
       {std::string("packs"), std::string("words")}});
  variant.require.emplace_back("workers == 0 or splits == 1 and slices == 1");
  variant.kernel->launches[0].defines["PORTIONS"] = "portions";
  return variant;
}

VariantInfo register_tiled_best() {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "register_tiled_best";
  variant.doc =
      "For GPUs: `register_tiled_async`, or `register_tiled` on devices without cp.async, in the tiling "
      "that suits the size of the product and the number of compute units; the rates behind the choice are "
      "of one GPU. "
      "`skinny` or `strips` where C has few columns or rows, or is small.";
  variant.dtypes = {DType::f32};
  variant.device_types = {DeviceType::gpu};
  return variant;
}

VariantInfo register_tiled_tuned() {
  VariantInfo variant = register_tiled_best();
  variant.name = "register_tiled_tuned";
  variant.doc =
      "For GPUs: what `register_tiled_best` chooses and the seven next tilings and forms that its rates "
      "favour, each compiled and tried on the GPU and the matrices at hand: the quickest of them. For GPUs "
      "whose rates nobody has measured, and for the last percents.";
  return variant;
}

VariantInfo skinny() {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "skinny";
  variant.doc =
      "Products of up to 32 columns or 16 rows: the larger operand is read once, in order, its next packs "
      "under way while those before them are multiplied; limited by memory.";
  variant.dtypes = {DType::f32, DType::f64};
  variant.require = {"n <= 32 or m <= 16"};
  return variant;
}

VariantInfo strips() {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "strips";
  variant.doc =
      "Products of which C is small beside A or B: tiles that span its columns, up to 64, of which "
      "work-items and groups share the sums, by cp.async where the device has it; limited by memory, or by "
      "the share of multiply-adds among instructions.";
  variant.dtypes = {DType::f32};
  return variant;
}

const Table::Registration register_tiled_registration([] {
  return std::vector<Table::Entry>{{register_tiled()},
                                   {register_tiled_async()},
                                   {register_tiled_best(), &make_register_tiled_best},
                                   {register_tiled_tuned(), &list_register_tiled_ways},
                                   {skinny(), &make_skinny},
                                   {strips(), &make_strips}};
});

}  // namespace

}  // namespace benchctl::opencl
