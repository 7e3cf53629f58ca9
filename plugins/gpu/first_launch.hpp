#pragma once

#include <benchctl/variant.hpp>

namespace benchctl {

/// The first launch of a variant that has a kernel.
[[nodiscard]] inline LaunchSpec& first_launch(VariantInfo& variant) {
  return variant.kernel->launches.front();
}

}  // namespace benchctl
