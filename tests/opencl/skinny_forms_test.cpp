// The forms of matmul/skinny under OpenCL: whatever is small about a product, one covers it.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "skinny_forms.hpp"

using namespace benchctl;
using namespace benchctl::test;
using benchctl::opencl::choose_skinny;
using benchctl::opencl::plan_skinny;
using benchctl::opencl::ProductSize;
using benchctl::opencl::skinny_pays;
using benchctl::opencl::SkinnyForm;

namespace {

constexpr std::uint64_t items = 256;

/// What groups compute of C, and how far their parts of k reach.
void check_cover(const SkinnyForm& form, const ProductSize& size, std::uint64_t element) {
  const std::uint64_t width = 16 / element;
  if (form.by_columns) {
    CHECK(form.columns == size.n);
    CHECK(form.groups * form.rows * (items / form.lanes) >= size.m);
    CHECK(form.chunk % (form.lanes * width) == 0);
    CHECK(form.rows * form.columns * element <= 256);
  } else {
    CHECK(form.rows == size.m);
    CHECK(form.groups * form.lanes * width >= size.n);
    CHECK(form.chunk % (4 * items / form.lanes) == 0);
  }
  CHECK(form.packed == ((form.by_columns ? size.k : size.n) * element % 16 == 0));
  CHECK(form.splits * form.part >= size.k);
  CHECK((form.splits - 1) * form.part < size.k);  // no part is empty
  CHECK(form.chunk <= form.part);
}

}  // namespace

TEST_CASE("a skinny product's groups cover C and k, in the local memory that every device has") {
  const DType type = GENERATE(DType::f32, DType::f64);
  const std::uint64_t element = type == DType::f64 ? 8 : 4;
  const std::uint64_t units = GENERATE(1, 20, 132, 188);
  for (const std::uint64_t few : {1, 2, 3, 7, 16, 17, 31, 32}) {
    for (const std::uint64_t many : {1, 16, 33, 100, 4096, 1'000'003}) {
      for (const std::uint64_t k : {1, 31, 1001, 100'000}) {
        for (const ProductSize& size : {ProductSize{many, few, k}, ProductSize{few, many, k}}) {
          if (size.n > opencl::most_skinny_columns && size.m > opencl::most_skinny_rows) continue;
          const SkinnyForm form = choose_skinny(size, element, units);
          INFO(size.m << 'x' << size.n << 'x' << size.k << ", " << element << " bytes, " << units
                      << " units: " << to_text(form));
          check_cover(form, size, element);
          const ProblemSpec problem =
              matmul_spec({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                           static_cast<std::int64_t>(k)},
                          type);
          const KernelPlan plan = plan_skinny(problem, form, opencl_kernels());
          CHECK(plan.launches.front().local_bytes <= 32 * 1024);
          CHECK(plan.scratch.back().count == form.groups);
        }
      }
    }
  }
}

TEST_CASE("few columns and few rows are skinny; with more of them tiles are quicker") {
  const bool cp_async = GENERATE(false, true);
  const opencl::ProductDevice device{cp_async, 132, 232'448, "sm_90"};
  CHECK(skinny_pays({4096, 32, 4096}, device));
  CHECK(skinny_pays({6, 1630, 1801}, device));
  CHECK(skinny_pays({10, 1287, 3989}, device));
  CHECK(skinny_pays({8, 4096, 4096}, device));
  CHECK_FALSE(skinny_pays({16, 4096, 4096}, device));
  CHECK_FALSE(skinny_pays({4096, 33, 4096}, device));
  // By cp.async there are tiles of 16 rows.
  CHECK(skinny_pays({7, 1476, 152}, device) == !cp_async);
}

TEST_CASE("a skinny product of few rows is expected to take longer the more there is to do") {
  const auto expected = [](const ProductSize& size) {
    return opencl::expected_ns(size, choose_skinny(size, sizeof(float), 132), 132);
  };
  const double least = expected({5, 6000, 200});
  CHECK(least > 2500);
  CHECK(expected({10, 6000, 200}) > least);
  CHECK(expected({5, 6001, 200}) > least);  // rows of B that begin anywhere
  CHECK(expected({5, 6000, 4000}) > 2 * least);
  CHECK(expected({5, 60000, 200}) > 2 * least);
}
