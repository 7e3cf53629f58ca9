#include "workloads/matmul_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <benchctl/half.hpp>

#include "workloads/checks.hpp"

namespace benchctl {

namespace {

constexpr std::uint64_t matmul_piece_bytes = std::uint64_t{1} << 22;
/// Slices of a piece are summed one by one: results do not depend on the number of threads.
constexpr std::size_t slices_of_piece = 16;
/// Smaller products are compared in one slice.
constexpr std::uint64_t least_for_slices = std::uint64_t{1} << 16;

/// Adds the products of the values with each vector of signs, the vectors `stride` apart, to `sums`. In
/// several sums side by side: each addition waits for the one before it.
void add_products(std::span<const double> values, const double* signs, std::uint64_t stride, double* sums) {
  constexpr std::size_t lanes = 4;
  std::array<std::array<double, lanes>, matmul_sign_vectors> parts{};
  const std::size_t even = values.size() / lanes * lanes;
  for (std::size_t at = 0; at < even; at += lanes) {
    for (std::size_t v = 0; v < matmul_sign_vectors; ++v) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        parts[v][lane] += values[at + lane] * signs[v * stride + at + lane];
    }
  }
  for (std::size_t v = 0; v < matmul_sign_vectors; ++v) {
    for (const double part : parts[v]) sums[v] += part;
    for (std::size_t at = even; at < values.size(); ++at) sums[v] += values[at] * signs[v * stride + at];
  }
}

/// Element-by-element comparison and Freivalds' sums of some rows of C.
class Comparison {
 public:
  /// `row_position`: where each row of C is among the compared ones, or `no_element`. `sums`: of each row,
  /// its products with the vectors of signs; each row belongs to one comparison.
  Comparison(const MatmulShape& shape, const Reference& reference,
             std::span<const std::size_t> row_position, std::span<double> sums)
      : n_(shape.n),
        columns_(reference.indices.at("columns")),
        row_values_(reference.reals.at("row_values")),
        column_values_(reference.reals.at("column_values")),
        signs_(reference.reals.at("signs")),
        row_position_(row_position),
        sums_(sums) {}

  /// Elements [column, column + values.size()) of row `i`.
  void add(std::uint64_t i, std::uint64_t column, std::span<const double> values) {
    if (!signs_.empty())
      add_products(values, signs_.data() + column, n_, sums_.data() + i * matmul_sign_vectors);
    // A sum of which one value is not finite is not finite either.
    if (signs_.empty() || !std::isfinite(sums_[i * matmul_sign_vectors])) {
      for (const double value : values) not_a_number += std::isfinite(value) ? 0 : 1;
    }
    if (row_position_[i] != no_element) {
      const double* truth = row_values_.data() + row_position_[i] * n_ + column;
      for (std::size_t j = 0; j < values.size(); ++j) compare(i, column + j, values[j], truth[j]);
      return;
    }
    const double* truth = column_values_.data() + i * columns_.size();
    const auto first = std::ranges::lower_bound(columns_, column);
    for (auto at = first; at != columns_.end() && *at < column + values.size(); ++at) {
      compare(i, *at, values[*at - column], truth[at - columns_.begin()]);
    }
  }

  /// Adds what another comparison, of later rows, found.
  void merge(const Comparison& later) {
    checked += later.checked;
    not_a_number += later.not_a_number;
    error_squares += later.error_squares;
    truth_squares += later.truth_squares;
    if (later.worst.row != no_element && is_worse(later.worst.error)) worst = later.worst;
  }

  [[nodiscard]] std::string worst_element() const {
    return worst.row == no_element ? std::string() : fmt::format("C[{}, {}]", worst.row, worst.column);
  }

  std::uint64_t checked = 0;
  std::uint64_t not_a_number = 0;
  double error_squares = 0;
  double truth_squares = 0;
  struct {
    std::uint64_t row = no_element;
    std::uint64_t column = 0;
    double error = 0;
    double value = 0;
    double truth = 0;
  } worst;

 private:
  /// The first that is not finite is worse than all.
  [[nodiscard]] bool is_worse(double error) const {
    if (!std::isfinite(worst.error)) return false;
    return !std::isfinite(error) || error > worst.error || worst.row == no_element;
  }

  void compare(std::uint64_t i, std::uint64_t j, double value, double truth) {
    ++checked;
    truth_squares += truth * truth;
    // NaN is counted; it has no distance that could be summed.
    const double error = std::abs(value - truth);
    if (std::isfinite(error)) error_squares += error * error;
    if (is_worse(error)) worst = {i, j, error, value, truth};
  }

