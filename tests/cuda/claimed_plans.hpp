// What a source-file variant claims to compile as: its plans for the values that its table entry names.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/variant.hpp>

#include <string>
#include <vector>

namespace benchctl::test {

/// What expressions may name of a device.
[[nodiscard]] const Parameters& some_gpu();

/// Do all of the variant's constraints hold? It has a kernel.
[[nodiscard]] bool allowed(const VariantInfo& variant, const Parameters& given);

struct ClaimedPlan {
  std::string values;  ///< as text: problem, layout and tunables
  KernelPlan plan;
};

/// Every word that a problem parameter can be, every element type and layout, and with each of them every
/// value that a tunable names, one tunable at a time. The variant has a kernel.
[[nodiscard]] std::vector<ClaimedPlan> claimed_plans(const VariantInfo& variant);

}  // namespace benchctl::test
