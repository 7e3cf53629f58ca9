// Variants of workload `constant_broadcast`.
#include <benchctl/patterns/constant_broadcast.hpp>

#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo variant(const char* name, const char* doc) {
  VariantInfo variant = gpu_variant("constant_broadcast", name, doc);
  variant.architectures = all_architectures();
  variant.tunables = {
      {"index",
       std::string("uniform"),
       "Where the threads of a warp are in the table: all at one entry, or each at its own.",
       {"index == 'uniform' or index == 'divergent'"},
       {std::string("uniform"), std::string("divergent")}},
      {"block",
       std::int64_t{256},
       "Threads per block.",
       {"block >= 32", "block % 32 == 0"},
       {std::int64_t{128}, std::int64_t{256}, std::int64_t{1024}}}};
  LaunchSpec launch;
  launch.source = std::string("constant_broadcast_") + name + ".cu";
  launch.entry = std::string("constant_broadcast_") + name;
  launch.defines = {{"LANE_SHIFT", "index == 'divergent'"}};
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block)", "1", "1"};
  launch.arguments = {"key", "out", "n", "rounds"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo constant() {
  VariantInfo info =
      variant("constant",
              "The table in constant memory, which serves a warp one address at a time: a uniform index "
              "costs one step, a divergent one 32.");
  info.access = patterns::table_reads(AccessSpace::constant);
  return info;
}

VariantInfo global() {
  VariantInfo info = variant("global",
                             "The table in global memory, in the L1 cache: uniform or divergent, a warp's "
                             "load is one request.");
  info.kernel->launches.front().arguments = {"table", "key", "out", "n", "rounds"};
  info.access = patterns::table_reads(AccessSpace::global);
  return info;
}

const Table::Registration constant_broadcast_registration([] {
  return std::vector<Table::Entry>{{constant()}, {global()}};
});

}  // namespace

}  // namespace benchctl::cuda
