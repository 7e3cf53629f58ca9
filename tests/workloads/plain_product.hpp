// The independent truth of these tests: a plain triple loop with compensated summation (Kahan's, in
// Neumaier's form) over exactly known products, and matrices to feed it.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace benchctl::test {

/// C = A·B in row-major order, sums good to the last bit or two of a long double.
template <class T>
std::vector<double> compensated_product(std::span<const T> a, std::span<const T> b, std::size_t m,
                                        std::size_t n, std::size_t k) {
  std::vector<double> c(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      long double sum = 0;
      long double lost = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const long double product =
            static_cast<long double>(a[i * k + p]) * static_cast<long double>(b[p * n + j]);
        const long double next = sum + product;
        lost += std::fabs(sum) >= std::fabs(product) ? (sum - next) + product : (product - next) + sum;
        sum = next;
      }
      c[i * n + j] = static_cast<double>(sum + lost);
    }
  }
  return c;
}

/// The same in the arithmetic of T, one product after the other.
template <class T>
std::vector<T> naive_product(std::span<const T> a, std::span<const T> b, std::size_t m, std::size_t n,
                             std::size_t k) {
  std::vector<T> c(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
  return c;
}

}  // namespace benchctl::test
