// Variants of workload `matmul` for GPUs, with several elements of C per invocation.
#include "gpu/joined_products.hpp"

#include "table.hpp"

namespace benchctl::vulkan {

namespace {

using gpu::tunable;

/// The tunables are those that CUDA and OpenCL have under these names.
VariantInfo register_tiled() {
  const std::string items = "(tile_m * tile_n / (thread_m * thread_n))";
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "register_tiled";
  variant.doc =
      "For GPUs: blocks of C in shared memory, up to 16×8 elements per work-item in registers, the next "
      "slab of k under way in registers; limited by the share of multiply-adds among instructions.";
  variant.dtypes = {DType::f32, DType::f64};
  variant.tunables = {
      tunable("tile_m", 128, "Rows of C per work-group.", {"tile_m >= 16", "tile_m <= 256"},
              {32, 64, 128, 256}),
      tunable("tile_n", 128, "Columns of C per work-group.", {"tile_n >= 16", "tile_n <= 256"},
              {32, 64, 128, 256}),
      tunable("depth", 8, "Length of a slab along k.", {"depth == 4 or depth == 8 or depth == 16"},
              {8, 16}),
      tunable("thread_m", 8, "Rows of C per work-item.",
              {"thread_m == 4 or thread_m == 8 or thread_m == 16"}, {4, 8, 16}),
      tunable("thread_n", 8, "Columns of C per work-item.",
              {"thread_n == 4 or thread_n == 8 or thread_n == 16"}, {4, 8, 16}),
      tunable("raster", 8, "Raster order: height in tiles of the bands in which work-groups go through C.",
              {"raster >= 1"}, {1, 8})};
  variant.require = {
      "tile_m % thread_m == 0", "tile_n % thread_n == 0", "thread_m * thread_n * sizeof(dtype) <= 512",
      items + " <= 1024",
      // The 65536 registers of a multiprocessor, with what addresses and slabs take. Beyond
      // that compilers spill; on an H100 every kernel of the process was slower from then on.
      items + " * (thread_m * thread_n * sizeof(dtype) / 4 + 64) < 65536"};
  LaunchSpec launch;
  launch.source = "matmul_register_tiled.comp";
  launch.entry = "matmul_register_tiled";
  launch.defines = {{"REAL", "ctype(dtype)"},
                    {"USE_FP64", "dtype == 'f64'"},
                    {"TILE_M", "tile_m"},
                    {"TILE_N", "tile_n"},
                    {"DEPTH", "depth"},
                    {"THREAD_M", "thread_m"},
                    {"THREAD_N", "thread_n"},
                    {"BAND", "raster"},
                    {"PACKED", "n % 4 == 0 and k % 4 == 0"}};
  launch.block = {items, "1", "1"};
  launch.grid = {"ceil_div(m, tile_m) * ceil_div(n, tile_n)", "1", "1"};
  launch.local_bytes = "2 * depth * (tile_m + 4 + tile_n) * sizeof(dtype)";
  launch.arguments = {"A", "B", "C", "m", "n", "k"};
  const std::string tiles = "ceil_div(m, tile_m) * ceil_div(n, tile_n)";
  variant.kernel = KernelSpec{{launch}, {}};
  variant.kernel->effort = "ceil_div(" + tiles + ", compute_units) * (k + 2 * depth) * tile_m * tile_n";
  return variant;
}

VariantInfo register_tiled_tuned() {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "register_tiled_tuned";
  variant.doc =
      "For GPUs: `register_tiled` in the configurations that were quickest for products of about the same "
      "size.";
  variant.dtypes = {DType::f32};
  variant.device_types = {DeviceType::gpu};
  variant.tunables = choice_tunables();
  variant.among = {"register_tiled"};
  return variant;
}

const Table::Registration register_tiled_registration([] {
  std::vector<Table::Entry> entries = Table::source_files({register_tiled()});
  entries.push_back({register_tiled_tuned()});
  return entries;
});

}  // namespace

}  // namespace benchctl::vulkan
