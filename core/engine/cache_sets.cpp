#include "engine/cache_sets.hpp"

#include <benchctl/rounding.hpp>

#include <algorithm>

namespace benchctl {

namespace {

constexpr std::uint64_t most_sets = 16;
constexpr std::uint64_t cache_multiple = 3;
constexpr std::uint64_t memory_share = 4;

}  // namespace

std::uint32_t cache_sets(CacheMode cache, const DeviceInfo& device, std::uint64_t working_set) {
  if (cache == CacheMode::hot || working_set == 0) return 1;
  const std::uint64_t wanted = ceil_div(cache_multiple * device.last_level_cache_bytes, working_set);
  std::uint64_t sets = std::min(most_sets, wanted);
  if (const std::uint64_t memory = device.limits.memory_bytes; memory > 0) {
    sets = std::min(sets, memory / memory_share / working_set);
  }
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(sets, 1));
}

std::uint32_t cache_sets(const MeasureSettings& measure, const DeviceInfo& device,
                         const ProblemSpec& problem) {
  return measure.basis == Basis::end_to_end ? 1 : cache_sets(measure.cache, device, problem.bytes());
}

}  // namespace benchctl
