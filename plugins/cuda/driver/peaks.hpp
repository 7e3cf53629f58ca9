// What NVIDIA states that a device can do at most, from properties that the driver tells.
#pragma once

#include <optional>

namespace benchctl::cuda {

/// Bytes per second that the memory's pins move: two transfers per clock (DDR, GDDR, HBM), `bus_bits` wide.
/// 0 where the driver tells no clock or width.
[[nodiscard]] double peak_memory_bytes(int memory_clock_khz, int bus_bits);

/// Multiply-adds that a multiprocessor finishes in a cycle, by the table "Throughput of Native Arithmetic
/// Instructions" of the CUDA C++ Programming Guide. Nothing for a compute capability that is not in it.
struct FmaPerCycle {
  int f32 = 0;
  int f64 = 0;
  /// The fastest path of all, without sparsity: tensor cores on their narrowest type, one bit left out.
  /// By NVIDIA's architecture whitepapers: V100 125 TFLOP/s in f16; A100 1248, RTX 2080 Ti 430, RTX 3090
  /// 568, RTX 4090 1321 TOP/s in 4-bit integers; H100 1979 TFLOP/s in f8; B200 9 PFLOP/s and RTX 5090 1676
  /// TFLOP/s in f4.
  int any = 0;
};
[[nodiscard]] std::optional<FmaPerCycle> fma_per_cycle(int major, int minor);

/// Operations per second: two for each multiply-add, at the highest clock. An H100 SXM (132
/// multiprocessors, 1.98 GHz, 128 in a cycle) has 66.9e12.
[[nodiscard]] double peak_operations(int multiprocessors, int clock_khz, int fma_per_cycle);

}  // namespace benchctl::cuda
