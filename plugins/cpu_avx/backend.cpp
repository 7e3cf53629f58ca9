#include "backend.hpp"

#include <benchctl/cpu_packages.hpp>

#include <algorithm>
#include <chrono>

#include "cpu_topology.hpp"
#include "session.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Smallest difference that two readings of the steady clock show.
double clock_step_ns() {
  using Clock = std::chrono::steady_clock;
  double smallest = 1e9;
  for (int i = 0; i < 200; ++i) {
    const auto first = Clock::now();
    auto second = Clock::now();
    while (second == first) second = Clock::now();
    smallest = std::min(smallest, std::chrono::duration<double, std::nano>(second - first).count());
  }
  return smallest;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::span<const VariantInfo> CpuBackend::variants() const { return Table::instance().infos(); }

DeviceList CpuBackend::devices() {
  const Topology topology = read_topology();
  const CpuIdentity identity = read_identity();
  const std::vector<int> packages = cpu_packages();
  const auto has = [features = cpu_features()](std::string_view name) {
    return std::ranges::find(features, name) != features.end();
  };

  DeviceInfo device;
  device.id = "0";
  device.name = identity.name;
  device.vendor = identity.vendor;
  device.type = DeviceType::cpu;
  device.driver = "native x86-64";
  device.architecture = "x86-64";
  if (has("avx2") && has("fma")) device.architecture = "x86-64-avx2";
  if (has("avx512f")) device.architecture = "x86-64-avx512";
  device.physical = cpu_physical(packages);
  device.compute_units = static_cast<std::uint32_t>(topology.cores.size());
  device.last_level_cache_bytes = topology.last_level_cache_total_bytes;
  device.timer_step_ns = clock_step_ns();
  device.max_batch = 100'000;
  device.fp64 = true;
  device.memory.sector = device.memory.line = device.memory.dram = 64;
  device.limits.memory_bytes = memory_limit_bytes();
  device.limits.max_allocation_bytes = device.limits.memory_bytes;
  device.features = cpu_features();
  device.properties = {
      {"logical_cpus", std::to_string(topology.logical.size())},
      {"packages", std::to_string(packages.size())},
      {"l1d_bytes", std::to_string(topology.l1d_bytes)},
      {"l2_bytes", std::to_string(topology.l2_bytes)},
      {"last_level_cache_bytes_each", std::to_string(topology.last_level_cache_bytes)},
      {"instruction_sets", joined(device.features)},
      {"peak_any_per_s",
       std::to_string(static_cast<std::uint64_t>(most_operations_per_second(topology.logical.size())))}};
  if (!identity.microcode.empty()) device.properties["microcode"] = identity.microcode;
  return {{std::move(device)}, ""};
}

std::unique_ptr<Session> CpuBackend::open(const std::string& device, const SessionOptions& options) {
  // Nothing is compiled here, so there is nothing to cache and no device code to debug.
  static_cast<void>(options);
  if (device != "0") {
    throw Failure(FailureKind::no_device, "cpu_avx has one device, '0', not '" + device + "'");
  }
  return std::make_unique<CpuSession>();
}

}  // namespace benchctl::cpu_avx
