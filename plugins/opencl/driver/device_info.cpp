#include "driver/device_info.hpp"

#include <benchctl/cpu_packages.hpp>
#include <benchctl/software.hpp>

#include "driver/identity.hpp"
#include "driver/local_memory.hpp"
#include "driver/query.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace benchctl::opencl {

namespace {

// From cl_nv_device_attribute_query, missing in the headers of the Khronos group.
constexpr cl_device_info nv_pci_bus_id = 0x4008;
constexpr cl_device_info nv_pci_slot_id = 0x4009;
constexpr cl_device_info nv_pci_domain_id = 0x400A;
// From cl_khr_fp64, before OpenCL 1.2 made it core.
constexpr cl_device_info double_fp_config = 0x1032;

/// Executions that may be queued in one sample: a sample that is held counts for more than a long one. No
/// more commands are held behind a user event than 32, behind a kernel, on GPUs, than 256 (sampler.cpp), of
/// which an execution of a library may take several.
constexpr std::uint32_t max_batch = 32;
constexpr std::uint32_t max_held_batch = 100;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  std::ranges::sort(result);
  return result;
}

bool has(const std::vector<std::string>& sorted, const char* word) {
  return std::ranges::binary_search(sorted, word);
}

/// Oclgrind says that it is CPU, GPU and accelerator at once, so bits are tested one by one.
DeviceType type_of(const FoundDevice& found, cl_device_type bits) {
  const std::string platform = platform_slug(platform_text(found.platform, CL_PLATFORM_NAME));
  const bool cpu = (bits & CL_DEVICE_TYPE_CPU) != 0;
  const bool gpu = (bits & CL_DEVICE_TYPE_GPU) != 0;
  const bool accelerator = (bits & CL_DEVICE_TYPE_ACCELERATOR) != 0;
  if (platform == "oclgrind" || (cpu && gpu && accelerator)) return DeviceType::simulator;
  if (gpu) return DeviceType::gpu;
  return cpu ? DeviceType::cpu : DeviceType::accelerator;
}

std::optional<gpu::PciAddress> pci_address(cl_device_id device,
                                           const std::vector<std::string>& extensions) {
  if (has(extensions, "cl_khr_pci_bus_info")) {
    if (const auto info = device_property<cl_device_pci_bus_info_khr>(device, CL_DEVICE_PCI_BUS_INFO_KHR)) {
      return gpu::PciAddress{info->pci_domain, info->pci_bus, info->pci_device, info->pci_function};
    }
  }
  if (has(extensions, "cl_nv_device_attribute_query")) {
    const auto bus = device_property<cl_uint>(device, nv_pci_bus_id);
    const auto slot = device_property<cl_uint>(device, nv_pci_slot_id);
    // Old drivers do not know the domain; machines of their time have only the first.
    const cl_uint domain = device_property<cl_uint>(device, nv_pci_domain_id).value_or(0);
    if (bus && slot) return pci_from_nvidia(domain, *bus, *slot);
  }
  return std::nullopt;
}

/// 90 for 9.0; 0 where there is none.
cl_uint compute_capability(const FoundDevice& found) {
  if (!is_nvidia(found)) return 0;
  const auto major = device_property<cl_uint>(found.device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
  const auto minor = device_property<cl_uint>(found.device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
  return major && minor ? *major * 10 + *minor : 0;
}

std::string architecture(const FoundDevice& found, const std::string& name) {
  if (const cl_uint capability = compute_capability(found)) return "sm_" + std::to_string(capability);
  const std::string target = pocl_target(device_text(found.device, CL_DEVICE_VERSION));
  return target.empty() ? gpu::slug(name) : target;
}

DeviceLimits limits_of(const FoundDevice& found) {
  cl_device_id device = found.device;
  DeviceLimits limits;
  limits.memory_bytes = device_property<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE).value_or(0);
  limits.max_allocation_bytes = device_property<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE).value_or(0);
  limits.local_memory_bytes =
      std::max<std::uint64_t>(reported_local_memory(found), local_memory_of(compute_capability(found)));
  limits.max_block_threads =
      device_property<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE).value_or(0);
  // Devices may have more dimensions than the three that a kernel uses.
  std::vector<std::size_t> sizes(
      std::max(3U, device_property<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS).value_or(3)));
  if (api().clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes.size() * sizeof(std::size_t),
                            sizes.data(), nullptr) == CL_SUCCESS) {
    std::copy_n(sizes.begin(), 3, limits.max_block.begin());
  }
  return limits;
}

MemoryGeometry geometry_of(const FoundDevice& found, DeviceType type) {
  MemoryGeometry memory;
  memory.line = device_property<cl_uint>(found.device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE).value_or(0);
  memory.sector = memory.line;
  memory.dram = memory.line;
  if (type == DeviceType::gpu && is_nvidia(found)) {
    return gpu::nvidia_memory(device_property<cl_uint>(found.device, CL_DEVICE_WARP_SIZE_NV).value_or(32));
  }
  return memory;
}

