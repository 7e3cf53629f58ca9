// The variant table: one file per workload in variants/ registers its entries.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include <memory>
#include <vector>

#include "executable.hpp"
#include "machine.hpp"

namespace benchctl::cpu_avx {

/// Binds a variant to a problem. The processor has the features that the variant asks for. Failure
/// unsupported: a problem that it does not take, more threads than cores, no vendor library.
using MakeNative = std::unique_ptr<Executable> (*)(const PrepareRequest& request, const ProblemSpec& spec,
                                                   Machine& machine);
using Table = VariantTable<MakeNative>;

/// `threads`, 0 standing for all cores.
[[nodiscard]] inline TunableInfo threads_tunable(std::int64_t default_value) {
  return {"threads",
          default_value,
          "threads, each on a core of its own; 0: all cores that the process may use",
          {"threads >= 0"},
          {std::int64_t{1}, std::int64_t{0}}};
}

/// An entry for f32 and f64.
[[nodiscard]] inline VariantInfo cpu_variant(const char* workload, const char* name, const char* doc,
                                             std::vector<TunableInfo> tunables,
                                             std::vector<std::string> features = {}) {
  VariantInfo info;
  info.workload = workload;
  info.name = name;
  info.doc = doc;
  info.tunables = std::move(tunables);
  info.features = std::move(features);
  info.dtypes = {DType::f32, DType::f64};
  info.device_types = {DeviceType::cpu};
  return info;
}

}  // namespace benchctl::cpu_avx
