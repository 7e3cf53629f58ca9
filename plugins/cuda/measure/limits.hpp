// Numbers that bound how samples are taken.
#pragma once

#include <chrono>
#include <cstdint>

namespace benchctl::cuda {

/// Executions that may be queued behind a closed gate, and the device operations that these may amount to
/// (launches and memsets). A stream's queue holds about a thousand; a launch into a full one would wait for
/// a gate that opens only afterwards.
inline constexpr std::uint32_t max_gated_batch = 30;
inline constexpr std::uint32_t max_gated_operations = 120;

/// A gate that is still closed after this opens by itself.
inline constexpr std::chrono::seconds gate_timeout{2};

/// Shared memory per block that a kernel gets without asking.
inline constexpr std::uint64_t default_shared_bytes = 48 * 1024;

}  // namespace benchctl::cuda
