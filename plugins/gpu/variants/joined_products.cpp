// Variants of workload `matmul` for products of few columns or rows, or a small C: blocks compute parts of
// the sums and join them. The same in CUDA and OpenCL.
#include "gpu/joined_products.hpp"
#include "gpu/first_launch.hpp"

#include <utility>

namespace benchctl::gpu {

namespace {

/// Registers of an NVIDIA multiprocessor that are left for each of so many work-items.
std::string registers(const std::string& items) {
  return "min(255, floor_div(floor_div(65536, " + items + "), 8) * 8)";
}

}  // namespace

TunableInfo tunable(const char* name, std::int64_t default_value, const char* doc,
                    std::vector<std::string> require, std::initializer_list<std::int64_t> values) {
  return {name, default_value, doc, std::move(require), {values.begin(), values.end()}};
}

TunableInfo by_size(TunableInfo tunable) {
  tunable.by_size = true;
  return tunable;
}

std::string power_of_two(const std::string& name, std::int64_t least, std::int64_t most) {
  return "is_pow2(" + name + ") and " + std::to_string(least) + " <= " + name +
         " <= " + std::to_string(most);
}

std::string power_at_least(const std::string& value, std::int64_t least, std::int64_t most) {
  return "min(" + std::to_string(most) + ", max(" + std::to_string(least) + ", bit_ceil(" + value + ")))";
}

std::string chosen(const std::string& name, const std::string& otherwise) {
  return "if(" + name + " > 0, " + name + ", " + otherwise + ")";
}

TunableInfo splits_tunable(const char* doc, std::int64_t most) {
  return tunable("split_k", 0, doc, {"split_k >= 0", "split_k <= " + std::to_string(most)}, {0, 1, 4, 16});
}

VariantInfo joined_product(const char* name, const char* kernel, const char* doc) {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  LaunchSpec launch;
  launch.source = kernel;
  launch.entry = kernel;
  launch.defines = {
      {"REAL", "ctype(dtype)"}, {"USE_FP64", "dtype == 'f64'"}, {"WIDTH", "width"}, {"SPLITS", "parts"}};
  launch.grid = {"tiles", "parts", "1"};
  launch.local_bytes = "local_bytes";
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  // Counted in float64 to have room for either type.
  variant.kernel = KernelSpec{
      {launch},
      {{"partial", DType::f64, "if(parts > 1, max(2, ceil_div(tiles * parts * part_bytes, 8)), 2)"},
       {"finished", DType::u32, "counters"}},
      {{"width", "floor_div(16, sizeof(dtype))"}}};
  variant.kernel->effort = "m * k + k * n";  // of reading the matrices
  return variant;
}

void derive(VariantInfo& variant, const std::vector<std::pair<std::string, std::string>>& more) {
  auto& derived = variant.kernel->derived;
  derived.insert(derived.end(), more.begin(), more.end());
}

void define(VariantInfo& variant, const std::vector<std::pair<std::string, std::string>>& more) {
  first_launch(variant).defines.insert(more.begin(), more.end());
}

VariantInfo strips(const char* name, bool async) {
  VariantInfo variant = joined_product(
      name, "matmul_strips",
      async ? "Products of which C is small beside A or B: tiles that span its columns, up to 64, of which "
              "warps and blocks share the sums, fed by asynchronous copies; limited by memory, or by the "
              "share of multiply-adds among instructions."
            : "Products of which C is small beside A or B: tiles that span its columns, up to 64, of which "
              "work-items and groups share the sums; limited by memory, or by the share of multiply-adds "
              "among instructions.");
  variant.dtypes = {DType::f32};
  variant.tunables = {
      tunable("thread_m", 4, "Rows of C per thread.", {"thread_m == 4 or thread_m == 8"}, {4, 8}),
      tunable("thread_n", 0,
              "Columns of C per thread at most: threads share them out evenly. 0: as many as registers and "
              "local memory have room for everywhere.",
              {"thread_n >= 0", "thread_n <= 16", "thread_n % 2 == 0"}, {0, 8, 16}),
      tunable("warps_m", 1, "Warps of a block below one another; four times as many share the sums.",
              {"warps_m == 1 or warps_m == 2"}, {1, 2}),
      tunable("depth", 32, "Length of a slab along k.", {"depth == 32 or depth == 64"}, {32, 64}),
      tunable("stages", 3, "Slabs in local memory, the one being multiplied included.",
              {"stages >= 3", "stages <= 6"}, {3, 4}),
      tunable("resident", 4, "Blocks of a multiprocessor that registers are planned for.",
              {"resident >= 1", "resident <= 4"}, {1, 2, 3, 4}),
      splits_tunable("Blocks that share a tile, each for a part of k; 0: as many as run at once.", 256)};
  // `shifted`: rows of A begin within packs of 16 bytes; a slab then has three more steps of B.
  derive(variant,
         {{"shifted", "if(k % 4 == 0, 0, 1)"},
          {"most_n", chosen("thread_n", async ? "if(shifted == 1, 8, 16)" : "8")},
          {"columns", "2 * ceil_div(ceil_div(n, ceil_div(n, 4 * most_n)), 8)"},
          {"tile_m", "8 * thread_m * warps_m"},
          {"tile_n", "4 * columns"},
          {"tiles", "ceil_div(m, tile_m) * ceil_div(n, tile_n)"},
          {"threads", "128 * warps_m"},
          {"steps", "depth + 3 * shifted"},
          {"slabs", "ceil_div(k + 3 * shifted, depth)"},
          // PoCL miscompiles what joins more than 8.
          {"parts",
           chosen("split_k", std::string("max(1, min(floor_div(resident * compute_units, tiles), slabs, ") +
                                 (async ? "256" : "8") + "))")},
          // Few parts are added up by one block; of many, as many blocks as there are in a group.
          // By the root, to the nearest whole number.
          {"group", "if(parts <= 8, parts, ceil_div(parts, (sqrt(4 * parts) + 1) // 2))"},
          {"counters", "tiles * (ceil_div(parts, group) + 1)"},
          {"padding", "if(tile_n % 16 == 0, 8, 0)"},
          {"stage_bytes", "4 * (tile_m * (depth + 4) + steps * (tile_n + shifted * padding))"},
          {"local_bytes", "stages * stage_bytes"},
          {"part_bytes", "4 * tile_m * tile_n"},
          // Sums, operands and what addresses take.
          {"words", "thread_m * columns + 4 * thread_m + columns + 32 + shifted * (16 + 2 * columns)"}});
  variant.kernel->effort = effort_of_tiles("parts", false);
  variant.require = {"split_k <= slabs", "words <= 255", "words * threads * resident <= 65536",
                     // Where warps add up their sums, in up to as many rounds as a thread has rows.
                     "16 * tile_m * (tile_n + padding) <= thread_m * local_bytes"};
  define(variant, {{"THREAD_M", "thread_m"},
                   {"THREAD_N", "columns"},
                   {"WARPS_M", "warps_m"},
                   {"WARPS_K", "4"},
                   {"DEPTH", "depth"},
                   {"STAGES", "stages"},
                   {"RESIDENT", "resident"},
                   {"GROUP", "group"},
                   {"SHIFTED", "shifted"},
                   {"PACKED", "n % 4 == 0"},
                   {"ASYNC", async ? "1" : "0"},
                   {"ONE_STRIP", "n <= tile_n"}});
  // Without a limit OpenCL's kernel tells the size of its groups instead, which is quicker: 4096 × 32 ×
  // 4096 35.4 µs, 36.2 with.
  if (async)
    define(variant,
           {{"REGISTERS", "if(threads * resident <= 256, 0, " + registers("threads * resident") + ")"}});
  first_launch(variant).block[0] = "threads";
  return variant;
}

VariantInfo vectors(const char* name, bool shuffles) {
  VariantInfo variant = joined_product(
      name, "matmul_vectors",
      shuffles
          ? "A matrix and up to four vectors, columns or rows: the matrix is read once, by threads that "
            "wait for nothing and join their sums between registers; limited by memory."
          : "A matrix and up to four vectors, columns or rows: the matrix is read once, by work-items "
            "that wait for nothing and join their sums through local memory; limited by memory.");
  variant.tunables = {
      tunable("rows", 0, "Few columns: rows of C per warp; 0: 2, and 4 with more columns than 2.",
              {"rows == 0 or " + power_of_two("rows", 1, 4)}, {0, 2, 4}),
      tunable("share", 0,
              "Few columns: warps that share rows; 0: as many as still have 8 loads under way each.",
              {"share == 0 or " + power_of_two("share", 1, 8)}, {0, 1, 8}),
      tunable(
          "row_threads", 0,
          "Few rows: threads side by side along a row; 0: 8, if that makes about as many blocks as there "
          "are multiprocessors, else 16 or 32.",
          {"row_threads == 0 or " + power_of_two("row_threads", 8, 32)}, {0, 8, 16, 32}),
      tunable("warps", 0, "Warps of a block; 0: 16 where so few blocks fill all multiprocessors, else 8.",
              {"warps == 0 or " + power_of_two("warps", 8, 16)}, {0, 8, 16}),
      tunable("resident", 0, "Blocks of a multiprocessor that registers are planned for; 0: 1 to 4.",
              {"resident >= 0", "resident <= 4"}, {0, 1, 2, 4}),
      splits_tunable("Blocks that share a part of C, each for a part of k; 0: as many as run at once.",
                     1024)};
  const std::string elements =
      shuffles ? "held" : "if(by_columns == 1, held + 32 * block_warps, held * floor_div(32, across))";
  derive(variant,
         {{"by_columns", "if(n <= 4, 1, 0)"},
          {"packed", "if(if(by_columns == 1, k, n) % width == 0, 1, 0)"},
          {"per_warp", chosen("rows", "if(n <= 2, 2, 4)")},
          {"together", "if(by_columns == 1, floor_div(8, per_warp), 8)"},  // loads, of each row
          {"runs", "ceil_div(k, 32 * width)"},
          {"sharing", "if(by_columns == 0, 1, " +
                          chosen("share",
                                 "if(runs < 2 * together, 1, if(runs < 4 * together, 2, "
                                 "if(runs < 8 * together, 4, 8)))") +
                          ")"},
          {"narrow", "ceil_div(n, 8 * width)"},
          // Strips of 8 lanes need no parts, which take time to join. Else long runs are better for memory.
          {"in_one_turn",
           "if(by_columns == 0 and row_threads == 0 and narrow <= compute_units and 4 * narrow >= 3 * "
           "compute_units, 1, 0)"},
          {"wide", "if(ceil_div(n, 32 * width) >= 2 * compute_units, 32, 16)"},
          {"across",
           "if(by_columns == 1, 32, " + chosen("row_threads", "if(in_one_turn == 1, 8, wide)") + ")"},
          {"block_warps", chosen("warps", "if(in_one_turn == 1, 16, 8)")},
          {"planned", chosen("resident",
                             "if(by_columns == 0, 2 - in_one_turn, if(sizeof(dtype) == 8 or (packed == 0 "
                             "and n > 1), 2, if(n == 4, 3, 4)))")},
          {"tiles",
           "if(by_columns == 1, ceil_div(m, floor_div(per_warp * block_warps, sharing)), ceil_div(n, "
           "across * width))"},
          {"most_parts",
           "if(by_columns == 1, min(floor_div(4 * compute_units, tiles), floor_div(runs, sharing * "
           "together)), "
           "min(floor_div(2 * compute_units, tiles), floor_div(k, 32)))"},
          {"parts", chosen("split_k", "if(in_one_turn == 1, 1, max(1, most_parts))")},
          {"counters", "tiles"},
          {"held", "block_warps * if(by_columns == 1, per_warp * n, m * across * width)"},
          {"part_bytes", "floor_div(held, if(by_columns == 1, sharing, block_warps)) * sizeof(dtype)"},
          {"local_bytes", "(floor_div(" + elements + ", width) + 1) * 16 + 4"}});
  variant.require = {"m <= 4 or n <= 4", "share <= block_warps",
                     // Steps of k are counted in 32 bits with sign, up to 2048 beyond the last.
                     "k <= 2147481599"};
  define(variant, {{"BY_COLUMNS", "by_columns"},
                   {"PACKED", "packed"},
                   {"ROWS", "if(by_columns == 1, per_warp, m)"},
                   {"COLUMNS", "if(by_columns == 1, n, 1)"},
                   {"SHARE", "sharing"},
                   {"LANES", "across"},
                   {"TOGETHER", "together"},
                   {"WARPS", "block_warps"},
                   {"RESIDENT", "planned"},
                   {"SHUFFLES", shuffles ? "1" : "0"},
                   {"REGISTERS", shuffles ? registers("32 * block_warps * planned") : "0"}});
  first_launch(variant).block[0] = "32 * block_warps";
  return variant;
}

void share_out_k(VariantInfo& variant, const std::string& at_once) {
  derive(variant,
         {{"most_parts", "max(1, min(64, floor_div(k, 4 * stride)))"},
          {"wanted_parts", chosen("split_k", "max(1, min(most_parts, floor_div(" + at_once + ", tiles)))")},
          {"part", "ceil_div(ceil_div(k, wanted_parts), stride) * stride"},
          {"parts", "ceil_div(k, part)"},
          {"counters", "tiles"},
          // 24 KB of the smaller operand are held.
          {"room", "floor_div(floor_div(24576, held_of_step * sizeof(dtype)), stride) * stride"},
          {"chunk", "min(part, max(room, stride))"}});
  define(variant, {{"CHUNK", "chunk"}, {"PART", "part"}});
}

VariantInfo skinny_rows(const std::string& resident) {
  VariantInfo variant =
      joined_product("skinny_rows", "matmul_skinny",
                     "Products of up to 16 rows: B is read once, in order, its next packs under way while "
                     "those before them are multiplied by A from local memory; limited by memory.");
  variant.tunables = {
      tunable("row_threads", 32, "Threads side by side along a row of B, at most.",
              {power_of_two("row_threads", 8, 32)}, {8, 16, 32}),
      tunable("ahead", 4, "Rows of B that each team of them has under way.", {power_of_two("ahead", 2, 8)},
              {2, 4}),
      tunable("resident", 0, "Blocks of a multiprocessor at a time; 0: as many as registers have room for.",
              {"resident >= 0", "resident <= 4"}, {0, 1, 2}),
      splits_tunable("Blocks that share a part of C, each for a part of k; 0: as many as run at once.",
                     64)};
  variant.require = {"m <= 16"};
  derive(variant, {{"across", "min(row_threads, " + power_at_least("ceil_div(n, width)", 8, 32) + ")"},
                   {"planned", chosen("resident", resident)},
                   {"tiles", "ceil_div(n, across * width)"},
                   {"stride", "floor_div(256, across) * ahead"},
                   // A step of A, an odd number of packs: the next one is in other banks.
                   {"held_of_step", "(floor_div(ceil_div(m, width), 2) * 2 + 1) * width"}});
  share_out_k(variant, "planned * compute_units");
  derive(variant, {{"part_bytes", "m * across * 16"},
                   {"local_bytes", "max(4096, chunk * held_of_step * sizeof(dtype)) + 16"}});
  define(variant, {{"BY_COLUMNS", "0"},
                   {"PACKED", "n % width == 0"},
                   {"ROWS", "m"},
                   {"COLUMNS", "1"},
                   {"LANES", "across"},
                   {"PACKS", "1"},
                   {"WARPS", "8"},
                   {"ITEMS", "256"},
                   {"AHEAD", "ahead"},
                   {"RESIDENT", "planned"}});
  first_launch(variant).block[0] = "256";
  return variant;
}

std::string effort_of_tiles(const std::string& parts, bool may_share, const std::string& joining) {
  const std::string in_turns = "ceil_div(tiles * " + parts + ", compute_units)";
  const std::string turns =
      may_share ? "if(persistent > 0, max(1, tiles / compute_units), " + in_turns + ")" : in_turns;
  const std::string joined = "if(" + parts + " > 1, " + joining + " * (" + parts + " + 1), 0)";
  return turns + " * (k / " + parts + " + stages * depth + " + joined + ") * tile_m * tile_n";
}

}  // namespace benchctl::gpu
