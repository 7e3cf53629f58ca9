// What a device's vendor says that it can do at most, beside what was measured. The figures are facts that
// the backend reports about the device; core knows none of its own.
#pragma once

#include "model/published.hpp"
#include "store/result.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace benchctl {

/// Is the roof of that probe one of operations, in FLOP per second? Others are of bytes, or of launches.
[[nodiscard]] bool is_arithmetic(std::string_view probe);

/// The device of a lane as all lanes of its run know it. Several backends may drive one piece of hardware
/// (DeviceInfo::physical), and not all tell its figures.
struct DatasheetDevice {
  DatasheetPeaks peaks;
  std::uint64_t last_level_cache_bytes = 0;  ///< the largest that one of them tells
};
[[nodiscard]] DatasheetDevice datasheet_device(const Lane& lane, std::span<const Lane> lanes_of_run);

/// The least time that the point's own bytes and operations would take at these peaks, over its median. The
/// longer of the two decides. NaN where that cannot be said: for a point that has no share of a measured
/// roof either (`roof_fraction`; its time holds transfers, or no roofs were used); where memory has no
/// peak; where operations may be the longer part and the peak of their compute path is not known (`roofs`:
/// the slowest roof of arithmetic that was measured bounds them then); where memory decides and the
/// working set stays in a cache, which datasheets do not cover.
[[nodiscard]] double datasheet_share(const Result& result, const DatasheetDevice& device,
                                     const std::map<std::string, double>& roofs);

}  // namespace benchctl
