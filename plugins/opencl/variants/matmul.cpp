#include "table.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast_work.hpp"
#endif

namespace benchctl::opencl {

namespace {

/// For CPUs: one launch copies the operands, the second multiplies.
VariantInfo matmul_cpu_packed() {
  // Slabs, chunks and blocks of panels as even as they can be. A row of a slab of A has a pitch of an odd
  // number of cache lines.
  const std::string tiles = "ceil_div(m, rows)";
  const std::string panels = "ceil_div(n, 2 * vector)";
  const std::string slabs = "ceil_div(k, depth)";
  const std::string steps = "ceil_div(k, " + slabs + ")";
  const std::string pitch =
      "(floor_div(ceil_div(" + steps + " * sizeof(dtype), 64), 2) * 2 + 1) * floor_div(64, sizeof(dtype))";
  const std::string chunks = "ceil_div(" + tiles + ", chunk)";
  const std::string chunk_tiles = "ceil_div(" + tiles + ", " + chunks + ")";
  // Few panels: no core is to be left without a group.
  const std::string block = "min(panels, ceil_div(" + panels + ", compute_units))";
  const auto launch = [&](const char* source, const char* entry) {
    LaunchSpec spec;
    spec.source = source;
    spec.entry = entry;
    spec.defines = {{"REAL", "ctype(dtype)"}, {"USE_FP64", "dtype == 'f64'"},
                    {"ROWS", "rows"},         {"A_TILES", tiles},
                    {"A_PITCH", pitch},       {"DEPTH", steps}};
    return spec;
  };
  LaunchSpec pack = launch("matmul_cpu_pack.cl", "pack");
  pack.defines["COLUMNS"] = "2 * vector";
  pack.grid = {tiles + " + ceil_div(k, 8)", "1", "1"};
  pack.arguments = {"A", "B", "packed_a", "packed_b", "m", "n", "k"};
  LaunchSpec multiply = launch("matmul_cpu_packed.cl", "matmul_cpu_packed");
  multiply.defines["WIDTH"] = "vector";
  multiply.defines["CHUNK"] = chunk_tiles + " * rows";
  multiply.defines["PANELS"] = block;
  multiply.grid = {"ceil_div(" + panels + ", " + block + ")", chunks, "1"};
  multiply.arguments = {"packed_a", "packed_b", "C", "m", "n", "k"};

  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "cpu_packed";
  variant.doc =
      "For CPUs: packed operands, a tile of rows × 2 vectors in registers, one work-item per group; bound "
      "by the FMA units.";
  variant.tunables = {{"rows",
                       std::int64_t{14},
                       "Rows of the register tile: 14 fits the registers of AVX-512, 6 those of AVX2.",
                       {"rows >= 1 and rows <= 16"},
                       {std::int64_t{4}, std::int64_t{6}, std::int64_t{8}, std::int64_t{14}}},
                      {"vector",
                       std::int64_t{16},
                       "Elements of a vector.",
                       {"vector == 4 or vector == 8 or vector == 16"},
                       {std::int64_t{8}, std::int64_t{16}}},
                      {"chunk",
                       std::int64_t{16},
                       "Register tiles that a work-item makes, one below the other.",
                       {"chunk >= 1"},
                       {std::int64_t{4}, std::int64_t{16}, std::int64_t{64}}},
                      {"panels",
                       std::int64_t{4},
                       "Panels of 2 vectors that a work-item makes, one after the other.",
                       {"panels >= 1"},
                       {std::int64_t{1}, std::int64_t{4}, std::int64_t{16}}},
                      {"depth",
                       std::int64_t{1024},
                       "Steps of k in a slab, at most.",
                       {"depth >= 1"},
                       {std::int64_t{384}, std::int64_t{512}, std::int64_t{1024}}}};
  variant.dtypes = {DType::f32, DType::f64};
  variant.device_types = {DeviceType::cpu};
  // Scratch is counted in floats.
  variant.kernel =
      KernelSpec{{pack, multiply},
                 {{"packed_a", DType::f32,
                   slabs + " * " + tiles + " * rows * " + pitch + " * floor_div(sizeof(dtype), 4)"},
                  {"packed_b", DType::f32, panels + " * 2 * vector * k * floor_div(sizeof(dtype), 4)"}}};
  return variant;
}

VariantInfo matmul_cpu_packed_tuned() {
  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "cpu_packed_tuned";
  variant.doc =
      "For CPUs: the quickest of `cpu_packed` in the configurations that were quickest for products of "
      "about the same size.";
  variant.tunables = choice_tunables();
  variant.dtypes = {DType::f32, DType::f64};
  variant.device_types = {DeviceType::cpu};
  variant.among = {"cpu_packed"};
  return variant;
}

#ifdef BENCHCTL_OPENCL_CLBLAST
VariantInfo matmul_vendor() {
  VariantInfo vendor;
  vendor.workload = "matmul";
  vendor.name = "vendor";
  vendor.doc = "CLBlast's GEMM, with the tuning that it has for the device; the yardstick.";
  vendor.dtypes = {DType::f32, DType::f64};
  vendor.vendor = true;
  return vendor;
}

std::unique_ptr<Work> make_matmul_vendor(const OpenDevice& device, const Buffers& buffers,
                                         const PrepareRequest& /*request*/) {
  return make_clblast_matmul(device, buffers);
}
#endif

const Table::Registration matmul_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::matmul_variants(language()));
  entries.push_back({matmul_cpu_packed()});
  entries.push_back({matmul_cpu_packed_tuned()});
#ifdef BENCHCTL_OPENCL_CLBLAST
  entries.push_back({matmul_vendor(), &make_matmul_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
