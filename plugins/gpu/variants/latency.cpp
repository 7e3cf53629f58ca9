#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo chase() {
  VariantInfo variant = variant_of(
      "latency", "chase",
      "One work-item follows the chain; limited by the latency of the memory or cache that holds it.");
  LaunchSpec launch;
  launch.source = "latency_chase";
  launch.entry = "latency_chase";
  launch.arguments = {"chain", "end", "steps"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

}  // namespace

std::vector<VariantInfo> latency_variants(const Language& language) {
  return translated({chase()}, language);
}

}  // namespace benchctl::gpu
