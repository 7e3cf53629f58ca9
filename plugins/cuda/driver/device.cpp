#include "driver/device.hpp"

#include "driver/peaks.hpp"
#include "gpu/identity.hpp"
#include "measure/limits.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace benchctl::cuda {

namespace {

class Attributes {
 public:
  Attributes(const DriverApi& driver, CUdevice device) : driver_(driver), device_(device) {}

  [[nodiscard]] int number(CUdevice_attribute attribute) const {
    int value = 0;
    driver_.check(driver_.device_get_attribute(&value, attribute, device_),
                  "asking for a device attribute");
    return value;
  }
  [[nodiscard]] std::uint64_t size(CUdevice_attribute attribute) const {
    const int value = number(attribute);
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
  }
  [[nodiscard]] std::string text(CUdevice_attribute attribute) const {
    return std::to_string(number(attribute));
  }

 private:
  const DriverApi& driver_;
  CUdevice device_;
};

std::string device_name(const DriverApi& driver, CUdevice device) {
  std::array<char, 256> name{};
  driver.check(driver.device_get_name(name.data(), static_cast<int>(name.size()), device),
               "asking for a device's name");
  return name.data();
}

/// The driver tells of an instance of a partitioned GPU by its name alone: `… MIG 1g.10gb`.
std::string partition_of(const std::string& name) {
  constexpr std::string_view mark = " MIG ";
  const std::size_t at = name.find(mark);
  return at == std::string::npos ? "none" : name.substr(at + mark.size());
}

std::string uuid_of(const DriverApi& driver, CUdevice device, bool is_instance) {
  CUuuid uuid{};
  driver.check(driver.device_get_uuid(&uuid, device), "asking for a device's UUID");
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), uuid.bytes, bytes.size());
  return (is_instance ? "MIG-" : "GPU-") + gpu::uuid_text(bytes);
}

std::string physical_identity(const Attributes& attributes) {
  const auto number = [&](CUdevice_attribute attribute) {
    return static_cast<std::uint32_t>(attributes.number(attribute));
  };
  return gpu::physical_identity({number(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
                                 number(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID),
                                 number(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID), 0});
}

DeviceLimits read_limits(const Attributes& attributes, std::uint64_t memory) {
  DeviceLimits limits;
  limits.memory_bytes = memory;
  limits.max_allocation_bytes = memory;
  limits.local_memory_bytes = attributes.size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  limits.max_block_threads = attributes.size(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  limits.max_block = {attributes.size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                      attributes.size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                      attributes.size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  limits.max_grid = {attributes.size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                     attributes.size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                     attributes.size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  return limits;
}

/// What the vendor states, where the driver tells enough for it: reports relate rates to these. Not of a
/// part of a card, whose share of the memory is not told.
void add_peaks(const Attributes& attributes, int major, int minor, DeviceInfo& info) {
  const auto add = [&](const char* what, double per_second) {
    if (per_second > 0) info.properties[what] = std::to_string(std::llround(per_second));
  };
  add("peak_dram_per_s", peak_memory_bytes(attributes.number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
                                           attributes.number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)));
  const auto rate = fma_per_cycle(major, minor);
  if (!rate) return;
  const int count = attributes.number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const int clock = attributes.number(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  add("peak_fma_f32_per_s", peak_operations(count, clock, rate->f32));
  add("peak_fma_f64_per_s", peak_operations(count, clock, rate->f64));
  add("peak_any_per_s", peak_operations(count, clock, rate->any));
}

}  // namespace

std::string architecture_name(int major, int minor) {
  const int number = major * 10 + minor;
  const bool specific = number == 90 || number == 100;
  return "sm_" + std::to_string(number) + (specific ? "a" : "");
}

DeviceInfo describe_device(const DriverApi& driver, CUdevice device, const std::string& id) {
  const Attributes attributes(driver, device);
  const int major = attributes.number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const int minor = attributes.number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  std::size_t memory = 0;
  driver.check(driver.device_total_mem(&memory, device), "asking for a device's memory");

  DeviceInfo info;
  info.id = id;
  info.name = device_name(driver, device);
  info.vendor = "NVIDIA";
  info.type = DeviceType::gpu;
  info.driver = "CUDA driver " + version_text(driver.version());
  info.architecture = architecture_name(major, minor);
  info.physical = physical_identity(attributes);
  info.compute_units =
      static_cast<std::uint32_t>(attributes.size(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  info.last_level_cache_bytes = attributes.size(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.timer_step_ns = gpu::nvidia_timer_step_ns;
  info.max_batch = max_gated_batch;
  info.fp64 = true;
  info.fp16 = major > 5 || (major == 5 && minor >= 3);
  info.limits = read_limits(attributes, memory);
  info.memory =
      gpu::nvidia_memory(static_cast<std::uint32_t>(attributes.size(CU_DEVICE_ATTRIBUTE_WARP_SIZE)));
  info.features = {"compute_" + std::to_string(major * 10 + minor)};
  if (major >= 8) info.features.emplace_back("mma_sync");
  if (major == 9) info.features.emplace_back("wgmma");

  auto& properties = info.properties;
  properties["mig"] = partition_of(info.name);
  properties["uuid"] = uuid_of(driver, device, properties["mig"] != "none");
  properties["compute_capability"] = std::to_string(major) + "." + std::to_string(minor);
  properties["cuda_driver_version"] = version_text(driver.version());
  properties["sm_clock_max_khz"] = attributes.text(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  properties["memory_clock_max_khz"] = attributes.text(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  properties["memory_bus_bits"] = attributes.text(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  properties["ecc"] = attributes.number(CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0 ? "on" : "off";
  properties["warp_size"] = attributes.text(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  properties["max_threads_per_sm"] = attributes.text(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  properties["registers_per_sm"] = attributes.text(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  properties["shared_bytes_per_sm"] =
      attributes.text(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  if (properties["mig"] == "none") add_peaks(attributes, major, minor, info);
  properties["integrated"] = attributes.number(CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0 ? "yes" : "no";
  return info;
}

DeviceList enumerate_devices(const DriverApi& driver) {
  int count = 0;
  driver.check(driver.device_get_count(&count), "counting CUDA devices");
  DeviceList list;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    driver.check(driver.device_get(&device, ordinal), "opening CUDA device " + std::to_string(ordinal));
    list.devices.push_back(describe_device(driver, device, std::to_string(ordinal)));
  }
  if (list.devices.empty()) list.unavailable = "the CUDA driver shows no device";
  return list;
}

CUdevice find_device(const DriverApi& driver, const std::string& id) {
  int count = 0;
  driver.check(driver.device_get_count(&count), "counting CUDA devices");
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    if (std::to_string(ordinal) != id) continue;
    CUdevice device = 0;
    driver.check(driver.device_get(&device, ordinal), "opening CUDA device " + id);
    return device;
  }
  throw Failure(FailureKind::no_device, "there is no CUDA device '" + id + "': the driver shows " +
                                            std::to_string(count) + ", counted from 0");
}

}  // namespace benchctl::cuda
