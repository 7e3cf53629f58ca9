#include "driver/device_info.hpp"

#include "gpu/identity.hpp"

#include <benchctl/cpu_packages.hpp>
#include <benchctl/software.hpp>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace benchctl::vulkan {

namespace {

constexpr std::uint32_t nvidia_vendor = 0x10de;
constexpr std::uint32_t amd_vendor = 0x1002;
constexpr std::uint32_t intel_vendor = 0x8086;
constexpr std::uint32_t mesa_vendor = 0x10005;

/// Executions that may be recorded for one sample: more makes recording long beside the work.
constexpr std::uint32_t max_batch = 256;
/// Where no extension tells how many compute units there are, launches are sized for so many.
constexpr std::uint32_t assumed_compute_units = 32;

std::string vendor_name(std::uint32_t vendor) {
  switch (vendor) {
    case nvidia_vendor:
      return "NVIDIA";
    case amd_vendor:
      return "AMD";
    case intel_vendor:
      return "Intel";
    case mesa_vendor:
      return "Mesa";
    default:
      return "vendor " + std::to_string(vendor);
  }
}

DeviceType type_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceType::cpu;
    case VK_PHYSICAL_DEVICE_TYPE_OTHER:
      return DeviceType::accelerator;
    default:
      return DeviceType::gpu;
  }
}

std::string version_of(const DeviceQuery& query) {
  const std::uint32_t version = query.api_version();
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
         std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

std::uint64_t device_memory(const DeviceQuery& query) {
  const VkPhysicalDeviceMemoryProperties memory = query.memory();
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
      bytes = std::max<std::uint64_t>(bytes, memory.memoryHeaps[i].size);
    }
  }
  return bytes;
}

DeviceLimits limits_of(const DeviceQuery& query) {
  const VkPhysicalDeviceLimits& reported = query.properties().limits;
  DeviceLimits limits;
  limits.memory_bytes = device_memory(query);
  // A kernel sees no more of a buffer than fits a binding.
  limits.max_allocation_bytes =
      std::min<std::uint64_t>(query.allocation().maxMemoryAllocationSize, reported.maxStorageBufferRange);
  limits.local_memory_bytes = reported.maxComputeSharedMemorySize;
  limits.max_block_threads = reported.maxComputeWorkGroupInvocations;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    limits.max_block[axis] = reported.maxComputeWorkGroupSize[axis];
    limits.max_grid[axis] = reported.maxComputeWorkGroupCount[axis];
  }
  return limits;
}

MemoryGeometry geometry_of(const DeviceQuery& query) {
  const std::uint32_t warp = query.subgroup().subgroupSize;
  if (query.properties().vendorID == nvidia_vendor) return gpu::nvidia_memory(warp);
  MemoryGeometry memory;
  memory.warp = warp;
  return memory;
}

