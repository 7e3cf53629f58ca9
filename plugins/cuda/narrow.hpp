// What products on tensor cores make of their operands.
#pragma once

#include <cstdint>

namespace benchctl::cuda {

/// bf16 matrices, f32 matrices rounded to tf32 on the way into the tensor cores, or f32 matrices each as
/// the sum of two in tf32, of whose four products three count.
enum class Narrow : std::uint8_t { bf16, tf32, three_tf32 };

}  // namespace benchctl::cuda
