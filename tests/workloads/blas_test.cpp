// The BLAS behind every reference is itself checked, since a BLAS also stands as a measured variant.
#include "workloads/blas.hpp"
#include "support/catch.hpp"

#include <array>

#include "workloads/generator.hpp"
#include "workloads/plain_product.hpp"

using namespace benchctl;

namespace {

using Dgemm = void (*)(const Product&, unsigned);
constexpr std::array<std::array<std::size_t, 3>, 9> shapes{{{1, 1, 1},
                                                            {2, 3, 1},
                                                            {3, 2, 5},
                                                            {17, 17, 17},
                                                            {33, 65, 129},
                                                            {64, 64, 64},
                                                            {100, 1, 7},
                                                            {1, 100, 300},
                                                            {67, 515, 260}}};

}  // namespace

TEST_CASE("dgemm agrees with a compensated loop on awkward shapes") {
  const Dgemm gemm = GENERATE(Dgemm{dgemm}, Dgemm{dgemm_own});
  const unsigned threads = GENERATE(0U, 1U, 2U, 5U);
  const bool accumulate = GENERATE(false, true);
  for (const auto& [m, n, k] : shapes) {
    CAPTURE(m, n, k, threads, accumulate);
    std::vector<double> a(m * k);
    std::vector<double> b(k * n);
    fill_uniform(RandomStream(1, 0), 0, std::span(a));
    fill_uniform(RandomStream(1, 1), 0, std::span(b));
    const auto truth = test::compensated_product<double>(a, b, m, n, k);

    // Rows with a gap that nobody may write.
    constexpr std::size_t gap = 3;
    constexpr double before = 0.5;
    std::vector<double> c(m * (n + gap), before);
    gemm({m, n, k, a.data(), k, b.data(), n, c.data(), n + gap, accumulate}, threads);
    double worst = 0;
    bool gaps_kept = true;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double expected = truth[i * n + j] + (accumulate ? before : 0.0);
        worst = std::max(worst, std::abs(c[i * (n + gap) + j] - expected));
      }
      for (std::size_t j = n; j < n + gap; ++j) gaps_kept = gaps_kept && c[i * (n + gap) + j] == before;
    }
    CHECK(gaps_kept);
    CHECK(worst <= static_cast<double>(k + 1) * static_cast<double>(k + 1) * 0x1p-53);
  }
}

TEST_CASE("a product without accumulation overwrites whatever was there") {
  const Dgemm gemm = GENERATE(Dgemm{dgemm}, Dgemm{dgemm_own});
  const std::array<double, 2> a{1, 2};
  const std::array<double, 2> b{10, 20};
  std::array<double, 1> c{std::numeric_limits<double>::quiet_NaN()};
  gemm({1, 1, 2, a.data(), 2, b.data(), 1, c.data(), 1, false}, 1);
  CHECK(c[0] == 50);
}

TEST_CASE("blas_build names the flavour and the configuration of what computes") {
  const std::string build = blas_build();
  if (build == "none") return;
  const std::string flavour = build.substr(0, build.find(", "));
  CHECK((flavour == "pthread" || flavour == "openmp" || flavour == "serial"));
  CHECK(build.starts_with(flavour + ", OpenBLAS"));
  // OpenBLAS tells the same once more in its configuration.
  CHECK((flavour == "openmp") == (build.find("USE_OPENMP") != std::string::npos));
  CHECK((flavour == "serial") == (build.find("SINGLE_THREADED") != std::string::npos));
}
