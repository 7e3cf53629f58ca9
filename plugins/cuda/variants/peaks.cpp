// Variants of workload `peaks`.
#include <benchctl/patterns/peaks.hpp>

#include "table.hpp"

namespace benchctl::cuda {

namespace {

TunableInfo block_tunable(std::int64_t default_value = 256) {
  return {"block",
          default_value,
          "Threads per block.",
          {"block >= 32", "block % 32 == 0"},
          {std::int64_t{64}, std::int64_t{128}, std::int64_t{256}, std::int64_t{512}, std::int64_t{1024}}};
}

TunableInfo unroll_tunable(std::int64_t default_value, const char* doc, std::vector<Value> values) {
  return {"unroll", default_value, doc, {"unroll >= 1", "unroll <= 64"}, std::move(values)};
}

TunableInfo pieces_tunable(std::int64_t default_value) {
  return unroll_tunable(default_value, "Accesses of 16 bytes per thread that are in flight together.",
                        {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}});
}

TunableInfo load_tunable(const char* default_value) {
  return {"load",
          std::string(default_value),
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

/// The cache operator that the word stands for.
constexpr const char* store_operator = "if(store == 'streaming', 'cs', 'wb')";

VariantInfo variant(const char* name, const char* doc, const char* probes, LaunchSpec launch,
                    std::vector<TunableInfo> tunables) {
  VariantInfo variant = gpu_variant("peaks", name, doc);
  variant.architectures = all_architectures();
  variant.require = {probes};
  variant.tunables = std::move(tunables);
  variant.kernel = KernelSpec{{std::move(launch)}, {}};
  return variant;
}

/// A launch in blocks of `block`, with every tunable that the source wants to know.
LaunchSpec launch_of(const char* kernel, std::map<std::string, std::string, std::less<>> defines,
                     const char* blocks, std::vector<std::string> arguments) {
  LaunchSpec launch;
  launch.source = std::string(kernel) + ".cu";
  launch.entry = kernel;
  launch.defines = std::move(defines);
  launch.defines["BLOCK"] = "block";
  launch.block = {"block", "1", "1"};
  launch.grid = {blocks, "1", "1"};
  launch.arguments = std::move(arguments);
  return launch;
}

VariantInfo fma(const char* name, const char* doc, const char* probe, const char* type) {
  return variant(
      name, doc, probe,
      launch_of(
          "peaks_fma",
          {{"REAL", std::string("ctype('") + type + "')"}, {"CHAINS", "chains"}, {"UNROLL", "unroll"}},
          (std::string("ceil_div(bytes, sizeof('") + type + "') * block * chains)").c_str(),
          {"start", "out", "n", "rounds", "scale", "shift"}),
      {block_tunable(128),
       {"chains",
        std::int64_t{8},
        "Independent chains per thread.",
        {"chains >= 1", "chains <= 32"},
        {std::int64_t{1}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}},
       unroll_tunable(32, "Rounds per pass of the loop.", {std::int64_t{8}, std::int64_t{32}})});
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
              "cores, or by what stands in for them.",
              "probe == 'mma_f64'", launch, {});
  info.features = {"mma_sync"};
  info.compute_path = "mma_f64";
  return info;
}

VariantInfo read() {
  LaunchSpec launch = launch_of(
      "peaks_read",
      {{"UNROLL", "unroll"}, {"LOAD", "load"}, {"PERIOD", "if(probe == 'dram_read_apart', 2, 1)"}},
      "ceil_div(bytes, 65536) * rounds", {"in", "out", "n"});
  launch.local_bytes = "block / 8";
  VariantInfo info =
      variant("read",
              "Every block adds up 64 KiB, 16 bytes per load; limited by the bandwidth of the "
              "memory or cache that holds the buffer.",
              "probe == 'dram_read' or probe == 'dram_read_apart' or probe == 'cache_read'", launch,
              {block_tunable(), pieces_tunable(4), load_tunable("cg")});
  info.access = patterns::segments_read("16");
  return info;
}

/// One piece per access, `unroll` a block's width apart.
VariantInfo stream(const char* name, const char* doc, const char* probe, LaunchSpec launch,
                   std::vector<TunableInfo> tunables, const std::vector<const char*>& operands) {
  VariantInfo info = variant(name, doc, probe, std::move(launch), std::move(tunables));
  info.access = patterns::streamed(operands, "16");
  return info;
}

constexpr const char* pieces = "ceil_div(bytes, 16 * block * unroll)";

VariantInfo write() {
  return stream("write", "16 bytes per store; limited by memory bandwidth.", "probe == 'dram_write'",
                launch_of("peaks_write", {{"UNROLL", "unroll"}, {"STORE", store_operator}}, pieces,
                          {"out", "n", "first", "step"}),
                {block_tunable(), pieces_tunable(4), store_tunable()}, {"out"});
}

VariantInfo copy() {
  return stream("copy", "16 bytes per load and store; limited by memory bandwidth.", "probe == 'dram_copy'",
                launch_of("peaks_copy", {{"UNROLL", "unroll"}, {"LOAD", "load"}, {"STORE", store_operator}},
                          pieces, {"in", "out", "n"}),
                {block_tunable(), pieces_tunable(4), load_tunable("cg"), store_tunable()}, {"in", "out"});
}

VariantInfo triad() {
  return stream(
      "triad", "c = a + 2 b, 16 bytes per access; limited by memory bandwidth.", "probe == 'dram_triad'",
      launch_of("peaks_triad", {{"UNROLL", "unroll"}, {"LOAD", "load"}, {"STORE", store_operator}}, pieces,
                {"a", "b", "c", "n"}),
      {block_tunable(), pieces_tunable(2), load_tunable("cg"), store_tunable()}, {"a", "b", "c"});
}

VariantInfo shared() {
  LaunchSpec launch =
      launch_of("peaks_shared", {}, "ceil_div(bytes, 4 * block)", {"in", "out", "n", "rounds"});
  launch.local_bytes = "16384";
  VariantInfo info = variant(
      "shared", "Conflict-free reads of 16 bytes from a tile in shared memory; limited by its banks.",
      "probe == 'shared'", launch, {block_tunable()});
  info.access = patterns::tile_read();
  return info;
}

VariantInfo launch() {
  LaunchSpec launch;
  launch.source = "peaks_launch.cu";
  launch.entry = "peaks_launch";
  launch.arguments = {"in", "out"};
  return variant("launch", "One thread, one word; limited by what a launch costs.", "probe == 'launch'",
                 launch, {});
}

const Table::Registration peaks_registration([] {
  return std::vector<Table::Entry>{
      {fma("fma_f32", "Chains of float multiply-adds in registers; limited by the FMA units.",
           "probe == 'fma_f32'", "f32")},
      {fma("fma_f64", "Chains of double multiply-adds in registers; limited by the FMA units.",
           "probe == 'fma_f64'", "f64")},
      {mma(true, false)},
      {mma(false, false)},
      {mma(true, true)},
      {mma(false, true)},
      {mma_f64()},
      {read()},
      {write()},
      {copy()},
      {triad()},
      {shared()},
      {launch()}};
});

}  // namespace

}  // namespace benchctl::cuda
