// Tunables of the variants that are made for CPUs and move memory.
#pragma once

#include <benchctl/variant.hpp>

#include <vector>

namespace benchctl::opencl {

/// Groups and vectors.
[[nodiscard]] inline std::vector<TunableInfo> cpu_stream_tunables() {
  return {{"streams",
           std::int64_t{1},
           "Work-groups per core, each with a stretch of the arrays of its own.",
           {"streams >= 1", "streams <= 64"},
           {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}},
          {"width",
           std::int64_t{16},
           "Elements of a vector.",
           {"width == 4 or width == 8 or width == 16"},
           {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
}

}  // namespace benchctl::opencl
