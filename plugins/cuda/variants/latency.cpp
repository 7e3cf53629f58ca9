#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo chase() {
  VariantInfo variant = gpu_variant("latency", "chase",
                                    "One thread follows the chain; limited by the latency of the memory or "
                                    "cache that holds it.");
  variant.architectures = all_architectures();
  variant.tunables = {{"load",
                       std::string("ca"),
                       "Cache operator: ca through the first level, cg past it.",
                       {"load == 'ca' or load == 'cg'"},
                       {std::string("ca"), std::string("cg")}}};
  LaunchSpec launch;
  launch.source = "latency_chase.cu";
  launch.entry = "latency_chase";
  launch.defines = {{"LOAD", "load"}};
  launch.arguments = {"chain", "end", "cycles", "steps"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

const Table::Registration latency_registration([] { return std::vector<Table::Entry>{{chase()}}; });

}  // namespace

}  // namespace benchctl::cuda
