#include "observe/bus.hpp"

#include "observe/environment.hpp"
#include "observe/machine.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "pci:";

void add(DeviceInfo& device, const char* key, const std::string& value) {
  if (value.find(unknown_value) == std::string::npos) device.properties.try_emplace(key, value);
}

}  // namespace

void add_bus_properties(DeviceInfo& device, const fs::path& root) {
  if (!device.physical.starts_with(prefix)) return;
  const fs::path slot = root / "sys/bus/pci/devices" / device.physical.substr(prefix.size());
  const auto link = [&](const char* which) {
    return fmt::format("{} x{}", machine::first_line(slot / fmt::format("{}_link_speed", which)),
                       machine::first_line(slot / fmt::format("{}_link_width", which)));
  };
  add(device, "pcie_link_max", link("max"));
  add(device, "pcie_link_now", link("current"));
  add(device, "numa_node", machine::first_line(slot / "numa_node"));
}

}  // namespace benchctl
