// Plans that code makes, beside those that a description makes.
#pragma once

#include <benchctl/kernel_spec.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>

namespace benchctl::test {

/// A launch takes at most `most_shared_bytes` of shared memory.
inline void check_equal(const PlannedLaunch& launch, const PlannedLaunch& other,
                        std::uint64_t most_shared_bytes) {
  CHECK(launch.source == other.source);
  CHECK(launch.entry == other.entry);
  CHECK(launch.defines == other.defines);
  CHECK(launch.block == other.block);
  CHECK(launch.grid == other.grid);
  CHECK(launch.shared_bytes == other.shared_bytes);
  CHECK(launch.local_bytes == other.local_bytes);
  CHECK(launch.local_bytes <= most_shared_bytes);
  REQUIRE(launch.arguments.size() == other.arguments.size());
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    CHECK(launch.arguments[i].kind == other.arguments[i].kind);
    CHECK(launch.arguments[i].index == other.arguments[i].index);
  }
}

inline void check_equal(const KernelPlan& plan, const KernelPlan& expected,
                        std::uint64_t most_shared_bytes) {
  REQUIRE(plan.launches.size() == expected.launches.size());
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    check_equal(plan.launches[i], expected.launches[i], most_shared_bytes);
  }
  REQUIRE(plan.scratch.size() == expected.scratch.size());
  for (std::size_t i = 0; i < plan.scratch.size(); ++i) {
    CHECK(plan.scratch[i].name == expected.scratch[i].name);
    CHECK(plan.scratch[i].type == expected.scratch[i].type);
    CHECK(plan.scratch[i].count == expected.scratch[i].count);
    CHECK(plan.scratch[i].zeroed == expected.scratch[i].zeroed);
  }
}

}  // namespace benchctl::test
