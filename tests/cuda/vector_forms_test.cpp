// The forms of matmul/skinny for a matrix and up to four vectors: every such product gets one that covers
// it.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "vector_forms.hpp"

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_vectors;
using benchctl::cuda::plan_vectors;
using benchctl::cuda::ProductSize;
using benchctl::cuda::VectorForm;

namespace {

void check_form(const ProductSize& size, DType type, std::uint64_t units) {
  const std::uint32_t element = type == DType::f64 ? 8 : 4;
  const VectorForm form = choose_vectors(size, element, units);
  INFO(size.m << 'x' << size.n << 'x' << size.k << ", " << element << " bytes, " << units
              << " units: " << to_text(form));
  const std::uint64_t strip = form.lanes * 16 / element;
  const std::uint64_t rows =
      form.by_columns ? form.blocks * form.warps / form.share * form.rows : form.rows;
  const std::uint64_t columns = form.by_columns ? form.columns : form.blocks * strip;
  CHECK(rows >= size.m);
  CHECK(columns >= size.n);
  CHECK((form.by_columns ? form.columns == size.n : form.rows == size.m));
  CHECK(form.warps % form.share == 0);
  CHECK(32 % form.lanes == 0);
  CHECK(form.splits >= 1);
  CHECK(form.splits <= std::max<std::uint64_t>(1, 4 * units));
  CHECK(form.packed == ((form.by_columns ? size.k : size.n) * element % 16 == 0));
  const ProblemSpec problem =
      matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                      static_cast<std::int64_t>(size.k), type});
  const KernelPlan plan = plan_vectors(problem, form, kernel_folder());
  CHECK(plan.launches.front().local_bytes <= 48 * 1024);
  CHECK(plan.launches.front().block[0] <= 1024);
  CHECK(plan.scratch.back().count == form.blocks);
  if (form.splits == 1) return;
  const std::uint64_t outputs =
      form.by_columns ? form.warps / form.share * form.rows * form.columns : form.rows * strip;
  CHECK(plan.scratch.front().count * 8 >= form.blocks * form.splits * outputs * element);
}

}  // namespace

TEST_CASE("the blocks of a matrix and vectors cover C and hold no more than a block has", "[cuda]") {
  for (const DType type : {DType::f32, DType::f64}) {
    for (const std::uint64_t units : {1, 20, 132, 188}) {
      for (const std::uint64_t few : {1, 2, 3, 4}) {
        for (const std::uint64_t many : {1, 33, 100, 4096, 1'000'003}) {
          for (const std::uint64_t k : {1, 31, 1001, 100'000}) {
            check_form({many, few, k}, type, units);
            check_form({few, many, k}, type, units);
          }
        }
      }
    }
  }
}
