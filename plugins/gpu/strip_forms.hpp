// The forms of matmul/strips, for products of which C is small beside A or B: which fits a size. The kernel
// is the same in CUDA and OpenCL.
#pragma once

#include "gpu/product_size.hpp"
#include "gpu/ranked.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace benchctl::gpu {

/// What the kernel file is compiled with; its head says what the words mean.
struct StripForm {
  std::uint32_t thread_m = 8;
  std::uint32_t thread_n = 8;
  std::uint32_t warps_m = 1;
  std::uint32_t warps_k = 4;
  std::uint32_t depth = 32;
  std::uint32_t stages = 4;
  std::uint32_t resident = 2;  ///< blocks of a multiprocessor that registers are planned for
  std::uint32_t splits = 1;    ///< blocks that share a tile, each for a part of k
  std::uint32_t group = 1;     ///< of them that one block adds up

  [[nodiscard]] std::uint64_t tile_m() const { return std::uint64_t{8} * thread_m * warps_m; }
  [[nodiscard]] std::uint64_t tile_n() const { return std::uint64_t{4} * thread_n; }
  [[nodiscard]] std::uint64_t threads() const { return std::uint64_t{32} * warps_m * warps_k; }
};

/// What a GPU has.
struct StripDevice {
  std::uint64_t compute_units;  ///< multiprocessors
  std::uint64_t local_bytes;    ///< that one block may use
  /// How much longer than by the model a kernel takes to start and end, ns, and how many times as long
  /// forms take of which three blocks are to run on a multiprocessor.
  double starting_later = 0;
  double three_take = 1;
};

struct ChosenStrips {
  StripForm form;
  double expected_ns = 0;  ///< 0 if no form has room on the device
};

/// The quickest for a product, by what has been measured, that has room on a device.
[[nodiscard]] ChosenStrips choose_strips(const ProductSize& size, const StripDevice& device);

/// The same form and those that are expected to be nearly as quick, the quickest first; of forms that
/// differ in little but the number of parts one. Empty where none has room.
[[nodiscard]] std::vector<Ranked<StripForm>> rank_strips(const ProductSize& size, const StripDevice& device,
                                                         std::size_t most);

/// The launch of a problem that has A, B, C, m, n, k in the workload's order. `launch` has source and
/// entry.
[[nodiscard]] KernelPlan plan_strips(const ProblemSpec& problem, const ProductSize& size,
                                     const StripForm& form, PlannedLaunch launch);

/// "64x32 by 1x4 warps of 8x8, slabs of 32, 4 stages, 4 parts": for notes.
[[nodiscard]] std::string to_text(const StripForm& form);

}  // namespace benchctl::gpu
