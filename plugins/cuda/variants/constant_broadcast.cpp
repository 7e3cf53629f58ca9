// Variants of workload `constant_broadcast`.
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
  return variant("constant",
                 "The table in constant memory, which serves a warp one address at a time: a uniform index "
                 "costs one step, a divergent one 32.");
}

VariantInfo global() {
  VariantInfo info = variant("global",
                             "The table in global memory, in the L1 cache: uniform or divergent, a warp's "
                             "load is one request.");
  info.kernel->launches.front().arguments = {"table", "key", "out", "n", "rounds"};
  const auto read = [](const std::string& active, const std::string& entry) {
    AccessSpec access;
    access.operand = "table";
    access.offset = "((" + entry + ") % 256) * 4";
    access.bytes = "4";
    access.active = "i < n and index == " + active;
    access.times = "rounds * 256";
    return access;
  };
  info.access = {read("'uniform'", "floor_div(i, 32)"), read("'divergent'", "floor_div(i, 32) + i % 32")};
  return info;
}

const Table::Registration registration([] { return std::vector<Table::Entry>{{constant()}, {global()}}; });

}  // namespace

}  // namespace benchctl::cuda
