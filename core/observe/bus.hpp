// What Linux tells about the slot that a device sits in, whoever made it.
#pragma once

#include <benchctl/device.hpp>

#include <filesystem>

namespace benchctl {

/// Adds to the properties of a device whose physical identity is a PCI address: `pcie_link_max` and
/// `pcie_link_now` (`16.0 GT/s PCIe x16`; an idle device lets its link fall back) and `numa_node`. What the
/// kernel does not tell is left out, and what the plugin has told itself is left alone.
void add_bus_properties(DeviceInfo& device, const std::filesystem::path& root = "/");

}  // namespace benchctl
