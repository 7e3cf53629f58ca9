#include "table.hpp"

#include <algorithm>

namespace benchctl::vulkan {

std::vector<VariantInfo> bound_or_by_address(std::vector<VariantInfo> variants) {
  for (VariantInfo& variant : variants) {
    // A uniform block, which is the constant memory here, is always bound.
    if (std::ranges::find(variant.access, AccessSpace::constant, &AccessSpec::space) !=
        variant.access.end()) {
      continue;
    }
    variant.tunables.push_back({"buffers",
                                std::string("bound"),
                                "How a kernel reaches its buffers: bound by descriptors, or by address, "
                                "which has no size that a driver could check accesses against.",
                                {"buffers == 'bound' or buffers == 'address'"},
                                {std::string("bound"), std::string("address")}});
    for (LaunchSpec& launch : variant.kernel->launches) {
      launch.defines["BENCHCTL_BY_ADDRESS"] = "buffers == 'address'";
    }
  }
  return variants;
}

}  // namespace benchctl::vulkan
