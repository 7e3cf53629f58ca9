// Variants of workload `peaks`.
#include <benchctl/patterns/peaks.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

TunableInfo block_tunable(std::int64_t default_value) {
  return {"block",
          default_value,
          "Work-items per work-group.",
          {"block >= 1"},
          {std::int64_t{1}, std::int64_t{64}, std::int64_t{256}}};
}

TunableInfo width_tunable(std::int64_t default_value) {
  return {"width",
          default_value,
          "Elements of a vector.",
          {"width == 1 or width == 2 or width == 4 or width == 8 or width == 16"},
          {std::int64_t{1}, std::int64_t{4}, std::int64_t{16}}};
}

TunableInfo unroll_tunable(std::int64_t default_value) {
  return {"unroll",
          default_value,
          "Vectors per work-item that are in flight together.",
          {"unroll >= 1", "unroll <= 64"},
          {std::int64_t{1}, std::int64_t{4}}};
}

VariantInfo variant(const char* name, const char* doc, const char* probes, LaunchSpec launch,
                    std::vector<TunableInfo> tunables) {
  VariantInfo variant;
  variant.workload = "peaks";
  variant.name = name;
  variant.doc = doc;
  variant.require = {probes};
  variant.tunables = std::move(tunables);
  variant.kernel = KernelSpec{{std::move(launch)}, {}};
  return variant;
}

LaunchSpec launch_of(const char* kernel, std::map<std::string, std::string, std::less<>> defines,
                     const std::string& groups, std::vector<std::string> arguments) {
  LaunchSpec launch;
  launch.source = std::string(kernel);
  launch.entry = kernel;
  launch.defines = std::move(defines);
  launch.defines["BLOCK"] = "block";
  launch.block = {"block", "1", "1"};
  launch.grid = {groups, "1", "1"};
  launch.arguments = std::move(arguments);
  return launch;
}

VariantInfo fma(const char* name, const char* doc, const char* probe, const std::string& type) {
  return variant(name, doc, probe,
                 launch_of("peaks_fma",
                           {{"REAL", "ctype('" + type + "')"},
                            {"USE_FP64", "'" + type + "' == 'f64'"},
                            {"CHAINS", "chains"},
                            {"WIDTH", "width"}},
                           "ceil_div(bytes, sizeof('" + type + "') * block * chains * width)",
                           {"start", "out", "n", "rounds", "scale", "shift"}),
                 {block_tunable(64),
                  {"chains",
                   std::int64_t{8},
                   "Independent vectors of chains per work-item.",
                   {"chains >= 1", "chains <= 32"},
                   {std::int64_t{1}, std::int64_t{4}, std::int64_t{8}, std::int64_t{12}}},
                  width_tunable(1)});
}

VariantInfo read() {
  LaunchSpec launch = launch_of(
      "peaks_read",
      {{"UNROLL", "unroll"}, {"WIDTH", "width"}, {"PERIOD", "if(probe == 'dram_read_apart', 2, 1)"}},
      "ceil_div(bytes, 65536) * rounds", {"in", "out", "n"});
  launch.local_bytes = "block * 4";
  VariantInfo info =
      variant("read",
              "Every work-group adds up 64 KiB; limited by the bandwidth of the memory or cache that "
              "holds the buffer.",
              "probe == 'dram_read' or probe == 'dram_read_apart' or probe == 'cache_read'", launch,
              {block_tunable(256), width_tunable(4), unroll_tunable(4)});
  // The sums of a group are added up by halves.
  info.tunables[0].require = {
      "block == 1 or block == 2 or block == 4 or block == 8 or block == 16 or block == 32 or block == 64 "
      "or "
      "block == 128 or block == 256 or block == 512 or block == 1024"};
  info.access = patterns::segments_read("(width * 4)");
  return info;
}

VariantInfo stream(const char* name, const char* doc, const char* probe, const char* kernel,
                   std::vector<std::string> arguments, const std::vector<const char*>& operands) {
  VariantInfo info = variant(name, doc, probe,
                             launch_of(kernel, {{"UNROLL", "unroll"}, {"WIDTH", "width"}},
                                       "ceil_div(bytes, 4 * width * block * unroll)", std::move(arguments)),
                             {block_tunable(256), width_tunable(4), unroll_tunable(1)});
  info.access = patterns::streamed(operands, "(width * 4)");
  return info;
}

VariantInfo shared() {
  LaunchSpec launch =
      launch_of("peaks_shared", {}, "ceil_div(bytes, 4 * block)", {"in", "out", "n", "rounds"});
  launch.local_bytes = "16384";
  VariantInfo info =
      variant("shared",
              "Conflict-free reads of 16 bytes from a tile in local memory; limited by its banks. (A "
              "CPU's local memory is ordinary memory.)",
              "probe == 'shared'", launch, {block_tunable(256)});
  info.device_types = {DeviceType::gpu, DeviceType::accelerator, DeviceType::simulator};
  info.access = patterns::tile_read();
  return info;
}

VariantInfo launch() {
  LaunchSpec launch;
  launch.source = "peaks_launch";
  launch.entry = "peaks_launch";
  launch.arguments = {"in", "out"};
  return variant("launch", "One work-item, one word; limited by what a launch costs.", "probe == 'launch'",
                 launch, {});
}

}  // namespace

std::vector<VariantInfo> peaks_variants(const std::string& suffix) {
  return with_suffix(
      {fma("fma_f32", "Chains of float multiply-adds in registers; limited by the FMA units.",
           "probe == 'fma_f32'", "f32"),
       fma("fma_f64", "Chains of double multiply-adds in registers; limited by the FMA units.",
           "probe == 'fma_f64'", "f64"),
       read(),
       stream("write", "Vectors of `width` words; limited by memory bandwidth.", "probe == 'dram_write'",
              "peaks_write", {"out", "n", "first", "step"}, {"out"}),
       stream("copy", "Vectors of `width` words; limited by memory bandwidth.", "probe == 'dram_copy'",
              "peaks_copy", {"in", "out", "n"}, {"in", "out"}),
       stream("triad", "c = a + 2 b in vectors of `width`; limited by memory bandwidth.",
              "probe == 'dram_triad'", "peaks_triad", {"a", "b", "c", "n"}, {"a", "b", "c"}),
       shared(), launch()},
      suffix);
}

}  // namespace benchctl::gpu
