// The variant table: one file per workload in variants/ registers its entries.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/variant_table.hpp>

#include "gpu/variants.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace benchctl::cuda {

class DeviceProblem;

/// Makes a native variant ready, or a kernel file whose arguments are more than buffers and scalars. Throws
/// Failure.
using MakeNative = std::unique_ptr<Prepared> (*)(DeviceProblem& problem, const PrepareRequest& request);
using Table = VariantTable<MakeNative>;

/// For which kernels are claimed, and tested, to compile.
[[nodiscard]] inline std::vector<std::string> all_architectures() {
  return {"sm_80", "sm_90a", "sm_100a", "sm_120"};
}

[[nodiscard]] inline std::vector<Value> numbers(std::initializer_list<std::int64_t> list) {
  return {list.begin(), list.end()};
}

/// Language of the variants that backends share.
[[nodiscard]] inline gpu::Language language() {
  return {.suffix = ".cu",
          .block_step = 32,
          .blocks = numbers({64, 128, 256, 512, 1024}),
          .vectors = false,
          .words = {{"work-item", "thread"},
                    {"Work-item", "Thread"},
                    {"work-group", "block"},
                    {"Work-group", "Block"},
                    {"compute unit", "multiprocessor"},
                    {"local memory", "shared memory"}},
          .architectures = all_architectures(),
          .device_types = {DeviceType::gpu}};
}

/// An entry for GPUs. A source-file variant adds `architectures` and `kernel`.
[[nodiscard]] inline VariantInfo gpu_variant(const char* workload, const char* name, const char* doc) {
  VariantInfo variant;
  variant.workload = workload;
  variant.name = name;
  variant.doc = doc;
  variant.device_types = {DeviceType::gpu};
  return variant;
}

}  // namespace benchctl::cuda
