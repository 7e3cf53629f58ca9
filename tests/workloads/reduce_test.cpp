// Reductions: the reference against a loop in extended precision, what the tolerance lets through and what
// not, and what is right where elements are no numbers.
#include <cstring>

#include "support/catch.hpp"
#include "workloads/probed.hpp"
#include "workloads/reduce.hpp"

using namespace benchctl;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const Workload& workload() { return *Workloads::built_in().find("reduce"); }

Parameters parameters(std::int64_t n, const std::string& op, const std::string& dtype = "f32",
                      const std::string& values = "uniform") {
  return complete_parameters(workload(), {{"n", n}, {"op", op}, {"dtype", dtype}, {"values", values}});
}

template <class T>
struct Reduction : test::Probed {
  Reduction(std::int64_t n, const std::string& op, const std::string& values = "uniform",
            std::uint64_t seed = 1)
      : Probed("reduce", parameters(n, op, own, values), seed) {
    x = as<T>("x");
    if (op == "dot") y = as<T>("y");
  }

  [[nodiscard]] Verification verdict(T result, const char* precision = own) const {
    return workload.check(spec, precision, reference,
                          [&](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
                            REQUIRE(index == spec.buffers.size() - 1);
                            REQUIRE(offset == 0);
                            REQUIRE(out.size() == sizeof(T));
                            std::memcpy(out.data(), &result, sizeof(T));
                          });
  }
  [[nodiscard]] bool right(double result) const { return verdict(static_cast<T>(result)).ok; }
  [[nodiscard]] double result() const { return reference.reals.at("result").at(0); }
  [[nodiscard]] long double exact_sum() const {
    long double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += y.empty() ? static_cast<long double>(x[i]) : static_cast<long double>(x[i]) * y[i];
    }
    return sum;
  }
  /// One by one in the type itself: the least accurate order that counts as right.
  [[nodiscard]] T plain_sum() const {
    T sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += y.empty() ? x[i] : x[i] * y[i];
    return sum;
  }

  static constexpr const char* own = sizeof(T) == 4 ? "f32" : "f64";
  std::span<const T> x;
  std::span<const T> y;
};

}  // namespace

TEST_CASE("the reference agrees with a loop in extended precision") {
  const std::string values = GENERATE(as<std::string>{}, "uniform", "wide", "huge", "denormal");
  const std::int64_t n = GENERATE(1, 2, 5, 16384, 16385, 100003);
  INFO(values << ' ' << n);
  const Reduction<double> sum(n, "sum", values);
  long double magnitude = 0;
  long double squares = 0;
  double smallest = infinity;
  double largest = -infinity;
  for (const double x : sum.x) {
    magnitude += std::abs(x);
    squares += static_cast<long double>(x) * x;
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  }
  const auto close = [](double a, long double b, long double scale) {
    return std::abs(static_cast<long double>(a) - b) <= 4e-16L * scale;
  };
  // Extended precision has errors of its own: n · 2^-64 of Σ|x|, against half a digit of the result.
  const long double slack = std::abs(sum.exact_sum()) + 1e-4L * magnitude;
  CHECK(close(sum.result(), sum.exact_sum(), slack));
  CHECK(close(Reduction<double>(n, "mean", values).result(), sum.exact_sum() / n, slack / n));
  CHECK(close(Reduction<double>(n, "norm", values).result(), std::sqrt(squares), std::sqrt(squares)));
  CHECK(Reduction<double>(n, "min", values).result() == smallest);
  CHECK(Reduction<double>(n, "max", values).result() == largest);
  const Reduction<double> dot(n, "dot", values);
  long double products = 0;
  for (std::size_t i = 0; i < dot.x.size(); ++i)
    products += std::abs(static_cast<long double>(dot.x[i]) * dot.y[i]);
  CHECK(close(dot.result(), dot.exact_sum(), products));
}

TEST_CASE("the reference does not depend on the number of threads") {
  const ReductionTerms terms = [](std::uint64_t first, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::sin(static_cast<double>(first + i));
  };
  const ReductionSums one = reduce_terms(1000003, terms, 1);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const ReductionSums many = reduce_terms(1000003, terms, threads);
    CHECK(many.sum == one.sum);
    CHECK(many.squares == one.squares);
    CHECK(many.smallest == one.smallest);
    CHECK(many.largest == one.largest);
  }
}

TEST_CASE("a fault in the terms is passed on") {
  const ReductionTerms terms = [](std::uint64_t first, std::span<double> /*out*/) {
    if (first > 0) throw ProblemError("no terms");
  };
  CHECK_THROWS_AS(reduce_terms(1000003, terms, 2), ProblemError);
}

TEST_CASE("sums one by one are right, with an order of magnitude to spare") {
  const std::string op = GENERATE(as<std::string>{}, "sum", "dot");
  const std::string values = GENERATE(as<std::string>{}, "uniform", "wide");
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Reduction<float> reduction(100003, op, values, seed);
    const Verification verdict = reduction.verdict(reduction.plain_sum());
    CHECK(verdict.ok);
    worst = std::max(worst, verdict.worst_error / verdict.worst_tolerance);
  }
  INFO(op << ' ' << values << ": " << worst << " of the tolerance");
  CHECK(worst < 0.25);
  CHECK(worst > 0.005);
}

