// How many copies of a problem's buffers a cache mode wants.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/problem.hpp>
#include <benchctl/sampling.hpp>

#include "model/measure.hpp"

#include <cstdint>

namespace benchctl {

/// `cold` and `rotate` execute on several sets of buffers in turn, so that what an execution left in the
/// caches is of no use to the next: together the sets hold three times the last-level cache, but no more
/// than 16 of them and no more than a quarter of the device's memory. One set is enough for `hot`, for
/// buffers beyond three times the cache, and where the size of the cache is unknown. `working_set`: bytes
/// of one set.
[[nodiscard]] std::uint32_t cache_sets(CacheMode cache, const DeviceInfo& device,
                                       std::uint64_t working_set);

/// The same for a point. What is uploaded before every execution (`end_to_end`) is in the caches anyway:
/// one set.
[[nodiscard]] std::uint32_t cache_sets(const MeasureSettings& measure, const DeviceInfo& device,
                                       const ProblemSpec& problem);

}  // namespace benchctl