  std::uint64_t n_;
  const std::vector<std::uint64_t>& columns_;
  const std::vector<double>& row_values_;
  const std::vector<double>& column_values_;
  const std::vector<double>& signs_;
  std::span<const std::size_t> row_position_;
  std::span<double> sums_;
};

/// Reads C in pieces of whole rows, or of parts of one where that is longer than a piece. Each slice of the
/// rows is compared by a thread, into a comparison of its own.
template <class T>
void stream_c(const MatmulShape& shape, const BufferReader& read, std::vector<Comparison>& slices) {
  constexpr std::uint64_t piece = matmul_piece_bytes / sizeof(T);
  const std::uint64_t width = std::min(shape.n, piece);
  const std::uint64_t rows = std::clamp<std::uint64_t>(piece / shape.n, 1, shape.m);
  std::vector<T> raw(rows * width);
  for (std::uint64_t first = 0; first < shape.m; first += rows) {
    const std::uint64_t count = std::min(rows, shape.m - first);
    for (std::uint64_t column = 0; column < shape.n; column += width) {
      const std::uint64_t length = std::min(width, shape.n - column);
      const std::span<T> values = std::span(raw).first(count * length);
      read(2, (first * shape.n + column) * sizeof(T), std::as_writable_bytes(values));
      run_slices(count, slices.size(), 0, [&](std::size_t slice, std::size_t begin, std::size_t some) {
        std::vector<double> wide(length);
        for (std::size_t row = begin; row < begin + some; ++row) {
          for (std::uint64_t j = 0; j < length; ++j)
            wide[j] = static_cast<double>(values[row * length + j]);
          slices[slice].add(first + row, column, wide);
        }
      });
    }
  }
}

/// The sum of C·x that is furthest beyond that of A(Bx), or none.
std::uint64_t worst_signed_sum(std::span<const double> sums, std::span<const double> truth, double bound) {
  std::uint64_t worst = no_element;
  double worst_error = bound;
  for (std::uint64_t i = 0; i < sums.size(); ++i) {
    const double error = std::abs(sums[i] - truth[i]);
    if (error > worst_error) {
      worst_error = error;
      worst = i;
    }
  }
  return worst;
}

}  // namespace

MatmulTolerance::MatmulTolerance(std::string_view precision, DType dtype, std::uint64_t k)
    : k_(static_cast<double>(k)) {
  // Narrow arithmetic adds in float32.
  input_roundoff_ = std::max(unit_roundoff(precision), unit_roundoff(to_string(dtype)));
  sum_roundoff_ = std::min(input_roundoff_, 0x1p-24);
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

Verification matmul_check(const MatmulShape& shape, DType dtype, std::string_view precision,
                          const Reference& reference, const BufferReader& read) {
  const MatmulTolerance tolerance(precision, dtype, shape.k);
  const std::vector<std::uint64_t>& rows = reference.indices.at("rows");
  std::vector<std::size_t> row_position(shape.m, no_element);
  for (std::size_t r = 0; r < rows.size(); ++r) row_position[rows[r]] = r;
  std::vector<double> sums(reference.reals.at("signs").empty() ? 0 : shape.m * matmul_sign_vectors);
  std::vector<Comparison> slices(shape.m * shape.n < least_for_slices ? 1 : slices_of_piece,
                                 Comparison(shape, reference, row_position, sums));
  if (dtype == DType::f64) {
    stream_c<double>(shape, read, slices);
  } else if (dtype == DType::bf16) {
    stream_c<BFloat16>(shape, read, slices);
  } else {
    stream_c<float>(shape, read, slices);
  }
  Comparison& comparison = slices.front();
  for (const Comparison& later : std::span(slices).subspan(1)) comparison.merge(later);

  Verification outcome;
  outcome.checked = comparison.checked;
  outcome.not_a_number = comparison.not_a_number;
  // A few elements may all be near zero by chance; their rounding errors are not smaller for it.
  outcome.error_norm =
      std::sqrt(comparison.error_squares) /
      std::max(std::sqrt(comparison.truth_squares), tolerance.expected_norm(comparison.checked));
  outcome.tolerance_norm = tolerance.norm();
  outcome.worst_error = comparison.worst.error;
  outcome.worst_tolerance = tolerance.element();
  outcome.worst_element = comparison.worst_element();

  const std::string worst = fmt::format("worst {} = {:.9g}, expected {:.9g}", outcome.worst_element,
                                        comparison.worst.value, comparison.worst.truth);
  if (outcome.not_a_number > 0) {
    outcome.reason = fmt::format("{} of {} elements of C are not finite or were never written; {}",
                                 outcome.not_a_number, shape.m * shape.n, worst);
  } else if (!(outcome.error_norm <= outcome.tolerance_norm)) {
    outcome.reason =
        fmt::format("error norm {:.3g} exceeds the tolerance {:.3g} of {} sums of {} products; {}",
                    outcome.error_norm, outcome.tolerance_norm, precision, shape.k, worst);
  } else if (!(outcome.worst_error <= outcome.worst_tolerance)) {
    outcome.reason =
        fmt::format("one element's error {:.3g} exceeds the tolerance {:.3g} of {} sums of {} products; {}",
                    outcome.worst_error, outcome.worst_tolerance, precision, shape.k, worst);
  } else {
    const auto& truths = reference.reals.at("signed_sums");
    const double bound = tolerance.signed_row_sum(shape.n);
    const std::uint64_t sum = worst_signed_sum(sums, truths, bound);
    if (sum != no_element) {
      outcome.reason = fmt::format(
          "row {} of C holds a wrong element outside of the compared rows and columns: by Freivalds' check "
          "C·x differs from A(Bx) by {:.3g}, the tolerance is {:.3g}; of the compared elements, {}",
          sum / matmul_sign_vectors, std::abs(sums[sum] - truths[sum]), bound, worst);
    }
  }
  outcome.ok = outcome.reason.empty();
  return outcome;
}

}  // namespace benchctl
