// The plan of a product that blocks compute in parts of k and join: what is the same whatever the kernel.
#pragma once

#include "gpu/planned_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace benchctl::gpu {

/// How C is shared out among blocks.
struct JoinedParts {
  std::uint64_t tiles = 1;     ///< pieces of C
  std::uint64_t splits = 1;    ///< blocks that share a piece, each with a part of k
  std::uint64_t bytes = 0;     ///< of the sums that a block leaves for another to join
  std::uint64_t counters = 1;  ///< of blocks that have ended
};

/// One launch: a grid of tiles × splits, room for the sums of all blocks where they share pieces, the
/// counters, and joined_product_arguments(). `launch` has the rest.
[[nodiscard]] inline KernelPlan plan_joined_product(const ProblemSpec& problem, PlannedLaunch launch,
                                                    const JoinedParts& parts) {
  const std::uint64_t bytes = parts.splits > 1 ? parts.tiles * parts.splits * parts.bytes : 0;
  launch.grid = {parts.tiles, parts.splits, 1};
  launch.arguments = joined_product_arguments(problem);
  KernelPlan plan;
  // Counted in float64 to have room for either type.
  plan.scratch = {{"partial", DType::f64, std::max<std::uint64_t>(2, (bytes + 7) / 8), false},
                  {"finished", DType::u32, parts.counters, false}};
  plan.launches.push_back(std::move(launch));
  return plan;
}

/// Bytes of an element of the product's A.
[[nodiscard]] inline std::uint64_t product_element_bytes(const ProblemSpec& problem) {
  return problem.buffers.at(problem.position_of_buffer("A")).type == DType::f64 ? 8 : 4;
}

}  // namespace benchctl::gpu