/// By the names that the specification has for them, beside the names of extensions.
std::vector<std::string> features_of(const DeviceQuery& query) {
  const Features& has = query.features();
  std::vector<std::string> names = query.extensions();
  const std::array<std::pair<VkBool32, const char*>, 10> flags{
      {{has.core.features.shaderFloat64, "shaderFloat64"},
       {has.core.features.shaderInt64, "shaderInt64"},
       {has.core.features.shaderInt16, "shaderInt16"},
       {has.storage16.storageBuffer16BitAccess, "storageBuffer16BitAccess"},
       {has.storage8.storageBuffer8BitAccess, "storageBuffer8BitAccess"},
       {has.float16_int8.shaderFloat16, "shaderFloat16"},
       {has.float16_int8.shaderInt8, "shaderInt8"},
       {has.clock.shaderDeviceClock, "shaderDeviceClock"},
       {has.clock.shaderSubgroupClock, "shaderSubgroupClock"},
       {has.robustness.pipelineRobustness, "pipelineRobustness"}}};
  for (const auto& [there, name] : flags) {
    if (there != VK_FALSE) names.emplace_back(name);
  }
  // Vulkan lets a driver round the product of fma(), and no query tells. Mesa's software does; a GPU that
  // did would be found by the results of `peaks`.
  if (query.properties().deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
    names.emplace_back("fused_multiply_add");
  // A kernel's clock ticks like time stamps do. Some tick in nanoseconds.
  if (has.clock.shaderDeviceClock != VK_FALSE && has.clock.shaderSubgroupClock != VK_FALSE &&
      tick_ns(query) == 1.0) {
    names.emplace_back("nanosecond_clock");
  }
  const std::array<std::pair<VkSubgroupFeatureFlagBits, const char*>, 7> operations{
      {{VK_SUBGROUP_FEATURE_BASIC_BIT, "subgroup_basic"},
       {VK_SUBGROUP_FEATURE_VOTE_BIT, "subgroup_vote"},
       {VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "subgroup_arithmetic"},
       {VK_SUBGROUP_FEATURE_BALLOT_BIT, "subgroup_ballot"},
       {VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "subgroup_shuffle"},
       {VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "subgroup_shuffle_relative"},
       {VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "subgroup_clustered"}}};
  if ((query.subgroup().supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
    for (const auto& [bit, name] : operations) {
      if ((query.subgroup().supportedOperations & bit) != 0) names.emplace_back(name);
    }
  }
  return names;
}

void add_properties(const DeviceQuery& query, DeviceInfo& info) {
  auto& properties = info.properties;
  std::array<std::uint8_t, 16> uuid{};
  std::copy_n(query.identity().deviceUUID, uuid.size(), uuid.begin());
  properties["uuid"] = gpu::uuid_text(uuid);
  properties["vulkan_version"] = version_of(query);
  properties["driver_name"] = query.driver_name();
  properties["driver_info"] = query.driver_info();
  properties["subgroup_size"] = std::to_string(query.subgroup().subgroupSize);
  properties["timestamp_period_ns"] = std::to_string(tick_ns(query));
  properties["timestamp_bits"] = std::to_string(query.timestamp_bits(query.compute_family().value()));
  properties["time_stamps"] = query.calibration_extension() != nullptr
                                  ? "checked against the host's clock"
                                  : "not checked: the driver cannot read them beside the host's clock";
  properties["denormals"] =
      query.float_controls().shaderDenormPreserveFloat32 != VK_FALSE ? "preserved" : "chosen by the driver";
  if (!query.compute_units() && info.type != DeviceType::cpu) {
    properties["compute_units"] = "assumed: no extension reports how many there are";
  }
}

}  // namespace

DeviceInfo describe(const DeviceQuery& query, const std::string& id) {
  const VkPhysicalDeviceProperties& reported = query.properties();
  DeviceInfo info;
  info.id = id;
  info.name = query.name();
  info.vendor = vendor_name(reported.vendorID);
  info.type = type_of(reported.deviceType);
  info.driver = "Vulkan " + version_of(query) + ", " + query.driver_name() + " " + query.driver_info();
  info.architecture = gpu::slug(query.name());
  info.compute_units = info.type == DeviceType::cpu ? std::max(1U, std::thread::hardware_concurrency())
                                                    : query.compute_units().value_or(assumed_compute_units);
  info.timer_step_ns =
      std::max(tick_ns(query), reported.vendorID == nvidia_vendor ? gpu::nvidia_timer_step_ns : 1.0);
  info.max_batch = max_batch;
  info.fp64 = query.features().core.features.shaderFloat64 != VK_FALSE;
  info.fp16 = query.features().float16_int8.shaderFloat16 != VK_FALSE;
  info.limits = limits_of(query);
  info.memory = geometry_of(query);
  info.features = features_of(query);
  add_properties(query, info);
  if (info.type == DeviceType::cpu) {
    info.physical = cpu_physical(cpu_packages());
    info.properties[software_property] = "yes";
  } else if (const auto pci = query.pci()) {
    info.physical = gpu::physical_identity({pci->pciDomain, pci->pciBus, pci->pciDevice, pci->pciFunction});
    info.properties["pci"] = info.physical.substr(4);
  } else {
    info.physical = "vulkan:" + id;
  }
  const std::string unproven = gpu::unproven(info.vendor, "vulkan");
  if (!unproven.empty() && info.type != DeviceType::cpu) info.properties[unproven_property] = unproven;
  return info;
}

}  // namespace benchctl::vulkan
