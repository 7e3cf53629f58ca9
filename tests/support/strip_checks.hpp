// What a form of matmul/strips must be, whatever the language of its kernel. For test programs that have
// plugins/gpu.
#pragma once

#include <benchctl/kernel_spec.hpp>

#include <catch2/catch_test_macros.hpp>

#include "gpu/strip_forms.hpp"

#include <algorithm>

namespace benchctl::test {

/// What the kernel asserts, and what it takes for granted.
inline void check_strip_form(const gpu::StripForm& form) {
  CHECK(form.thread_n % 2 == 0);
  CHECK(form.depth % (4 * form.warps_k) == 0);
  CHECK(form.depth % 8 == 0);
  CHECK(form.stages >= 3);
  const std::uint64_t across = form.depth / 4;
  REQUIRE(form.threads() % across == 0);
  const std::uint64_t rows_at_once = form.threads() / across;
  CHECK(rows_at_once % 4 == 0);
  CHECK(form.tile_m() % rows_at_once == 0);
  CHECK(form.resident >= 1);
  CHECK(form.splits >= 1);
  CHECK(form.group >= 1);
  CHECK(form.group <= form.splits);
}

/// Whether its launch covers C, has room for the sums of all blocks, and takes at most so much local
/// memory.
inline void check_strip_plan(const KernelPlan& plan, const gpu::ProductSize& size,
                             const gpu::StripForm& form, std::uint64_t local_bytes) {
  CHECK(form.splits <= std::max<std::uint64_t>(1, size.k / form.depth + 1));
  REQUIRE(plan.launches.size() == 1);
  const PlannedLaunch& launch = plan.launches.front();
  const std::uint64_t tiles_m = (size.m + form.tile_m() - 1) / form.tile_m();
  const std::uint64_t tiles_n = (size.n + form.tile_n() - 1) / form.tile_n();
  CHECK(launch.grid[0] == tiles_m * tiles_n);
  CHECK(launch.grid[1] == form.splits);
  CHECK(launch.block[0] == form.threads());
  CHECK(launch.local_bytes <= local_bytes);
  REQUIRE(plan.scratch.size() == 2);
  if (form.splits > 1) {
    CHECK(plan.scratch[0].count * 2 >= launch.grid[0] * form.splits * form.tile_m() * form.tile_n());
  }
  CHECK(plan.scratch[1].count == launch.grid[0] * ((form.splits + form.group - 1) / form.group + 1));
}

}  // namespace benchctl::test
