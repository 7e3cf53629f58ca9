// What a device's vendor says that it can do at most: facts that the backend reports about the device; core
// knows none of its own.
#pragma once

#include <benchctl/device.hpp>

#include <map>
#include <string>

namespace benchctl {

/// Units per second by what they are: `dram`, bytes of the device's memory, read and written together;
/// `fma_f32`, `fma_f64`: operations of that compute path; `any`: operations of the fastest path that the
/// device has, of whatever precision.
using DatasheetPeaks = std::map<std::string, double, std::less<>>;

/// The device's properties `peak_dram_per_s`, `peak_fma_f32_per_s` and so on. A record from before these
/// were reported may have `memory_clock_max_khz` and `memory_bus_bits`: memory that transfers twice in a
/// cycle (DDR, GDDR, HBM) moves 2 · clock · width / 8 bytes per second. Empty where nothing is known.
[[nodiscard]] DatasheetPeaks datasheet_peaks(const DeviceInfo& device);

}  // namespace benchctl
