// What the tolerance lets pass and what it does not.
#include "support/catch.hpp"
#include "workloads/matmul_check.hpp"

#include <bit>

#include "workloads/matmul_judge.hpp"

using namespace benchctl;
using test::Judge;

namespace {

/// 10 mantissa bits stay, the rest is cut off (`round` false) or rounded to nearest.
float to_tf32(float value, bool round) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  if (round) bits += 1U << 12;
  return std::bit_cast<float>(bits & ~0x1fffU);
}

template <class Round>
std::vector<float> product_of_rounded(const Judge<float>& judge, Round round) {
  std::vector<float> a(judge.a.begin(), judge.a.end());
  std::vector<float> b(judge.b.begin(), judge.b.end());
  for (float& value : a) value = round(value);
  for (float& value : b) value = round(value);
  return test::naive_product<float>(a, b, judge.m, judge.n, judge.k);
}

}  // namespace

TEST_CASE("the tolerances are those of the documented formulas") {
  const MatmulTolerance narrow("f32", DType::f32, 97);
  CHECK_THAT(narrow.norm(), WithinRel(8 * 0x1p-24 * std::sqrt(101.0), 1e-12));
  CHECK_THAT(MatmulTolerance("f32", DType::f32, 64).element(), WithinRel(4 * 0x1p-24 * (9 + 67), 1e-12));
  CHECK_THAT(MatmulTolerance("f64", DType::f64, 64).element(), WithinRel(4 * 0x1p-53 * (9 + 67), 1e-12));
  CHECK_THAT(MatmulTolerance("tf32", DType::f32, 64).element(),
             WithinRel(4 * (0x1p-11 * 9 + 0x1p-24 * 67), 1e-12));
  CHECK(MatmulTolerance("f16", DType::f32, 64).norm() == MatmulTolerance("tf32", DType::f32, 64).norm());
  CHECK_THAT(MatmulTolerance("bf16", DType::f32, 64).norm(), WithinRel(8 * 0x1p-8, 1e-6));
  CHECK_THAT(MatmulTolerance("f32", DType::f32, 9).expected_norm(16), WithinRel(4.0, 1e-12));
  // Eight deviations over four columns, one element's bound, and next to nothing for float64's own errors.
  const double deviation = 0x1p-24 * std::sqrt(4 + 67.0 / 6) * 8 / 3 * 2;
  CHECK_THAT(MatmulTolerance("f32", DType::f32, 64).signed_row_sum(4),
             WithinRel(8 * deviation + 4 * 0x1p-24 * 76, 1e-6));
}

TEST_CASE("a result is never judged finer than its element type holds") {
  CHECK(MatmulTolerance("f64", DType::f32, 64).norm() == MatmulTolerance("f32", DType::f32, 64).norm());
  CHECK(MatmulTolerance("f32", DType::f64, 64).norm() == MatmulTolerance("f32", DType::f32, 64).norm());
}

TEST_CASE("an unknown precision is refused") {
  CHECK_THROWS_MATCHES(MatmulTolerance("dtype", DType::f32, 4), ProblemError,
                       MessageMatches(ContainsSubstring("'dtype'") && ContainsSubstring("tf32")));
}

TEST_CASE("float32 sums taken one by one pass with room, short and long") {
  const auto k = GENERATE(1U, 2U, 3U, 4U, 7U, 16U, 100U, 1000U, 4096U, 16384U);
  CAPTURE(k);
  const Judge<float> judge(24, 20, k);
  const Verification outcome = judge.verdict(judge.naive());
  CAPTURE(outcome.reason);
  CHECK(outcome.ok);
  CHECK(outcome.checked == 480);
  CHECK(outcome.not_a_number == 0);
  CHECK(outcome.error_norm < outcome.tolerance_norm / 5);
  CHECK(outcome.worst_error < outcome.worst_tolerance / 5);
  CHECK(outcome.tolerance_norm == MatmulTolerance("f32", DType::f32, k).norm());
  CHECK(outcome.worst_tolerance == MatmulTolerance("f32", DType::f32, k).element());
}

TEST_CASE("float64 sums pass as f64, and float32 sums of a float64 problem do not") {
  const auto k = GENERATE(1U, 3U, 17U, 512U, 5000U);
  CAPTURE(k);
  const Judge<double> judge(24, 20, k);
  const auto right = judge.naive();
  const Verification outcome = judge.verdict(right);
  CHECK(outcome.ok);
  CHECK(outcome.error_norm < outcome.tolerance_norm / 5);
  std::vector<double> narrow(right.size());
  for (std::size_t i = 0; i < right.size(); ++i)
    narrow[i] = static_cast<double>(static_cast<float>(right[i]));
  CHECK_FALSE(judge.verdict(narrow).ok);
  CHECK(judge.verdict(narrow, "f32").ok);
}

