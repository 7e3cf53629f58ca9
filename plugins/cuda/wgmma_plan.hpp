// Plans of products by wgmma of any shape: in the tiling that is chosen for them, and with a first launch
// where rows do not begin at multiples of the 16 bytes that the copy engine wants.
#pragma once

#include "repacked_rows.hpp"
#include "wgmma_tilings.hpp"

namespace benchctl::cuda {

struct WgmmaProduct {
  WgmmaTiling tiling;
  Repacked repacked;
  ProductSize whole;  ///< with the rows of copied operands as n and k
  KernelPlan plan;
};

/// `problem` has A, B, C, m, n, k in the workload's order, `size` says which numbers.
[[nodiscard]] WgmmaProduct plan_best_wgmma(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                                           std::uint64_t compute_units,
                                           const std::filesystem::path& kernels);

/// The same and those that are expected to be nearly as quick, the quickest first, `most` at most.
[[nodiscard]] std::vector<gpu::Ranked<WgmmaProduct>> rank_wgmma(const ProblemSpec& problem, Narrow kind,
                                                                const ProductSize& size,
                                                                std::uint64_t compute_units,
                                                                const std::filesystem::path& kernels,
                                                                std::size_t most);

/// Of a plan for three_tf32: A is taken apart by another launch, or by the kernel itself, which then has A
/// in place of either part. This leaves the other launch out.
void leave_out_split(KernelPlan& plan);

}  // namespace benchctl::cuda
