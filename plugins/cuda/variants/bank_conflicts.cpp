// Variants of workload `bank_conflicts`: one kernel, three index orders.
#include "table.hpp"

namespace benchctl::cuda {

namespace {

// Along the threads of a row, and across.
constexpr const char* along_x = "tx + 16 * ty";
constexpr const char* along_y = "ty + 16 * tx";

VariantInfo variant(const char* name, const char* doc, const char* order, const std::string& shared,
                    const std::string& global) {
  VariantInfo variant = gpu_variant("bank_conflicts", name, doc);
  variant.architectures = all_architectures();
  LaunchSpec launch;
  launch.source = "bank_conflicts.cu";
  launch.entry = "bank_conflicts";
  launch.defines["ORDER"] = order;
  launch.block = {"16", "16", "1"};
  launch.grid = {"blocks", "1", "1"};
  launch.local_bytes = "1024";
  launch.arguments = {"in", "out"};
  const auto access = [](const char* operand, AccessSpace space, AccessKind kind, const std::string& offset,
                         const char* times) {
    AccessSpec spec;
    spec.operand = operand;
    spec.space = space;
    spec.kind = kind;
    spec.offset = offset;
    spec.bytes = "4";
    spec.times = times;
    return spec;
  };
  const std::string element = "(bx * 256 + " + global + ") * 4";
  const std::string slot = "(" + shared + ") * 4";
  variant.access = {access("in", AccessSpace::global, AccessKind::read, element, "1"),
                    access("block", AccessSpace::shared, AccessKind::write, slot, "2"),
                    access("block", AccessSpace::shared, AccessKind::read, slot, "2"),
                    access("out", AccessSpace::global, AccessKind::write, element, "1")};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

const Table::Registration registration([] {
  return std::vector<Table::Entry>{
      {variant("column_major",
               "Index x + 16·y: no conflicts, coalesced; limited by launching or memory bandwidth.", "0",
               along_x, along_x)},
      {variant("row_major_as_published",
               "Index y + 16·x for shared and global memory: bank conflicts and strided global access in "
               "one figure.",
               "1", along_y, along_y)},
      {variant("row_major_shared_only",
               "Index y + 16·x for shared memory alone: what the bank conflicts cost.", "2", along_y,
               along_x)}};
});

}  // namespace

}  // namespace benchctl::cuda
