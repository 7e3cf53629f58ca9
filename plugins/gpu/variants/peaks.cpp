// Variants of workload `peaks`.
#include "patterns/peaks.hpp"

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo variant(const char* name, const char* doc, const char* probes, LaunchSpec launch,
                    std::vector<TunableInfo> tunables) {
  VariantInfo variant = variant_of("peaks", name, doc);
  variant.require = {probes};
  variant.tunables = std::move(tunables);
  variant.kernel = KernelSpec{{std::move(launch)}, {}};
  return variant;
}

TunableInfo unroll_tunable(std::int64_t default_value, const char* doc, std::vector<Value> values) {
  return {"unroll", default_value, doc, {"unroll >= 1", "unroll <= 64"}, std::move(values)};
}

/// `width`, where there are vectors, with its definition.
void add_width(const Language& language, VariantInfo& info, std::int64_t default_value) {
  if (!language.vectors) return;
  info.kernel->launches[0].defines["WIDTH"] = "width";
  info.tunables.push_back({"width",
                           default_value,
                           "Elements of a vector.",
                           {"width == 1 or width == 2 or width == 4 or width == 8 or width == 16"},
                           {std::int64_t{1}, std::int64_t{4}, std::int64_t{16}}});
}

LaunchSpec launch_of(const char* kernel, std::map<std::string, std::string, std::less<>> defines,
                     const std::string& groups, std::vector<ArgumentSpec> arguments) {
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

/// Chains of vectors, or several rounds in a pass of the loop.
VariantInfo fma(const Language& language, const char* name, const char* probe, const std::string& type,
                const char* doc) {
  VariantInfo info = variant(name, doc, probe,
                             launch_of("peaks_fma",
                                       {{"REAL", "ctype('" + type + "')"},
                                        {"USE_FP64", "'" + type + "' == 'f64'"},
                                        {"CHAINS", "chains"}},
                                       "ceil_div(bytes, sizeof('" + type + "') * block * chains" +
                                           (language.vectors ? " * width)" : ")"),
                                       {"start", "out", "n", "rounds", "scale", "shift"}),
                             {block_tunable(language, language.vectors ? 64 : 128),
                              {"chains",
                               std::int64_t{8},
                               "Independent chains per work-item.",
                               {"chains >= 1", "chains <= 32"},
                               {std::int64_t{1}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}});
  add_width(language, info, 1);
  if (!language.vectors) {
    info.kernel->launches[0].defines["UNROLL"] = "unroll";
    info.tunables.push_back(
        unroll_tunable(32, "Rounds per pass of the loop.", {std::int64_t{8}, std::int64_t{32}}));
  }
  return info;
}

/// Accesses of a vector each, `unroll` of them in flight per work-item; gives the bytes of one.
std::string add_accesses(const Language& language, VariantInfo& info, std::int64_t unroll) {
  add_width(language, info, 4);
  info.kernel->launches[0].defines["UNROLL"] = "unroll";
  info.tunables.push_back(
      unroll_tunable(unroll, "Accesses per work-item that are in flight together.",
                     {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}}));
  return language.vectors ? "(width * 4)" : "16";
}

VariantInfo read(const Language& language) {
  LaunchSpec launch = launch_of("peaks_read", {{"PERIOD", "if(probe == 'dram_read_apart', 2, 1)"}},
                                "ceil_div(bytes, 65536) * rounds", {"in", "out", "n"});
  launch.local_bytes = "block * 4";
  VariantInfo info =
      variant("read",
              "Every work-group adds up 64 KiB; limited by the bandwidth of the memory or cache that "
              "holds the buffer.",
              "probe == 'dram_read' or probe == 'dram_read_apart' or probe == 'cache_read'", launch,
              {block_tunable(language)});
  info.access = patterns::segments_read(add_accesses(language, info, 4));
  // The sums of a group are added up by halves.
  if (language.vectors) info.tunables[0].require = {"1024 % block == 0"};
  return info;
}

VariantInfo stream(const Language& language, const char* name, const char* doc, const char* probe,
                   std::vector<ArgumentSpec> arguments, const std::vector<const char*>& operands,
                   std::int64_t unroll) {
  VariantInfo info = variant(
      name, doc, probe, launch_of(("peaks_" + std::string(name)).c_str(), {}, "", std::move(arguments)),
      {block_tunable(language)});
  const std::string bytes = add_accesses(language, info, language.vectors ? 1 : unroll);
  info.kernel->launches[0].grid[0] = "ceil_div(bytes, " + bytes + " * block * unroll)";
  info.access = patterns::streamed(operands, bytes);
  return info;
}

VariantInfo shared(const Language& language) {
  LaunchSpec launch =
      launch_of("peaks_shared", {}, "ceil_div(bytes, 4 * block)", {"in", "out", "n", "rounds"});
  launch.local_bytes = "16384";
  VariantInfo info = variant(
      "shared", "Conflict-free reads of 16 bytes from a tile in local memory; limited by its banks.",
      "probe == 'shared'", launch, {block_tunable(language)});
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

std::vector<VariantInfo> peaks_variants(const Language& language) {
  return translated(
      {fma(language, "fma_f32", "probe == 'fma_f32'", "f32",
           "Chains of float multiply-adds in registers; limited by the FMA units."),
       fma(language, "fma_f64", "probe == 'fma_f64'", "f64",
           "Chains of double multiply-adds in registers; limited by the FMA units."),
       read(language),
       stream(language, "write", "One vector per store; limited by memory bandwidth.",
              "probe == 'dram_write'", {"out", "n", "first", "step"}, {"out"}, 4),
       stream(language, "copy", "One vector per load and store; limited by memory bandwidth.",
              "probe == 'dram_copy'", {"in", "out", "n"}, {"in", "out"}, 4),
       stream(language, "triad", "c = a + 2 b, one vector per access; limited by memory bandwidth.",
              "probe == 'dram_triad'", {"a", "b", "c", "n"}, {"a", "b", "c"}, 2),
       shared(language), launch()},
      language);
}

}  // namespace benchctl::gpu
