#include <benchctl/patterns/matmul.hpp>

#include "prepared_matmul.hpp"
#include "table.hpp"

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
  variant.access = patterns::product_from_global_memory();
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
  launch.defines = {{"REAL", "ctype(dtype)"}, {"TILE", "tile"}, {"STORE_EVERY_STEP", "0"}};
  launch.block = {"tile", "tile", "1"};
  launch.grid = {"ceil_div(n, tile)", "ceil_div(m, tile)", "1"};
  launch.local_bytes = "2 * tile * tile * sizeof(dtype)";
  launch.arguments = matmul_arguments;
  variant.kernel = KernelSpec{{launch}, {}};
  variant.access = patterns::product_of_tiles();
  return variant;
}

VariantInfo matmul_tiled_as_published() {
  VariantInfo variant = matmul_tiled();
  variant.name = "tiled_as_published";
  variant.doc = "As `tiled`, but C is stored in every step along k, as the French series prints it.";
  variant.kernel->launches[0].defines["STORE_EVERY_STEP"] = "1";
  variant.access = patterns::product_stored_in_every_step();
  return variant;
}

VariantInfo matmul_vendor() {
  VariantInfo variant =
      matmul_variant("vendor", "cuBLAS, f32 in pedantic mode, in which it stays f32. The yardstick.");
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Prepared> make_matmul_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedMatmul>(problem);
}

const Table::Registration matmul_registration([] {
  return std::vector<Table::Entry>{{matmul_naive()},
                                   {matmul_tiled()},
                                   {matmul_tiled_as_published()},
                                   {matmul_vendor(), &make_matmul_vendor}};
});

}  // namespace

}  // namespace benchctl::cuda
