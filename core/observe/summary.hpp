// The figures of a point from what was read around its samples.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/observer.hpp>
#include <benchctl/sampling.hpp>

namespace benchctl {

/// A block of a point's samples. Those that were put aside are in no statistic but `samples`.
struct ObservedBlock {
  const SampleBlock* block = nullptr;  ///< never null
  bool used = true;
};

/// By ReadingInfo::summary; pass readings and those without a value are left out. Each block counts once in
/// a mean or median of block values; values by sample count one by one.
[[nodiscard]] Resources summarize_readings(std::span<const ObservedBlock> blocks,
                                           std::span<const ReadingInfo> readings);

}  // namespace benchctl
