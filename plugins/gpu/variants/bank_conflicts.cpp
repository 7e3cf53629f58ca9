// Variants of workload `bank_conflicts`: one kernel, three index orders.
#include "patterns/bank_conflicts.hpp"

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

using patterns::along_x;
using patterns::along_y;

VariantInfo variant(const char* name, const char* doc, const char* order, const std::string& shared,
                    const std::string& global) {
  VariantInfo variant = variant_of("bank_conflicts", name, doc);
  LaunchSpec launch;
  launch.source = "bank_conflicts";
  launch.entry = "bank_conflicts";
  launch.defines["ORDER"] = order;
  launch.block = {"16", "16", "1"};
  launch.grid = {"blocks", "1", "1"};
  launch.local_bytes = "1024";
  launch.arguments = {"in", "out"};
  variant.access = patterns::doubled_in_shared_memory(shared, global);
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

}  // namespace

std::vector<VariantInfo> bank_conflicts_variants(const Language& language) {
  return translated(
      {variant("column_major",
               "Index x + 16·y: no conflicts, coalesced; limited by launching or memory bandwidth.", "0",
               along_x, along_x),
       variant("row_major_as_published",
               "Index y + 16·x for local and global memory: bank conflicts and strided global access in "
               "one figure.",
               "1", along_y, along_y),
       variant("row_major_shared_only",
               "Index y + 16·x for local memory alone: what the bank conflicts cost.", "2", along_y,
               along_x)},
      language);
}

}  // namespace benchctl::gpu
