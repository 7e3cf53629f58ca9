// What register_tiled_best and its like choose, and what the variants that are tuned by a trial try
// besides.
#include <catch2/catch_test_macros.hpp>

#include "gpu/vector_forms.hpp"
#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "ranked_products.hpp"
#include "skinny_forms.hpp"
#include "strip_forms.hpp"

#include <algorithm>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using cuda::ProductDevice;
using cuda::ProductSize;

namespace {

constexpr std::size_t many = 8;

ProductDevice device_of(const char* architecture) {
  return {architecture, 132, shared_bytes_of(architecture)};
}

std::vector<gpu::Ranked<gpu::PlannedProduct>> ranked(const ProductSize& size, const ProductDevice& device,
                                                     std::size_t most) {
  return cuda::rank_products(product_problem(size, DType::f32), size, device, kernel_folder(), most);
}

/// No two of them do the same in the same way.
template <class Product>
void check_distinct(const std::vector<gpu::Ranked<Product>>& products) {
  std::set<std::pair<std::string, std::map<std::string, std::string, std::less<>>>> seen;
  for (const auto& [product, ns] : products) {
    std::map<std::string, std::string, std::less<>> all;
    std::string launches;
    for (const PlannedLaunch& launch : product.plan.launches) {
      launches += launch.source + " ";
      for (const auto& [name, value] : launch.defines) all[launch.entry + name] = value;
      for (const std::uint64_t blocks : launch.grid) launches += std::to_string(blocks) + " ";
    }
    CHECK(seen.emplace(launches, all).second);
  }
}

}  // namespace

TEST_CASE("products are ranked behind the one that is taken without a trial", "[cuda]") {
  for (const char* architecture : {"sm_80", "sm_90a", "sm_100a", "sm_120"}) {
    const ProductDevice device = device_of(architecture);
    for (const ProductSize& size : product_sizes) {
      INFO(size.m << 'x' << size.n << 'x' << size.k << ", " << architecture);
      const auto products = ranked(size, device, many);
      REQUIRE(!products.empty());
      CHECK(products.size() <= many);
      check_distinct(products);
      CHECK(products.front().form.text == ranked(size, device, 1).front().form.text);
      // All others in the order of what is expected of them.
      CHECK(std::ranges::is_sorted(products.begin() + 1, products.end(), {},
                                   &gpu::Ranked<gpu::PlannedProduct>::expected_ns));
      for (const auto& [product, ns] : products) {
        CHECK(product.plan.launches.size() == 1);
        CHECK(product.plan.launches.front().shared_bytes <= device.shared_bytes);
        CHECK((product.kind == "tiling") != product.measured_on.empty());
      }
    }
  }
}

TEST_CASE("what is taken without a trial is what each kernel's own choice says", "[cuda]") {
  const ProductDevice device = device_of("sm_90a");
  const auto first = [&](const ProductSize& size) { return ranked(size, device, many).front().form.text; };
  const ProductSize square{1000, 1000, 1000};
  CHECK(first(square) == to_text(cuda::choose_tiling(device, square).tiling));
  const ProductSize strip{4096, 32, 4096};
  CHECK(first(strip) == to_text(cuda::choose_strips(strip, device)));
  const ProductSize few_rows{5, 869, 5494};
  CHECK(first(few_rows) == to_text(cuda::choose_skinny(few_rows, 4, 132)));
  // A product whose shape has a tiling of its own.
  const ProductSize flat{4096, 4096, 32};
  CHECK(first(flat) == to_text(cuda::choose_tiling(device, flat).tiling));
  // One way alone of a matrix and vectors.
  const ProductSize vectors{4096, 1, 4096};
  const auto products = ranked(vectors, device, many);
  REQUIRE(products.size() == 1);
  CHECK(products.front().form.text == to_text(gpu::choose_vectors(vectors, 4, 132)));
}

TEST_CASE("several kernels are among what is tried where either may be quickest", "[cuda]") {
  std::set<std::string> sources;
  for (const auto& [product, ns] : ranked({6, 1630, 1801}, device_of("sm_90a"), many)) {
    sources.insert(std::filesystem::path(product.plan.launches.front().source).filename().string());
  }
  CHECK(sources.contains("matmul_skinny.cu"));
  CHECK(sources.size() > 1);
}
