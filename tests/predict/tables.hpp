// Kernels of the tables that plugins have, for what they say of memory.
#pragma once

#include "config/kernel_tables.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace benchctl::test {

/// A kernel as OpenCL's tables describe it.
inline const VariantInfo& table_entry(const std::string& workload, const std::string& name) {
  static const std::vector<VariantInfo> variants =
      read_kernel_tables(plugin_directory() / "kernels/opencl", "opencl").variants;
  if (variants.empty()) SKIP("no kernels of OpenCL");
  const auto found = std::ranges::find_if(variants, [&](const VariantInfo& variant) {
    return variant.workload == workload && variant.name == name;
  });
  INFO(workload << '/' << name);
  REQUIRE(found != variants.end());
  return *found;
}

/// `variant` with its accesses instead.
inline VariantInfo with_accesses_of(VariantInfo variant, const VariantInfo& entry) {
  variant.access = entry.access;
  variant.kernel->derived = entry.kernel->derived;
  return variant;
}

}  // namespace benchctl::test
