// Reductions: many numbers become one. sum, min, max, mean, norm (square root of the sum of squares) and
// dot (of two vectors). An addition or so per element: memory bandwidth is the limit of every good one, and
// the variants show how threads agree on one number.
//
// Inputs. Many uniform numbers have a known least, largest, mean and norm: whoever reads none of them could
// guess the result. So uniform, wide, huge and cancelling values have a scale between 1 and 2, drawn for
// each input and seed, and from 256 elements on one in each 64th of uniform values is an extreme: sqrt(n /
// 768) to twice that, 2 at least, of either sign.
//
// What is right where numbers are unkind, for every backend and every order of operations:
//   sum, mean, dot  as IEEE arithmetic has it: no number if one of the terms is none or infinities of both
//                   signs meet, otherwise an infinity if there is one.
//   norm            no number if one element is none, otherwise infinite if one is; never because a square
//                   overflows, and never zero because all squares underflow.
//   min, max        IEEE 754-2019 `minimum` and `maximum`: no number if one element is none. (C's fmin
//                   skips it. Skipping has no identity element: +inf would be the minimum of nothing but
//                   NaNs.) -0 and +0 count as equal.
//
// Tolerance. One bound for all orders in which the terms t_i may be added; t_i is x_i, or x_i·y_i for dot.
// The least accurate is one by one in a single accumulator: the error is Σ δ_j S_j over the partial sums
// S_j, with |δ_j| ≤ u, of mean 0 and variance at most u²/3 (the model of matmul_check.hpp). Inputs have
// independent signs, so that S_j is a random walk, E[S_j²] = j/n · Q with Q = Σ t², and
//   rms(error) = u/√3 · sqrt(Σ_j j/n · Q) = u · sqrt(n·Q/6) = 0.41 · u · sqrt(n·Q).
// The bound is twenty times that (tails as in matmul_check.hpp: below 1e-13):
//   sum, dot   8 · u · sqrt(n·Q); sqrt(n·Q) ≥ Σ|t|, and 1.15 · Σ|t| for uniform numbers. It is no smaller
//              than the certain bound (n-1) · u · Σ|t| up to n = 9 and covers the rounding of products.
//              dot adds n roundings of products that underflow.
//   mean       the sum's over n, and two more roundings.
//   norm       all terms have one sign, E[S_j] = j/n · Q: rms(error of Q) = u/√3 · sqrt(n/3) · Q, half of
//              it, u · sqrt(n)/6, relative to the root. The bound is 2 · u · sqrt(n), twelve times that,
//              plus 32 u for norms of parts that are joined by sqrt(a² + b²) in a tree (OpenCL's root is
//              only good to 3 units in the last place), plus 32 roundings of a result that is denormal.
//   min, max   0.
// Whatever the precision, sum, dot and mean may be off by 1/32 of sqrt(Q) (mean: over n) at most, by which
// they vary from input to input, and norm by 1/32 of itself: a coarse type adds in a tree. So a sum in
// float32 that drops an element of average size is wrong up to n = 2^20, one that drops a block of b
// elements up to about b · 2^20; half precision anywhere is wrong up to 3e5 elements, and half-precision
// sums always.
#include "workloads/reduce.hpp"

#include <benchctl/rounding.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

constexpr std::uint64_t piece_terms = std::uint64_t{1} << 14;
/// Pieces are handed out in as many slices: enough for every core, each with one buffer.
constexpr std::uint64_t reduce_slices = 256;
constexpr std::size_t reduce_lanes = 4;

/// A sum and what rounding took from it.
struct Compensated {
  double sum = 0;
  double lost = 0;

  void add(double term) {
    const double next = sum + term;
    lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  void add(const Compensated& other) {
    add(other.sum);
    lost += other.lost;
  }
  [[nodiscard]] double value() const { return sum + lost; }
};

/// `sum` and `squares` of `rest` are left open.
struct Piece {
  Compensated sum;
  Compensated squares;
  ReductionSums rest{.smallest = std::numeric_limits<double>::infinity(),
                     .largest = -std::numeric_limits<double>::infinity()};

  void add(double term) {
    if (std::isfinite(term)) {
      sum.add(term);
      squares.add(term * term);
      rest.smallest = std::min(rest.smallest, term);
      rest.largest = std::max(rest.largest, term);
    } else if (std::isnan(term)) {
      ++rest.not_a_number;
    } else {
      ++(term > 0 ? rest.plus_infinity : rest.minus_infinity);
    }
  }
  void add(const Piece& other) {
    sum.add(other.sum);
    squares.add(other.squares);
    rest.smallest = std::min(rest.smallest, other.rest.smallest);
    rest.largest = std::max(rest.largest, other.rest.largest);
    rest.not_a_number += other.rest.not_a_number;
    rest.plus_infinity += other.rest.plus_infinity;
    rest.minus_infinity += other.rest.minus_infinity;
  }
};

/// Several sums side by side, since each addition waits for the one before it.
Piece sum_up(std::span<const double> terms) {
  std::array<Piece, reduce_lanes> side;
  for (std::size_t i = 0; i < terms.size(); ++i) side[i % reduce_lanes].add(terms[i]);
  for (std::size_t lane = 1; lane < reduce_lanes; ++lane) side[0].add(side[lane]);
  return side[0];
}

}  // namespace

