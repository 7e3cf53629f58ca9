// What register_tiled_best chooses, and what register_tiled_tuned tries besides.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>

#include "ranked_products.hpp"
#include "skinny_forms.hpp"
#include "strip_forms.hpp"
#include "vector_forms.hpp"

#include <algorithm>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using opencl::ProductDevice;
using opencl::ProductSize;

namespace {

constexpr std::size_t many = 8;
constexpr std::uint64_t units = 132;
constexpr ProductDevice with_copies{true, units, 232'448, "sm_90"};
constexpr ProductDevice without{false, 60, 65'536, "gfx1100"};

std::vector<gpu::Ranked<gpu::PlannedProduct>> ranked(const ProductSize& size, const ProductDevice& device,
                                                     std::size_t most) {
  const ProblemSpec problem =
      matmul_spec({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                   static_cast<std::int64_t>(size.k)},
                  DType::f32);
  return opencl::rank_products(problem, size, device, device.cp_async, opencl_kernels(), most);
}

std::string first(const ProductSize& size, const ProductDevice& device) {
  return ranked(size, device, many).front().form.text;
}

}  // namespace

TEST_CASE("products are ranked behind the one that is taken without a trial") {
  for (const ProductDevice& device : {with_copies, without}) {
    for (const ProductSize& size : {ProductSize{1, 1, 1},
                                    {1000, 1000, 1000},
                                    {6, 1630, 1801},
                                    {571, 104, 155},
                                    {96, 96, 30'000},
                                    {4096, 1, 4096},
                                    {4096, 16, 4096},
                                    {4096, 4096, 32},
                                    {16, 700, 900},
                                    {7, 5, 3},
                                    {8192, 8192, 8192}}) {
      INFO(size.m << 'x' << size.n << 'x' << size.k << ", cp.async " << device.cp_async);
      const auto products = ranked(size, device, many);
      REQUIRE(!products.empty());
      CHECK(products.size() <= many);
      CHECK(products.front().form.text == ranked(size, device, 1).front().form.text);
      std::set<std::string> texts;
      for (const auto& [product, ns] : products) {
        CHECK(texts.insert(product.text).second);
        CHECK(product.plan.launches.front().local_bytes <= device.local_bytes);
      }
      CHECK(std::ranges::is_sorted(products.begin() + 1, products.end(), {},
                                   &gpu::Ranked<gpu::PlannedProduct>::expected_ns));
    }
  }
}

TEST_CASE("what is taken without a trial is what each kernel's own choice says") {
  const ProductSize square{1000, 1000, 1000};
  CHECK(first(square, with_copies) == to_text(opencl::choose_tiling(with_copies, square).tiling));
  CHECK(first(square, without) == to_text(opencl::choose_tiling(without, square).tiling));
  const ProductSize strip{4096, 32, 4096};
  CHECK(first(strip, with_copies) == to_text(opencl::choose_strips(strip, with_copies)));
  CHECK(first(strip, without) == to_text(opencl::choose_skinny(strip, 4, without.compute_units)));
  const ProductSize few_rows{10, 1287, 3989};
  CHECK(first(few_rows, with_copies) == to_text(opencl::choose_skinny(few_rows, 4, units)));
  const ProductSize vectors{4096, 1, 4096};
  CHECK(ranked(vectors, with_copies, many).size() == 1);
  CHECK(first(vectors, with_copies) == to_text(gpu::choose_vectors(vectors, 4, units)));
}

TEST_CASE("few rows come in strips of 16 and of 32 lanes, of one and two groups for a compute unit") {
  const auto forms = opencl::rank_skinny({6, 1630, 1801}, units, many);
  CHECK(forms.size() == 4);
  std::set<std::uint32_t> lanes;
  for (const auto& [form, ns] : forms) {
    lanes.insert(form.lanes);
    CHECK_FALSE(form.by_columns);
    CHECK(ns == opencl::expected_ns({6, 1630, 1801}, form, units));
  }
  CHECK(lanes == std::set<std::uint32_t>{16, 32});
  // Of few columns there is one.
  CHECK(opencl::rank_skinny({1000, 8, 1000}, units, many).size() == 1);
}
