// Devices with the limits that most of their kind have, for the plans of configs.
#pragma once

#include "sweep/fixtures.hpp"

#include <algorithm>
#include <filesystem>

namespace benchctl::test {

inline Lane usual_lane(const std::string& backend, const std::string& id, DeviceType type) {
  Lane result = lane(backend, id, type);
  const bool gpu = type == DeviceType::gpu;
  const std::uint64_t gibibyte = std::uint64_t{1} << 30;
  result.device.compute_units = gpu ? 100 : 2;
  result.device.max_batch = 64;
  result.device.last_level_cache_bytes = std::uint64_t{40} << 20;
  result.device.limits.memory_bytes = (gpu ? 24 : 8) * gibibyte;
  result.device.limits.max_allocation_bytes = (gpu ? 6 : 2) * gibibyte;
  result.device.limits.local_memory_bytes = 49152;
  result.device.limits.max_block_threads = gpu ? 1024 : 4096;
  if (backend == "cpu_avx") {
    result.device.limits.local_memory_bytes = 0;
    result.device.limits.max_block_threads = 0;
    result.device.features = {"avx2", "fma", "avx512f"};
  }
  result.device.memory.warp = gpu ? 32 : 0;
  if (backend == "opencl" && gpu) result.device.features = {"cp_async"};  // as NVIDIA's have
  if (backend == "cuda") {
    result.device.features = {"mma_sync", "wgmma"};
    result.device.limits.local_memory_bytes = 99 * 1024;  // the least of all that have mma_sync
  }
  return result;
}

inline LaneTable processor_only() {
  return {{"cuda", {}, "no driver"},
          {"opencl", {usual_lane("opencl", "pocl:0", DeviceType::cpu)}, {}},
          {"cpu_avx", {usual_lane("cpu_avx", "0", DeviceType::cpu)}, {}}};
}

inline LaneTable with_gpu() {
  return {
      {"cuda", {usual_lane("cuda", "0", DeviceType::gpu)}, {}},
      {"opencl",
       {usual_lane("opencl", "gpu:0", DeviceType::gpu), usual_lane("opencl", "pocl:0", DeviceType::cpu)},
       {}},
      {"cpu_avx", {usual_lane("cpu_avx", "0", DeviceType::cpu)}, {}}};
}

/// The configs of a folder, by name.
inline std::vector<std::filesystem::path> config_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace benchctl::test