ReductionSums reduce_terms(std::uint64_t n, const ReductionTerms& terms, unsigned threads) {
  const std::uint64_t count = ceil_div(n, piece_terms);
  std::vector<Piece> pieces(count);
  run_slices(count, std::min(count, reduce_slices), threads,
             [&](std::size_t /*slice*/, std::size_t begin, std::size_t length) {
               std::vector<double> buffer(std::min(n, piece_terms));
               for (std::size_t i = begin; i < begin + length; ++i) {
                 const std::uint64_t first = i * piece_terms;
                 const std::span part = std::span(buffer).first(std::min(piece_terms, n - first));
                 terms(first, part);
                 pieces[i] = sum_up(part);
               }
             });
  Piece all;
  for (const Piece& piece : pieces) all.add(piece);
  all.rest.sum = all.sum.value();
  all.rest.squares = all.squares.value();
  return all.rest;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// How far a result may be off at most, as a share of what it varies by.
constexpr double most_of_spread = 1.0 / 32;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Terms whose infinities are at hand decide a sum of them.
double sum_with_infinities(const ReductionSums& sums, double finite) {
  if (sums.not_a_number > 0 || (sums.plus_infinity > 0 && sums.minus_infinity > 0)) return not_a_number;
  if (sums.plus_infinity > 0) return infinity;
  return sums.minus_infinity > 0 ? -infinity : finite;
}

double right_result(std::string_view op, const ReductionSums& sums, double n) {
  if (op == "sum" || op == "dot") return sum_with_infinities(sums, sums.sum);
  if (op == "mean") return sum_with_infinities(sums, sums.sum / n);
  if (sums.not_a_number > 0) return not_a_number;
  if (op == "min") return sums.minus_infinity > 0 ? -infinity : sums.smallest;
  if (op == "max") return sums.plus_infinity > 0 ? infinity : sums.largest;
  return sums.plus_infinity + sums.minus_infinity > 0 ? infinity : std::sqrt(sums.squares);
}

/// How far a finite result may be off, by the roundoff of the arithmetic; `least` is the type's smallest
/// number.
double tolerance(std::string_view op, double result, double squares, double n, double roundoff,
                 double least) {
  const double sum = std::min(8 * roundoff * std::sqrt(n), most_of_spread) * std::sqrt(squares);
  if (op == "sum") return sum;
  if (op == "dot") return sum + n * least;
  if (op == "mean") return sum / n + 2 * roundoff * std::abs(result) + least;
  if (op == "norm")
    return result * std::min(roundoff * (32 + 2 * std::sqrt(n)), most_of_spread) + 32 * least;
  return 0;
}

/// One of the vectors.
class Input {
 public:
  Input(const Parameters& parameters, std::uint64_t seed, std::uint64_t buffer)
      : kind_(value_kind_of(parameters)),
        type_(dtype_of(parameters)),
        numbers_(seed, buffer),
        extremes_(seed, extreme_stream + buffer),
        scale_(1 + std::abs(static_cast<double>(extremes_.f32(extreme_count)))) {
    const std::uint64_t n = integer_of(parameters, "n");
    if (kind_ == ValueKind::uniform && n >= least_for_extremes) stride_ = n / extreme_count;
    least_extreme_ = std::max(2.0, std::sqrt(static_cast<double>(n) / 768));
  }

  /// Elements [first, first + out.size()).
  void draw(std::uint64_t first, std::span<double> out) const {
    draw_reals(numbers_, kind_, type_, first, out);
    if (!has_scale()) return;
    for (double& number : out) number = rounded(number * scale_);
    if (stride_ == 0) return;
    const std::uint64_t end = first + out.size();
    for (std::uint64_t i = first / stride_; i < extreme_count && i * stride_ < end; ++i) {
      const std::uint64_t place = i * stride_ + extremes_.bits(2 * extreme_count + i) % stride_;
      if (place < first || place >= end) continue;
      const double drawn = extremes_.f32(i);
      out[place - first] = rounded(std::copysign(least_extreme_ * (1 + std::abs(drawn)), drawn));
    }
  }
  /// The same as bytes of the type, `out` holding exactly those of whole elements.
  void draw_bytes(std::uint64_t first, std::span<std::byte> out) const {
    if (!has_scale()) return benchctl::draw_bytes(numbers_, kind_, type_, first, out);
    with_real_type(type_, [&]<class T>(std::type_identity<T>) {
      const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
      std::array<double, 4096> piece;
      for (std::size_t done = 0; done < elements.size(); done += piece.size()) {
        const std::span numbers = std::span(piece).first(std::min(piece.size(), elements.size() - done));
        draw(first + done, numbers);
        std::ranges::transform(numbers, elements.begin() + static_cast<std::ptrdiff_t>(done),
                               [](double number) { return static_cast<T>(number); });
      }
    });
  }

 private:
  static constexpr std::uint64_t extreme_count = 64;
  static constexpr std::uint64_t least_for_extremes = 256;
  static constexpr std::uint64_t extreme_stream = 16;  // the numbers of both vectors come before

  [[nodiscard]] bool has_scale() const {
    return kind_ == ValueKind::uniform || kind_ == ValueKind::wide || kind_ == ValueKind::huge ||
           kind_ == ValueKind::cancelling;
  }
  [[nodiscard]] double rounded(double number) const {
    return type_ == DType::f32 ? static_cast<double>(static_cast<float>(number)) : number;
  }

  ValueKind kind_;
  DType type_;
  RandomStream numbers_;
  RandomStream extremes_;
  double scale_;
  std::uint64_t stride_ = 0;  ///< elements for each extreme; 0: there are none
  double least_extreme_ = 0;
};

class Reduce final : public BasicWorkload {
 public:
  Reduce()
      : BasicWorkload(
            {.name = "reduce",
             .doc =
                 "n numbers become one: sum, min, max (NaN if any element is NaN), mean, norm, dot; memory "
                 "bandwidth decides",
             .version = 2,
             .parameters = {integer_parameter("n", "elements of each input", "16777216", 1, 1073741824),
                            word_parameter("op", "the operation",
                                           {"sum", "min", "max", "mean", "norm", "dot"}),
                            dtype_parameter(),
                            values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::huge,
                                              ValueKind::denormal, ValueKind::special, ValueKind::nan,
                                              ValueKind::infinity, ValueKind::negative_infinity,
                                              ValueKind::zeros, ValueKind::cancelling})},
             .buffers = {{"x", "dtype", "n"}, {"result", "dtype", "1", BufferRole::out}},
             .scalars = {passed("n")}}) {}

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    Input(spec.parameters, seed, buffer).draw_bytes(first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const std::string& op = word_of(spec.parameters, "op");
    const std::uint64_t n = integer_of(spec.parameters, "n");
    const Input x(spec.parameters, seed, 0);
    const Input y(spec.parameters, seed, 1);
    const ReductionSums sums = reduce_terms(n, [&](std::uint64_t first, std::span<double> terms) {
      x.draw(first, terms);
      if (op != "dot") return;
      std::vector<double> factors(terms.size());
      y.draw(first, factors);
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] *= factors[i];
    });
    Reference reference;
    reference.reals["result"] = {right_result(op, sums, static_cast<double>(n))};
    reference.reals["squares"] = {sums.squares};
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const bool single = dtype_of(spec.parameters) == DType::f32;
    const std::string& op = word_of(spec.parameters, "op");
    const auto n = static_cast<double>(integer_of(spec.parameters, "n"));
    const double result = reference.reals.at("result").at(0);
    const double squares = reference.reals.at("squares").at(0);
    // No tolerance is finer than that of the element that holds the result.
    const double roundoff = std::max(unit_roundoff(precision), unit_roundoff(single ? "f32" : "f64"));
    const double least = single ? 0x1p-149 : std::numeric_limits<double>::denorm_min();
    const double allowed = tolerance(op, result, squares, n, roundoff, least);
    return check_elements(
        spec, *spec.buffer_index("result"),
        [&](std::uint64_t /*first*/, std::span<double> truth, std::span<double> tolerances) {
          truth[0] = result;
          tolerances[0] = allowed;
        },
        read);
  }

 private:
  void define(ProblemSpec& spec) const override {
    if (word_of(spec.parameters, "op") != "dot") return;
    const DType type = dtype_of(spec.parameters);
    if (type == DType::f32 && value_kind_of(spec.parameters) == ValueKind::huge) {
      throw ProblemError(
          "the dot product of huge numbers overflows float32: choose dtype 'f64', or op 'norm'");
    }
    spec.buffers.insert(spec.buffers.begin() + 1, input_buffer("y", type, spec.buffers.front().count));
  }
};

const WorkloadRegistration reduce_registration(std::make_unique<Reduce>());

}  // namespace

}  // namespace benchctl
