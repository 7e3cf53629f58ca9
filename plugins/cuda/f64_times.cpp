#include "f64_times.hpp"

#include "gpu/ceil_div.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl::cuda {

namespace {

double elements(const F64Form& form) {
  return static_cast<double>(std::uint64_t{form.tile_m} * form.tile_n);
}

/// Operations of a tile's part; the last slab counts as a whole one, and so do the steps for which its
/// first slabs and its results take as long.
double operations(const ProductSize& size, const F64Form& form, const F64Overheads& overheads) {
  const std::uint64_t steps = ceil_div(ceil_div(size.k, form.depth), form.splits) * form.depth;
  const bool even = size.k % 2 == 0 && size.n % 2 == 0;
  return 2 * elements(form) *
         (static_cast<double>(steps) + (even ? overheads.steps_even : overheads.steps_odd));
}

/// Multiplications that take so long if nothing waits for memory. Neither hides the other wholly.
double with_reading(const ProductSize& size, double computing) {
  const auto bytes = static_cast<double>((size.m * size.k + size.k * size.n + size.m * size.n) * 8);
  const double reading = bytes / memory_bytes_per_ns;
  return std::cbrt(computing * computing * computing + reading * reading * reading);
}

/// To store the tiles of so many blocks on every multiprocessor, or to join their parts.
double ending(const ProductSize& size, const F64Form& form, const F64Overheads& overheads,
              std::uint64_t blocks) {
  if (form.splits == 1) {
    const double ns_per_element = size.n % 2 == 0 ? overheads.storing_even : overheads.storing_odd;
    return static_cast<double>(blocks) * elements(form) * ns_per_element;
  }
  const double bytes = 8 * elements(form) * form.splits;
  return overheads.joining_ns + bytes * joining_ns_per_byte +
         bytes * static_cast<double>(tiles(size, form)) * moving_ns_per_byte;
}

/// How many blocks a multiprocessor has room for.
std::uint64_t at_a_time(const F64Form& form, const F64Rates& rates, const ProductDevice& device) {
  const auto measured = static_cast<std::uint64_t>(std::ranges::find(rates, 0.0) - rates.begin());
  constexpr std::uint64_t reserved = 1024;  // of each block
  return std::clamp<std::uint64_t>((device.shared_bytes + reserved) / (form.shared_bytes + reserved), 1,
                                   measured);
}

}  // namespace

std::uint64_t tiles(const ProductSize& size, const F64Form& form) {
  return ceil_div(size.m, form.tile_m) * ceil_div(size.n, form.tile_n);
}

bool within_measured(const ProductSize& size, const F64Form& form, const ProductDevice& device) {
  constexpr std::uint32_t small_tile = 32 * 64;
  return form.tile_m * form.tile_n > small_tile || tiles(size, form) <= 8 * device.compute_units;
}

double expected_f64_ns(const ProductSize& size, const F64Form& form, const F64Rates& rates,
                       const F64Overheads& overheads, const ProductDevice& device) {
  const double part = operations(size, form, overheads);
  const std::uint64_t blocks = ceil_div(tiles(size, form) * form.splits, device.compute_units);
  double computing = 0;
  if (form.shares_out) {
    computing = static_cast<double>(tiles(size, form)) / static_cast<double>(device.compute_units) * part /
                rates.front();
  } else {
    const std::uint64_t most = at_a_time(form, rates, device);
    const std::uint64_t rest = blocks % most;
    computing = static_cast<double>(blocks - rest) * part / rates.at(most - 1);
    if (rest > 0) computing += static_cast<double>(rest) * part / rates.at(rest - 1);
  }
  return starting_f64_ns + with_reading(size, computing) + ending(size, form, overheads, blocks);
}

}  // namespace benchctl::cuda