TEST_CASE("a sum that drops an element, takes one twice or rounds to half precision is wrong") {
  const std::int64_t n = GENERATE(2, 33, 1000, 100003);
  const Reduction<float> sum(n, "sum");
  const auto exact = static_cast<double>(sum.exact_sum());
  CHECK(sum.right(exact));
  // An element of at least a tenth of the usual magnitude.
  double element = 0;
  for (const float x : sum.x) {
    if (std::abs(x) > 0.05F) element = static_cast<double>(x);
  }
  REQUIRE(element != 0);
  CHECK_FALSE(sum.right(exact - element));
  CHECK_FALSE(sum.right(exact + element));
  const Reduction<float> mean(n, "mean");
  CHECK(mean.right(exact / static_cast<double>(n)));
  CHECK_FALSE(mean.right((exact - element) / static_cast<double>(n)));
  CHECK_FALSE(mean.right(exact));
  // Elements of eleven bits.
  double half = 0;
  for (const float x : sum.x) {
    int exponent = 0;
    const double mantissa = std::frexp(static_cast<double>(x), &exponent);
    half += std::ldexp(std::nearbyint(std::ldexp(mantissa, 11)), exponent - 11);
  }
  if (n == 1000) CHECK_FALSE(sum.right(half));  // of more elements, some come out right by chance
  CHECK(sum.verdict(static_cast<float>(half), "f16").ok);
}

TEST_CASE("a norm that drops an element is wrong, however large or small the numbers are") {
  const std::string values = GENERATE(as<std::string>{}, "uniform", "huge", "denormal");
  const Reduction<float> norm(1000, "norm", values);
  const double right = norm.result();
  CHECK(right > 0);
  CHECK(norm.right(right));
  double largest = 0;
  for (const float x : norm.x) largest = std::max(largest, std::abs(static_cast<double>(x)));
  const double dropped = right * std::sqrt(1 - (largest / right) * (largest / right));
  if (values != "denormal") CHECK_FALSE(norm.right(dropped));
  CHECK_FALSE(norm.right(right * 0.99));
  CHECK_FALSE(norm.right(0));
  CHECK_FALSE(norm.right(infinity));
}

TEST_CASE("minimum and maximum are exact") {
  const Reduction<float> smallest(1000, "min");
  CHECK(smallest.right(smallest.result()));
  CHECK_FALSE(smallest.right(std::nextafter(static_cast<float>(smallest.result()), 1.0F)));
  const Reduction<double> largest(1000, "max");
  CHECK(largest.right(largest.result()));
  CHECK_FALSE(largest.right(std::nextafter(largest.result(), 0.0)));
  CHECK_FALSE(largest.right(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("one element that is no number makes every result none; infinities decide the rest") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  // Seeds and lengths at which the special elements are of each kind.
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Reduction<float> sum(60, "sum", "special", seed);
    bool has_none = false;
    bool plus = false;
    bool minus = false;
    for (const float x : sum.x) {
      has_none = has_none || std::isnan(x);
      plus = plus || x == std::numeric_limits<float>::infinity();
      minus = minus || x == -std::numeric_limits<float>::infinity();
    }
    const auto result = [&](const char* op) { return Reduction<float>(60, op, "special", seed).result(); };
    const std::string kind = has_none        ? "none"
                             : plus && minus ? "both"
                             : plus          ? "plus"
                             : minus         ? "minus"
                                             : "plain";
    ++seen[kind];
    INFO("seed " << seed << ": " << kind);
    CHECK(std::isnan(result("sum")) == (has_none || (plus && minus)));
    CHECK(std::isnan(result("mean")) == (has_none || (plus && minus)));
    for (const char* op : {"min", "max", "norm"}) CHECK(std::isnan(result(op)) == has_none);
    if (has_none) {
      CHECK(sum.right(none));
      CHECK_FALSE(sum.right(0));
      CHECK_FALSE(Reduction<float>(60, "min", "special", seed).right(-1));
      continue;
    }
    CHECK((result("norm") == infinity) == (plus || minus));
    CHECK((result("max") == infinity) == plus);
    CHECK((result("min") == -infinity) == minus);
    if (plus && !minus) {
      CHECK(result("sum") == infinity);
      CHECK(sum.right(infinity));
      CHECK_FALSE(sum.right(-infinity));
      CHECK_FALSE(sum.right(none));
    }
    if (minus && !plus) CHECK(result("mean") == -infinity);
  }
  for (const char* kind : {"none", "plus", "minus", "plain"}) CHECK(seen[kind] > 0);
}

TEST_CASE("both zeros are the minimum of zeros") {
  const Reduction<float> one(1, "min", "denormal");
  if (one.result() == 0) {
    CHECK(one.right(-0.0));
    CHECK(one.right(0.0));
  }
  const ReductionSums zeros =
      reduce_terms(2, [](std::uint64_t, std::span<double> out) { std::ranges::fill(out, -0.0); });
  CHECK(zeros.smallest == 0);
  CHECK(zeros.largest == 0);
}
