// The forms of matmul/skinny for a matrix and up to four vectors: every such product gets one that covers
// it.
#include <benchctl/failure.hpp>

#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "support/vector_checks.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("the blocks of a matrix and vectors cover C and hold no more than a block has", "[cuda]") {
  for_each_vector_product([](const gpu::ProductSize& size, DType type, std::uint64_t units) {
    const std::uint32_t element = type == DType::f64 ? 8 : 4;
    const gpu::VectorForm form = gpu::choose_vectors(size, element, units);
    INFO(size.m << 'x' << size.n << 'x' << size.k << ", " << element << " bytes, " << units
                << " units: " << to_text(form));
    check_vector_form(form, size, element, units);
    const ProblemSpec problem =
        matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                        static_cast<std::int64_t>(size.k), type});
    check_vector_plan(gpu::plan_vectors(problem, form, kernel_folder() / "matmul_vectors.cu"), form,
                      element);
  });
}

TEST_CASE("sums that the kernels of a matrix and vectors cannot count along are refused", "[cuda]") {
  CHECK(gpu::choose_vectors({1, 1, 2'147'481'599}, 4, 132).splits > 1);
  CHECK_THROWS_AS(gpu::choose_vectors({1, 1, 2'147'481'600}, 4, 132), Failure);
}
