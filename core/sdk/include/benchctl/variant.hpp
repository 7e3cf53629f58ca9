// A variant table entry: everything the host must know about an implementation without running it.
// The table is static data and is read where there is neither driver nor device.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/types.hpp>

#include <vector>

namespace benchctl {

/// A parameter that belongs to the variant: it changes how, never what is computed.
struct TunableInfo {
  std::string name;
  Value default_value = std::int64_t{0};
  std::string doc;                   ///< one sentence, shown by `benchctl list`
  std::vector<std::string> require;  ///< expressions that must hold, e.g. "tile >= 1"
};

struct VariantInfo {
  std::string workload;
  std::string name;
  std::string doc;  ///< one sentence: the idea, and the limit to expect
  std::vector<TunableInfo> tunables;
  std::vector<DType> dtypes;         ///< values of the problem parameter `dtype` that it takes
  std::vector<std::string> layouts;  ///< layouts that it takes; empty: the workload's only one
  /// Arithmetic precision that judges the result: `dtype` (that of the problem's type) or the name of a
  /// narrower one, `tf32`, `f16`, `bf16`.
  std::string precision = "dtype";
  /// Which roof it runs under: `fma` (f32 or f64 by dtype), `mma_tf32`, `mma_bf16`.
  std::string compute_path = "fma";
  /// A vendor's library, shown as the yardstick.
  bool vendor = false;
  /// Device features that it cannot do without (DeviceInfo::features).
  std::vector<std::string> features;
  /// Device types it is meant for; empty: all.
  std::vector<DeviceType> device_types;
  /// Architectures for which this kernel is claimed to compile: checked without a device by the tests.
  std::vector<std::string> architectures;
  /// Expressions that must hold for a point of this variant ("k % 4 == 0").
  std::vector<std::string> require;
  /// Set when the variant is a source file; a native variant has none.
  std::optional<KernelSpec> kernel;
};

}  // namespace benchctl
