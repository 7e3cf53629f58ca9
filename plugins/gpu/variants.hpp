// Entries of variant tables that backends with work-groups share, one function per workload. Kernel files
// have one name everywhere and the language's `suffix`: `.cl`, `.comp`.
#pragma once

#include <benchctl/variant.hpp>

#include <string>
#include <vector>

namespace benchctl::gpu {

[[nodiscard]] std::vector<VariantInfo> access_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> bank_conflicts_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> constant_broadcast_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> copy_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> latency_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> matmul_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> peaks_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> reduce_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> shared_stride_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> spin_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> transpose_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> vec3_variants(const std::string& suffix);
[[nodiscard]] std::vector<VariantInfo> vector_add_variants(const std::string& suffix);

/// For further variants of these workloads; their files have no suffix yet. `step` is behind the variant in
/// the name of the kernel.
[[nodiscard]] LaunchSpec reduce_launch(const std::string& variant, const std::string& step,
                                       const std::string& grid, std::vector<std::string> arguments);
[[nodiscard]] VariantInfo spin_variant(const char* name, const char* doc);

/// The same with `suffix` behind the name of each kernel file.
[[nodiscard]] inline std::vector<VariantInfo> with_suffix(std::vector<VariantInfo> variants,
                                                          const std::string& suffix) {
  for (VariantInfo& variant : variants) {
    for (LaunchSpec& launch : variant.kernel->launches) launch.source += suffix;
  }
  return variants;
}

}  // namespace benchctl::gpu
