// Whether a matrix product is right: how far it may be from the float64 reference, and the comparison.
//
// Model. Inputs are uniform in [-1, 1), so a product has mean 0 and variance 1/9, and the partial sum
// after p products is a random walk of variance p/9. An operation with unit roundoff u has a relative
// error of mean 0 and variance at most u²/3 (uniform in ±u; the probabilistic model of Higham & Mary, "A
// new approach to probabilistic rounding error analysis", SISC 41, 2019). For a sum taken one by one, the
// least accurate order, with every product rounded as well:
//
//   Var(error) = u²/3 · (Σ_{p=2..k} p/9 + k/9) < u²/3 · k(k+3)/18
//   rms(error) / rms(C_ij) = u · sqrt((k+3)/6),                              rms(C_ij) = sqrt(k)/3
//
// An arithmetic that first rounds the inputs to a narrower type with roundoff v adds a relative error per
// product of rms < 2v, also when it cuts digits off instead of rounding: 2v in the quadratic mean over
// the matrix. Narrow arithmetic (tf32, f16, bf16) accumulates in float32; f32 and f64 have v = u.
//
// Bounds, each about twenty times the model, whose error is Gaussian only given the path of the walk:
//   norm     ‖C − ref‖ / ‖ref‖ ≤ 8 · sqrt(v² + u²(k+3))
//   element  |C_ij − ref_ij|   ≤ 4 · (v(sqrt(k)+1) + u(k+3)). Its tail: with path energy E = ∫W², whose
//            tail is exp(−π²x/8), P(|error| > t·u·k/(3√3)) ≈ exp(−πt/2); here t > 20: below 1e-13 per
//            element. For k ≤ 6 it is above the certain bound u·k².
//   row      |Σ_j x_j(C_ij − ref_ij)| for random signs x_j: 8 standard deviations by Hoeffding's
//            inequality (below 1e-13 per row) plus one element's bound for rows of few elements, plus the
//            float64 error of the check's own sums.
#pragma once

#include <cstdint>
#include <string_view>

#include <benchctl/types.hpp>

#include "workloads/matmul_reference.hpp"

namespace benchctl {

class MatmulTolerance {
 public:
  /// `precision` as variants declare it: f32, f64, tf32, f16, bf16. No tolerance is finer than that of the
  /// element type that holds the result. Throws ProblemError for an unknown name.
  MatmulTolerance(std::string_view precision, DType dtype, std::uint64_t k);

  /// Bound of ‖C − ref‖_F / ‖ref‖_F.
  [[nodiscard]] double norm() const;
  /// Bound of one element's absolute error.
  [[nodiscard]] double element() const;
  /// Bound of the absolute error of one element of C·x, x of n random signs.
  [[nodiscard]] double signed_row_sum(std::uint64_t n) const;
  /// Expected ‖ref‖_F over so many elements.
  [[nodiscard]] double expected_norm(std::uint64_t elements) const;

 private:
  double input_roundoff_ = 0;
  double sum_roundoff_ = 0;
  double k_ = 1;
};

/// Compares C, read in pieces of bounded size, with the reference.
[[nodiscard]] Verification matmul_check(const MatmulShape& shape, DType dtype, std::string_view precision,
                                        const Reference& reference, const BufferReader& read);

}  // namespace benchctl
