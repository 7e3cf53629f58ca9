// The plugin as the program loads it.
#pragma once

#include <memory>

#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"

namespace benchctl::test {

/// The plugin's device, open. The test is skipped where the plugin was not built.
struct Processor {
  GpuLane lane = gpu_lanes({"cpu_avx"}).front();
  std::unique_ptr<Session> session = lane.open();

  [[nodiscard]] const VariantInfo& matmul(const std::string& name) const {
    return variant_of(lane.backend, "matmul", name);
  }
  /// Does the device have all that the variant needs?
  [[nodiscard]] bool runs(const VariantInfo& variant) const {
    return std::ranges::all_of(variant.features, [&](const std::string& feature) {
      return std::ranges::find(lane.device.features, feature) != lane.device.features.end();
    });
  }
  /// Those of a workload that it runs, less choices: the host prepares others for them.
  [[nodiscard]] std::vector<VariantInfo> variants(std::string_view workload) const {
    std::vector<VariantInfo> own;
    for (const VariantInfo& variant : lane.backend.variants()) {
      if (variant.workload == workload && variant.among.empty() && runs(variant)) own.push_back(variant);
    }
    return own;
  }
};

}  // namespace benchctl::test
