// The forms of matmul/skinny: every product of few rows or columns gets one that covers it.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "skinny_forms.hpp"

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_skinny;
using benchctl::cuda::plan_skinny;
using benchctl::cuda::ProductSize;
using benchctl::cuda::SkinnyForm;

namespace {

ProblemSpec problem_of(const ProductSize& size, DType type) {
  return matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                         static_cast<std::int64_t>(size.k), type});
}

}  // namespace

TEST_CASE("a skinny product's blocks cover C and hold no more than a block has", "[cuda]") {
  for (const DType type : {DType::f32, DType::f64}) {
    const std::uint32_t element = type == DType::f64 ? 8 : 4;
    for (const std::uint64_t units : {1, 20, 132, 188}) {
      for (const std::uint64_t few : {5, 7, 16, 17, 31, 32}) {
        for (const std::uint64_t many : {1, 33, 100, 4096, 1'000'003}) {
          for (const std::uint64_t k : {1, 31, 1001, 100'000}) {
            for (const ProductSize& size : {ProductSize{many, few, k}, ProductSize{few, many, k}}) {
              if (size.n > cuda::most_skinny_columns && size.m > cuda::most_skinny_rows) continue;
              const SkinnyForm form = choose_skinny(size, element, units);
              INFO(size.m << 'x' << size.n << 'x' << size.k << ", " << element << " bytes, " << units
                          << " units: " << to_text(form));
              const std::uint64_t rows = form.by_columns ? form.blocks * form.warps * form.rows : form.rows;
              const std::uint64_t columns =
                  form.by_columns ? form.columns : form.blocks * form.lanes * 16 / element;
              CHECK(rows >= size.m);
              CHECK(columns >= size.n);
              CHECK(form.splits >= 1);
              CHECK(form.splits <=
                    (form.by_columns ? units : std::max<std::uint64_t>(1, 2 * units / form.blocks)));
              CHECK(form.rows * form.columns * element <= 512);
              if (!form.by_columns) {
                const std::uint64_t under_way = std::uint64_t{form.ahead} * 256 / form.lanes;
                CHECK(form.chunk > 0);
                CHECK(form.chunk % under_way == 0);
              }
              CHECK(form.packed == ((form.by_columns ? size.k : size.n) * element % 16 == 0));
              const KernelPlan plan = plan_skinny(problem_of(size, type), form, kernel_folder());
              CHECK(plan.launches.front().local_bytes <= 48 * 1024);
              CHECK(plan.scratch.back().count == form.blocks);
            }
          }
        }
      }
    }
  }
}
