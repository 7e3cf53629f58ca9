#include "report/datasheet_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl {

namespace {

/// The note by which a point tells the compute path of its operations.
constexpr std::string_view path_note = "compute_path";

/// Seconds of the point's operations by the slowest roof of arithmetic: an upper bound whatever path
/// they take. Infinite where no such roof was measured.
double longest_arithmetic(double flops, const std::map<std::string, double>& roofs) {
  if (!(flops > 0)) return 0;
  double slowest = std::numeric_limits<double>::infinity();
  for (const auto& [probe, per_second] : roofs) {
    if (is_arithmetic(probe) && per_second > 0) slowest = std::min(slowest, per_second);
  }
  return std::isinf(slowest) ? slowest : flops / slowest;
}

bool in_cache(const Result& result, const DatasheetDevice& device) {
  if (result.point().measure.cache != CacheMode::hot) return false;
  const Cost& cost = result.row.cost;
  const double allocated = result.metric("device_bytes");
  const double working_set = std::isnan(allocated) ? cost.bytes() : allocated;
  return working_set <= static_cast<double>(device.last_level_cache_bytes);
}

}  // namespace

bool is_arithmetic(std::string_view probe) {
  return probe.starts_with("fma_") || probe.starts_with("mma_");
}

DatasheetDevice datasheet_device(const Lane& lane, std::span<const Lane> lanes_of_run) {
  DatasheetDevice device{datasheet_peaks(lane.device), lane.device.last_level_cache_bytes};
  // Vulkan tells no cache, NVIDIA's OpenCL another one.
  for (const Lane& other : lanes_of_run) {
    if (hardware_of(other) != hardware_of(lane)) continue;
    device.peaks.merge(datasheet_peaks(other.device));
    device.last_level_cache_bytes =
        std::max(device.last_level_cache_bytes, other.device.last_level_cache_bytes);
  }
  return device;
}

double datasheet_share(const Result& result, const DatasheetDevice& device,
                       const std::map<std::string, double>& roofs) {
  if (!result.timed() || std::isnan(result.metric("roof_fraction"))) return no_number;
  const Cost& cost = result.row.cost;
  const auto peak = [&](std::string_view name) {
    const auto found = device.peaks.find(name);
    return found != device.peaks.end() ? found->second : no_number;
  };
  const double memory = cost.bytes() / peak("dram");
  const auto path = result.notes.find(path_note);
  const double arithmetic = path != result.notes.end() ? cost.flops / peak(path->second) : no_number;
  const double longest = std::isnan(arithmetic) ? longest_arithmetic(cost.flops, roofs) : arithmetic;
  // The longer part decides, and must be known.
  const bool memory_decides = memory >= longest;
  const double seconds = std::isnan(memory)         ? no_number
                         : !memory_decides          ? arithmetic
                         : in_cache(result, device) ? no_number
                                                    : memory;
  return seconds > 0 ? seconds * 1e9 / result.measurement->median_ns : no_number;
}

}  // namespace benchctl