void add_properties(const FoundDevice& found, const std::vector<std::string>& extensions,
                    DeviceInfo& info) {
  auto& properties = info.properties;
  properties["platform"] = platform_text(found.platform, CL_PLATFORM_NAME);
  properties["platform_version"] = platform_text(found.platform, CL_PLATFORM_VERSION);
  properties["device_version"] = device_text(found.device, CL_DEVICE_VERSION);
  properties["driver_version"] = device_text(found.device, CL_DRIVER_VERSION);
  properties["opencl_c_version"] = device_text(found.device, CL_DEVICE_OPENCL_C_VERSION);
  properties["reported_local_memory_bytes"] = std::to_string(reported_local_memory(found));
  if (const auto clock = device_property<cl_uint>(found.device, CL_DEVICE_MAX_CLOCK_FREQUENCY)) {
    properties["max_clock_mhz"] = std::to_string(*clock);
  }
  if (platform_slug(properties["platform"]) == "pocl") {
    const char* affinity = std::getenv("POCL_AFFINITY");
    properties["pocl_affinity"] = affinity == nullptr ? "unset" : affinity;
  }
  if (has(extensions, "cl_khr_device_uuid")) {
    using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
    if (const auto uuid = device_property<Uuid>(found.device, CL_DEVICE_UUID_KHR)) {
      properties["uuid"] = gpu::uuid_text(*uuid);
    }
  }
}

}  // namespace

bool is_nvidia(const FoundDevice& found) {
  return platform_slug(platform_text(found.platform, CL_PLATFORM_NAME)) == "nvidia";
}

DeviceInfo describe(const FoundDevice& found) {
  cl_device_id device = found.device;
  const std::vector<std::string> extensions = words(device_text(device, CL_DEVICE_EXTENSIONS));
  DeviceInfo info;
  info.id = found.id;
  info.name = device_text(device, CL_DEVICE_NAME);
  info.vendor = device_text(device, CL_DEVICE_VENDOR);
  info.type = type_of(found, device_property<cl_device_type>(device, CL_DEVICE_TYPE).value_or(0));
  info.driver = device_text(device, CL_DEVICE_VERSION) + ", driver " +
                device_text(device, CL_DRIVER_VERSION) + ", " +
                platform_text(found.platform, CL_PLATFORM_NAME) + " " +
                platform_text(found.platform, CL_PLATFORM_VERSION);
  info.architecture = architecture(found, info.name);
  info.compute_units = device_property<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS).value_or(0);
  info.last_level_cache_bytes =
      device_property<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE).value_or(0);
  const auto timer = device_property<std::size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION).value_or(1);
  info.timer_step_ns =
      std::max(static_cast<double>(timer), is_nvidia(found) ? gpu::nvidia_timer_step_ns : 1.0);
  info.max_batch = info.type == DeviceType::gpu ? max_held_batch : max_batch;
  info.fp64 = has(extensions, "cl_khr_fp64") ||
              device_property<cl_bitfield>(device, double_fp_config).value_or(0) != 0;
  info.fp16 = has(extensions, "cl_khr_fp16");
  info.limits = limits_of(found);
  info.memory = geometry_of(found, info.type);
  info.features = extensions;
  // Copies to local memory past the registers, which PTX has from compute capability 8.0 on.
  if (compute_capability(found) >= 80) info.features.emplace_back("cp_async");
  add_properties(found, extensions, info);
  if (info.type == DeviceType::cpu || info.type == DeviceType::simulator) {
    info.physical = cpu_physical(cpu_packages());
  } else if (const auto address = pci_address(device, extensions)) {
    info.physical = gpu::physical_identity(*address);
    info.properties["pci"] = info.physical.substr(4);
  } else {
    info.physical = "opencl:" + found.id;
  }
  const std::string unproven = gpu::unproven(info.vendor, "opencl");
  if (!unproven.empty() && info.type == DeviceType::gpu) info.properties[unproven_property] = unproven;
  return info;
}

std::uint64_t reported_local_memory(const FoundDevice& found) {
  return device_property<cl_ulong>(found.device, CL_DEVICE_LOCAL_MEM_SIZE).value_or(0);
}

std::string compiler_identity(const FoundDevice& found) {
  return device_text(found.device, CL_DEVICE_NAME) + '\n' + device_text(found.device, CL_DEVICE_VERSION) +
         '\n' + device_text(found.device, CL_DRIVER_VERSION) + '\n' +
         platform_text(found.platform, CL_PLATFORM_VERSION);
}

}  // namespace benchctl::opencl
