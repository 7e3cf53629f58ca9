// Which tiling of the kernels by wgmma for which product: what configs/limits/wgmma_tilings.toml found.
#pragma once

#include "narrow.hpp"
#include "product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace benchctl::cuda {

/// The tunables of matmul/wgmma_*.
struct WgmmaTiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t splits = 1;
  std::uint32_t share = 1;   ///< not three_tf32
  std::uint32_t across = 1;  ///< not three_tf32
  bool apart = false;        ///< three_tf32 alone: A is taken apart by a launch of its own
  std::uint32_t stages = 0;
  std::uint32_t band = 8;  ///< height in tiles of the bands in which blocks go through C
  std::uint32_t late = 0;  ///< not three_tf32: rows of a tile that leave while the next one is multiplied
};

/// As many stages as there is shared memory for. `whole_rows`: rows of C begin at multiples of 16 bytes;
/// else none leave late.
[[nodiscard]] WgmmaTiling choose_wgmma_tiling(Narrow kind, std::uint64_t compute_units,
                                              const ProductSize& size, bool whole_rows = true);

/// The same tiling and those that are expected to be nearly as quick, the quickest first, `most` at most.
[[nodiscard]] std::vector<gpu::Ranked<WgmmaTiling>> rank_wgmma_tilings(Narrow kind,
                                                                       std::uint64_t compute_units,
                                                                       const ProductSize& size,
                                                                       bool whole_rows, std::size_t most);

/// What the descriptions of matmul/wgmma_* say of this tiling, with `promote` at its default.
/// `problem` has A, B, C, m, n, k in the workload's order.
[[nodiscard]] KernelPlan plan_wgmma(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                                    const WgmmaTiling& tiling, std::uint64_t compute_units,
                                    const std::filesystem::path& kernels);

/// "144x128, 6 stages, B shared by 2, A shared by 2".
[[nodiscard]] std::string to_text(const WgmmaTiling& tiling);

}  // namespace benchctl::cuda
