// A matrix product as it reaches a library: which buffers, how large.
#pragma once

#include <benchctl/failure.hpp>
#include <benchctl/problem.hpp>

#include <cstddef>
#include <string>

namespace benchctl::cuda {

struct ProductShape {
  std::size_t a = 0;  ///< position among the problem's buffers
  std::size_t b = 0;
  std::size_t c = 0;
  int m = 0;
  int n = 0;
  int k = 0;
  DType type = DType::f32;  ///< element type of all three matrices
};

/// The shape, from buffers A, B, C and scalars m, n, k. Throws Failure(unsupported), naming `who` needs
/// what is missing.
[[nodiscard]] ProductShape product_shape(const ProblemSpec& spec, const std::string& who);

}  // namespace benchctl::cuda