TEST_CASE("single elements pass for every seed, also where the sum is near zero") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const std::size_t k = 1 + seed % 50;
    const Judge<float> judge(1, 1, k, seed);
    const Verification outcome = judge.verdict(judge.naive());
    if (!outcome.ok) FAIL("seed " << seed << " k " << k << ": " << outcome.reason);
  }
}

TEST_CASE("TF32 arithmetic is wrong as f32 and right as tf32") {
  const auto k = GENERATE(16U, 64U, 512U, 2048U, 8192U);
  const bool round = GENERATE(false, true);
  CAPTURE(k, round);
  const Judge<float> judge(24, 20, k);
  const auto c = product_of_rounded(judge, [&](float value) { return to_tf32(value, round); });
  const Verification as_f32 = judge.verdict(c, "f32");
  CHECK_FALSE(as_f32.ok);
  CHECK(as_f32.error_norm > 3 * as_f32.tolerance_norm);
  CHECK_THAT(as_f32.reason, ContainsSubstring("error norm"));
  const Verification as_tf32 = judge.verdict(c, "tf32");
  CHECK(as_tf32.ok);
  CHECK(as_tf32.error_norm < as_tf32.tolerance_norm / 3);
}

TEST_CASE("BF16 arithmetic is wrong as tf32 and right as bf16") {
  const auto k = GENERATE(64U, 2048U);
  const Judge<float> judge(40, 40, k);
  const auto c = product_of_rounded(judge, [](float value) {
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x8000U) & ~0xffffU);
  });
  CHECK(judge.verdict(c, "bf16").ok);
  CHECK(judge.verdict(judge.naive(), "bf16").ok);
  const Verification as_f32 = judge.verdict(c, "f32");
  CHECK_FALSE(as_f32.ok);
  CHECK(judge.verdict(c, "bf16").error_norm > 4 * 0x1p-11);
}

TEST_CASE("one missing product in one element is found") {
  const auto k = GENERATE(2U, 17U, 64U, 512U, 2048U);
  const Judge<float> judge(24, 20, k);
  auto c = judge.naive();
  const std::size_t i = 23;
  const std::size_t j = 7;
  // The last one of a typical size: a tile loop that ends a step early.
  std::size_t p = k - 1;
  while (std::abs(judge.a[i * k + p] * judge.b[p * judge.n + j]) < 0.05F) --p;
  c[i * judge.n + j] -= judge.a[i * k + p] * judge.b[p * judge.n + j];
  const Verification outcome = judge.verdict(c);
  CAPTURE(k);
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.worst_element == "C[23, 7]");
  CHECK(outcome.worst_error > outcome.worst_tolerance);
  CHECK_THAT(outcome.reason, ContainsSubstring("C[23, 7]"));
}

TEST_CASE("one slightly wrong element in many fails by the element criterion alone") {
  const Judge<float> judge(300, 300, 64);
  auto c = judge.naive();
  c[12345] += 3e-5F;
  const Verification outcome = judge.verdict(c);
  CHECK(outcome.error_norm < outcome.tolerance_norm);
  CHECK_FALSE(outcome.ok);
  CHECK_THAT(outcome.reason, ContainsSubstring("one element's error") && ContainsSubstring("C[41, 45]"));
}

TEST_CASE("many slightly wrong elements fail by the norm alone") {
  const Judge<float> judge(64, 64, 256);
  auto c = judge.naive();
  const double shift = MatmulTolerance("f32", DType::f32, 256).element() * 0.8;
  for (float& value : c) value += static_cast<float>(shift);
  const Verification outcome = judge.verdict(c);
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.worst_error < outcome.worst_tolerance);
  CHECK_THAT(outcome.reason, ContainsSubstring("error norm"));
}

TEST_CASE("elements that are no numbers or were never written are counted and named") {
  const Judge<float> judge(40, 30, 20);
  auto c = judge.naive();
  c[5 * 30 + 6] = std::numeric_limits<float>::infinity();
  c[7 * 30 + 8] = std::bit_cast<float>(0xffffffffU);  // poison
  const Verification outcome = judge.verdict(c);
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.not_a_number == 2);
  CHECK(outcome.worst_element == "C[5, 6]");
  CHECK_THAT(outcome.reason, ContainsSubstring("2 of 1200"));

  std::vector<float> zeros(c.size(), 0.0F);
  const Verification unwritten = judge.verdict(zeros);
  CHECK_FALSE(unwritten.ok);
  CHECK_THAT(unwritten.error_norm, WithinRel(1.0, 0.2));
}
