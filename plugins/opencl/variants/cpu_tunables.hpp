// Tunables of the variants that are made for CPUs and move memory.
#pragma once

#include <benchctl/variant.hpp>

#include <string>
#include <vector>

namespace benchctl::opencl {

/// Groups of a variant that moves `bytes` (an expression), of stretches of 8192 elements and more. Unasked:
/// one for what a core has gone through before another thread is awake, which takes from 3 to 20
/// microseconds; else so many that the first thread, to which PoCL hands half of them at once, and the
/// others, which come later, end together.
[[nodiscard]] inline std::string cpu_stream_groups(const std::string& bytes) {
  return "min(if(streams > 0, compute_units * streams, if(" + bytes +
         " < 655360, 1, compute_units * 8)), ceil_div(n, 8192))";
}

/// Groups and vectors.
[[nodiscard]] inline std::vector<TunableInfo> cpu_stream_tunables() {
  return {
      {"streams",
       std::int64_t{0},
       "Work-groups per core, each with a stretch of the arrays of its own; 0: one in all for less than "
       "640 KB, else 8 per core.",
       {"streams >= 0", "streams <= 64"},
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{4}, std::int64_t{16}}},
      {"width",
       std::int64_t{16},
       "Elements of a vector.",
       {"width == 4 or width == 8 or width == 16"},
       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
}

}  // namespace benchctl::opencl
