#include "driver/peaks.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cuda {

namespace {

struct Capability {
  int major;
  int minor;
  FmaPerCycle rate;
};

constexpr auto capabilities = std::to_array<Capability>({
    {5, 0, {128, 4, 128}},
    {5, 2, {128, 4, 128}},
    {6, 0, {64, 32, 128}},
    {6, 1, {128, 4, 512}},
    {7, 0, {64, 32, 512}},
    {7, 5, {64, 2, 2048}},
    {8, 0, {64, 32, 4096}},
    {8, 6, {128, 2, 2048}},
    {8, 9, {128, 2, 2048}},
    {9, 0, {128, 64, 4096}},
    {10, 0, {128, 64, 16384}},
    {12, 0, {128, 2, 2048}},
});

}  // namespace

double peak_memory_bytes(int memory_clock_khz, int bus_bits) {
  if (memory_clock_khz <= 0 || bus_bits <= 0) return 0;
  return 2.0 * memory_clock_khz * 1e3 * bus_bits / 8;
}

std::optional<FmaPerCycle> fma_per_cycle(int major, int minor) {
  const auto* const found = std::ranges::find_if(capabilities, [&](const Capability& capability) {
    return capability.major == major && capability.minor == minor;
  });
  return found != capabilities.end() ? std::optional(found->rate) : std::nullopt;
}

double peak_operations(int multiprocessors, int clock_khz, int fma_per_cycle) {
  if (multiprocessors <= 0 || clock_khz <= 0) return 0;
  return 2.0 * multiprocessors * clock_khz * 1e3 * fma_per_cycle;
}

}  // namespace benchctl::cuda
