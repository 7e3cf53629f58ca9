#include "workloads/matmul_tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/workload.hpp"

namespace benchctl {

namespace {

struct Roundoff {
  std::string_view precision;
  double input;
  double sum;
};

constexpr std::array<Roundoff, 5> roundoffs{{{"f64", 0x1p-53, 0x1p-53},
                                             {"f32", 0x1p-24, 0x1p-24},
                                             {"tf32", 0x1p-11, 0x1p-24},
                                             {"f16", 0x1p-11, 0x1p-24},
                                             {"bf16", 0x1p-8, 0x1p-24}}};

const Roundoff& roundoff_of(std::string_view precision) {
  const auto found = std::ranges::find(roundoffs, precision, &Roundoff::precision);
  if (found == roundoffs.end()) {
    throw ProblemError(fmt::format(
        "matmul has no tolerance for precision '{}': use one of f64, f32, tf32, f16, bf16", precision));
  }
  return *found;
}

}  // namespace

MatmulTolerance::MatmulTolerance(std::string_view precision, DType dtype, std::uint64_t k)
    : k_(static_cast<double>(k)) {
  const Roundoff& declared = roundoff_of(precision);
  const Roundoff& stored = roundoff_of(to_string(dtype));
  input_roundoff_ = std::max(declared.input, stored.input);
  sum_roundoff_ = std::max(declared.sum, stored.sum);
}

double MatmulTolerance::norm() const {
  return 8 * std::sqrt(input_roundoff_ * input_roundoff_ + sum_roundoff_ * sum_roundoff_ * (k_ + 3));
}

double MatmulTolerance::element() const {
  return 4 * (input_roundoff_ * (std::sqrt(k_) + 1) + sum_roundoff_ * (k_ + 3));
}

double MatmulTolerance::signed_row_sum(std::uint64_t n) const {
  const double columns = static_cast<double>(n);
  const double relative_rms =
      std::sqrt(4 * input_roundoff_ * input_roundoff_ + sum_roundoff_ * sum_roundoff_ * (k_ + 3) / 6);
  const double deviation = relative_rms * std::sqrt(k_) / 3 * std::sqrt(columns);
  // Two float64 sums over n and two over k, by the same random-walk model, eight deviations.
  const double of_check = 2 * 0x1p-53 * std::sqrt(k_ * columns) * (std::sqrt(k_) + std::sqrt(columns));
  return 8 * deviation + element() + of_check;
}

double MatmulTolerance::expected_norm(std::uint64_t elements) const {
  return std::sqrt(static_cast<double>(elements) * k_) / 3;
}

}  // namespace benchctl
