// Variants that are the same on every backend with work-groups, with what CUDA adds to them.
#include "gpu/first_launch.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

void extend_shared(VariantInfo& variant) {
  LaunchSpec& launch = first_launch(variant);
  if (variant.workload == "access") {
    launch.defines["CACHE_OP"] = "cache_op";
    variant.tunables.push_back(
        {"cache_op",
         std::string("ca"),
         "The loads' cache operator: ca caches on all levels, cg passes the first-level cache by.",
         {"cache_op == 'ca' or cache_op == 'cg'"},
         {std::string("ca"), std::string("cg")}});
  } else if (variant.workload == "latency") {
    launch.defines["LOAD"] = "load";
    launch.arguments = {"chain", "end", "cycles", "steps"};
    variant.tunables.push_back({"load",
                                std::string("ca"),
                                "Cache operator: ca through the first level, cg past it.",
                                {"load == 'ca' or load == 'cg'"},
                                {std::string("ca"), std::string("cg")}});
  } else if (variant.workload == "shared_stride") {
    variant.tunables.back().default_value = std::int64_t{1024};
  } else if (variant.workload == "constant_broadcast" && variant.name == "constant") {
    std::erase(launch.arguments, "table");  // the kernel has it as a constant
  }
}

const Table::Registration shared_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::translated(
      {gpu::spin_clock("the GPU's nanosecond timer, and its cycle counter between the timer's steps")},
      language()));
  for (const auto make :
       {gpu::access_variants, gpu::bank_conflicts_variants, gpu::constant_broadcast_variants,
        gpu::latency_variants, gpu::shared_stride_variants, gpu::vec3_variants, gpu::vector_add_variants}) {
    for (VariantInfo& variant : make(language())) {
      extend_shared(variant);
      entries.push_back({std::move(variant)});
    }
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
