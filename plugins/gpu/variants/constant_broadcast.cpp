// Variants of workload `constant_broadcast`.
#include "patterns/constant_broadcast.hpp"

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo variant(const Language& language, const char* name, const char* doc) {
  VariantInfo variant = variant_of("constant_broadcast", name, doc);
  variant.tunables = {{"index",
                       std::string("uniform"),
                       "Where 32 neighbours are in the table: all at one entry, or each at its own.",
                       {"index == 'uniform' or index == 'divergent'"},
                       {std::string("uniform"), std::string("divergent")}},
                      block_tunable(language)};
  LaunchSpec launch;
  launch.source = std::string("constant_broadcast_") + name;
  launch.entry = std::string("constant_broadcast_") + name;
  launch.defines = {{"LANE_SHIFT", "index == 'divergent'"}};
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block)", "1", "1"};
  launch.arguments = {"table", "key", "out", "n", "rounds"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo constant(const Language& language) {
  VariantInfo info = variant(
      language, "constant",
      "The table in constant memory, which serves neighbours one address at a time: a uniform index "
      "costs one step, a divergent one 32.");
  info.access = patterns::table_reads(AccessSpace::constant);
  return info;
}

VariantInfo global(const Language& language) {
  VariantInfo info = variant(language, "global",
                             "The table in global memory, in the data cache: uniform or divergent, "
                             "neighbours' loads are one request.");
  info.access = patterns::table_reads(AccessSpace::global);
  return info;
}

}  // namespace

std::vector<VariantInfo> constant_broadcast_variants(const Language& language) {
  return translated({constant(language), global(language)}, language);
}

}  // namespace benchctl::gpu
