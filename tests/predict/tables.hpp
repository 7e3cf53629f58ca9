// Kernels of the tables that plugins have, for what they say of memory.
#pragma once

#include "support/gpu_plugin.hpp"

namespace benchctl::test {

/// A kernel as OpenCL's tables describe it.
inline const VariantInfo& table_entry(const std::string& workload, const std::string& name) {
  return variant_of(built_backend("opencl"), workload, name);
}

/// `variant` with its accesses instead.
inline VariantInfo with_accesses_of(VariantInfo variant, const VariantInfo& entry) {
  variant.access = entry.access;
  variant.kernel->derived = entry.kernel->derived;
  return variant;
}

}  // namespace benchctl::test
