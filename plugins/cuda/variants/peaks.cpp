// Variants of workload `peaks`.
#include "table.hpp"

namespace benchctl::cuda {

namespace {

TunableInfo load_tunable() {
  return {"load",
          std::string("cg"),
          "Cache operator of loads: ca through the first level, cg past it, nc the read-only path.",
          {"load == 'ca' or load == 'cg' or load == 'nc'"},
          {std::string("ca"), std::string("cg"), std::string("nc")}};
}

TunableInfo store_tunable() {
  return {"store",
          std::string("cached"),
          "How results are written: as usual, or marked as what nobody reads again.",
          {"store == 'cached' or store == 'streaming'"},
          {std::string("cached"), std::string("streaming")}};
}

VariantInfo variant(const char* name, const char* doc, const char* probes, LaunchSpec launch,
                    std::vector<TunableInfo> tunables) {
  VariantInfo variant = gpu_variant("peaks", name, doc);
  variant.architectures = all_architectures();
  variant.require = {probes};
  variant.tunables = std::move(tunables);
  variant.kernel = KernelSpec{{std::move(launch)}, {}};
  return variant;
}

/// `tf32` or bf16; with the instruction of a warp or of a warpgroup.
VariantInfo mma(bool tf32, bool warpgroup) {
  const std::string type = tf32 ? "tf32" : "bf16";
  LaunchSpec launch;
  launch.source = warpgroup ? "peaks_wgmma.cu" : "peaks_mma.cu";
  launch.entry = warpgroup ? "peaks_wgmma" : "peaks_mma";
  launch.defines = {{"TF32", tf32 ? "1" : "0"}};
  launch.block = {warpgroup ? "256" : "128", "1", "1"};
  launch.grid = {warpgroup ? "ceil_div(bytes, 4 * 2 * 64 * 256)" : "ceil_div(bytes, 4 * 32 * 256)", "1",
                 "1"};
  if (warpgroup) launch.local_bytes = tf32 ? "256 * 16 * 4" : "256 * 16 * 2";
  launch.arguments = {"a", "b", "out", "n", "rounds"};
  const std::string name = (warpgroup ? "wgmma_" : "mma_") + type;
  VariantInfo info =
      variant(name.c_str(),
              warpgroup ? "Matrix multiply-accumulates of warpgroups (Hopper); limited by the "
                          "tensor cores."
                        : "Matrix multiply-accumulates of warps; limited by the tensor cores, "
                          "and on Hopper by the instruction, which does not reach all of them.",
              tf32 ? "probe == 'mma_tf32'" : "probe == 'mma_bf16'", launch, {});
  if (warpgroup) info.architectures = {"sm_90a"};
  info.features = {warpgroup ? "wgmma" : "mma_sync"};
  info.precision = type;
  info.compute_path = "mma_" + type;
  return info;
}

/// In double precision, which has an instruction of a warp only.
VariantInfo mma_f64() {
  LaunchSpec launch;
  launch.source = "peaks_mma_f64.cu";
  launch.entry = "peaks_mma_f64";
  launch.block = {"256", "1", "1"};
  launch.grid = {"ceil_div(bytes, 8 * 16 * 256)", "1", "1"};
  launch.arguments = {"a", "b", "out", "n", "rounds"};
  VariantInfo info =
      variant("mma_f64",
              "Matrix multiply-accumulates of warps in double precision; limited by the tensor "
              "cores, or by their emulation.",
              "probe == 'mma_f64'", launch, {});
  info.features = {"mma_sync"};
  info.compute_path = "mma_f64";
  return info;
}

/// Loads and stores have cache operators; sums of blocks are joined by shuffles.
void extend_peak(VariantInfo& variant) {
  LaunchSpec& launch = variant.kernel->launches.front();
  const bool loads = variant.name == "read" || variant.name == "copy" || variant.name == "triad";
  const bool stores = variant.name == "write" || variant.name == "copy" || variant.name == "triad";
  if (loads) {
    launch.defines["LOAD"] = "load";
    variant.tunables.push_back(load_tunable());
  }
  if (stores) {
    launch.defines["STORE"] = "if(store == 'streaming', 'cs', 'wb')";
    variant.tunables.push_back(store_tunable());
  }
  if (variant.name == "read") launch.local_bytes = "block / 8";
}

const Table::Registration peaks_registration([] {
  std::vector<Table::Entry> entries;
  for (VariantInfo& variant : gpu::peaks_variants(language())) {
    extend_peak(variant);
    entries.push_back({std::move(variant)});
  }
  for (const bool warpgroup : {false, true}) {
    for (const bool tf32 : {true, false}) entries.push_back({mma(tf32, warpgroup)});
  }
  entries.push_back({mma_f64()});
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
