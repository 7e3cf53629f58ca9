// What tensor cores are measured and judged by: the probes mma_* of peaks, and products of bf16 matrices.
#include <catch2/catch_template_test_macros.hpp>

#include "support/catch.hpp"
#include "workloads/probed.hpp"
#include "workloads/values.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters mma_probe(const char* name, std::int64_t bytes, std::int64_t rounds) {
  return {{"probe", std::string(name)}, {"bytes", bytes}, {"rounds", rounds}};
}

/// As a kernel would: D += A·B with the three A in turn.
template <class Real>
void multiply(Probed& problem, std::int64_t rounds) {
  const auto a = problem.as<Real>("a");
  const auto b = problem.as<Real>("b");
  const auto out = problem.as<Real>("out");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = i / 256 % 64;
    const std::size_t column = i % 256;
    Real sum = 0;
    for (std::int64_t round = 0; round < rounds; ++round) {
      const auto slab = static_cast<std::size_t>(round % 3);
      for (std::size_t k = 0; k < 16; ++k) sum += a[row * 48 + slab * 16 + k] * b[k * 256 + column];
    }
    out[i] = sum;
  }
}

void multiply_bf16(Probed& problem, std::size_t m, std::size_t n, std::size_t k) {
  const auto a = problem.as<BFloat16>("A");
  const auto b = problem.as<BFloat16>("B");
  const auto c = problem.as<BFloat16>("C");
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t p = 0; p < k; ++p)
        sum += static_cast<float>(static_cast<double>(a[i * k + p]) * static_cast<double>(b[p * n + j]));
      c[i * n + j] = static_cast<BFloat16>(sum);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("matrix multiply-accumulates are known to the bit, and no round can be left out", "",
                   float, double) {
  const std::int64_t rounds = GENERATE(1, 2, 3, 50);
  constexpr auto size = static_cast<std::int64_t>(sizeof(TestType));
  Probed problem("peaks", mma_probe(size == 4 ? "mma_bf16" : "mma_f64", 17500 * size, rounds));
  CHECK_FALSE(problem.check().ok);  // poison
  multiply<TestType>(problem, rounds);
  CHECK(problem.check().ok);
  for (const std::int64_t other : {rounds + 1, rounds + 3, rounds - 1}) {
    multiply<TestType>(problem, other);
    CHECK_FALSE(problem.check().ok);
  }
  multiply<TestType>(problem, rounds);
  problem.as<TestType>("out").back() += 1;
  CHECK_FALSE(problem.check().ok);
  CHECK(problem.workload.cost(problem.spec.parameters).flops ==
        2.0 * 17500 * 16 * static_cast<double>(rounds));
}

TEST_CASE("what matrix instructions multiply is exact in bf16, random, and adds up to a unit") {
  Probed problem("peaks", mma_probe("mma_tf32", 4, 1));
  const auto a = problem.as<float>("a");
  const auto b = problem.as<float>("b");
  REQUIRE(a.size() == 64 * 48);
  REQUIRE(b.size() == 16 * 256);
  std::set<float> different(b.begin(), b.end());
  CHECK(different.size() > 400);
  for (const std::span<float> matrix : {a, b}) {
    for (const float x : matrix) REQUIRE(static_cast<float>(static_cast<double>(BFloat16(x))) == x);
  }
  for (std::size_t row = 0; row < 64; ++row) {
    for (std::size_t k = 0; k < 16; ++k) {
      const float sum = a[row * 48 + k] + a[row * 48 + 16 + k] + a[row * 48 + 32 + k];
      REQUIRE(sum == (k == row % 16 ? 1.0F : 0.0F));
    }
  }
}

TEST_CASE("a product of bf16 matrices is judged by what bf16 can hold") {
  Probed problem("matmul", {{"m", std::int64_t{33}},
                            {"n", std::int64_t{40}},
                            {"k", std::int64_t{50}},
                            {"dtype", std::string("bf16")}});
  CHECK_FALSE(problem.check("bf16").ok);  // poison
  multiply_bf16(problem, 33, 40, 50);
  const Verification right = problem.check("bf16");
  CHECK(right.ok);
  CHECK(right.checked == 33 * 40);
  CHECK(right.error_norm > 1e-4);  // rounding C shows
  CHECK(right.error_norm < 0x1p-8);

  const auto c = problem.as<BFloat16>("C");
  const BFloat16 held = c[777];
  c[777] = static_cast<BFloat16>(static_cast<double>(held) + 2);
  CHECK_FALSE(problem.check("bf16").ok);
  c[777] = held;
  CHECK(problem.check("bf16").ok);
  multiply_bf16(problem, 33, 40, 49);  // the last product is missing
  CHECK_FALSE(problem.check("bf16").ok);
  CHECK(problem.workload.cost(problem.spec.parameters).bytes_written == 33 * 40 * 2.0);
}
