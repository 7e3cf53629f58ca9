#include "table.hpp"

namespace benchctl::opencl {

namespace {

VariantInfo chase() {
  VariantInfo variant;
  variant.workload = "latency";
  variant.name = "chase";
  variant.doc =
      "One work-item follows the chain; limited by the latency of the memory or cache that holds it.";
  LaunchSpec launch;
  launch.source = "latency_chase.cl";
  launch.entry = "latency_chase";
  launch.arguments = {"chain", "end", "steps"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

const Table::Registration latency_registration([] { return std::vector<Table::Entry>{{chase()}}; });

}  // namespace

}  // namespace benchctl::opencl
