// The launch of matmul/skinny for a matrix and up to four vectors under OpenCL, with shuffles between
// registers and without.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/vector_checks.hpp"
#include "vector_forms.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("the groups of a matrix and vectors cover C, in the local memory that every device has") {
  for_each_vector_product([](const gpu::ProductSize& size, DType type, std::uint64_t units) {
    const std::uint32_t element = type == DType::f64 ? 8 : 4;
    const gpu::VectorForm form = gpu::choose_vectors(size, element, units);
    INFO(size.m << 'x' << size.n << 'x' << size.k << ", " << element << " bytes, " << units
                << " units: " << to_text(form));
    check_vector_form(form, size, element, units);
    const ProblemSpec problem =
        matmul_spec({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                     static_cast<std::int64_t>(size.k)},
                    type);
    for (const bool shuffles : {false, true}) {
      const KernelPlan plan = opencl::plan_vectors(problem, form, shuffles, opencl_kernels());
      check_vector_plan(plan, form, element);
      const auto& defines = plan.launches.front().defines;
      CHECK(defines.contains("REGISTERS") == shuffles);
      if (!shuffles) continue;
      const std::uint64_t registers = std::stoull(defines.at("REGISTERS"));
      CHECK(registers * plan.launches.front().block[0] * form.resident <= 65'536);
      CHECK(registers >= 64);
    }
  });
}
