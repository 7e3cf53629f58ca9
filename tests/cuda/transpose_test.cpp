// Every configuration that `swizzled` chooses compiles without spills, and with the shared memory that was
// counted for it.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "support/transpose_problem.hpp"
#include "sweep/kernel_plan.hpp"

#include <algorithm>

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Size {
  std::int64_t rows;
  std::int64_t columns;
  int element;  ///< bytes
};

}  // namespace

TEST_CASE("every configuration of a transpose compiles without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  const auto variants = backend.variants();
  const auto swizzled = std::find_if(variants.begin(), variants.end(), [](const VariantInfo& each) {
    return each.workload == "transpose" && each.name == "swizzled";
  });
  REQUIRE(swizzled != variants.end());
  for (const Size& size :
       {Size{500, 500, 4}, {500, 500, 8},    {501, 501, 4},    {501, 501, 8},    {1023, 1025, 4},
        {1023, 1025, 8},   {2048, 2048, 4},  {2048, 2048, 8},  {4099, 4093, 4},  {4099, 4093, 8},
        {4096, 4098, 4},   {1000003, 17, 4}, {1000003, 16, 4}, {1000003, 11, 4}, {1000000, 34, 4},
        {1000000, 17, 8},  {40001, 15, 4},   {301, 97, 4},     {301, 97, 8},     {100003, 5, 8},
        {24, 700001, 8},   {17, 1000003, 4}, {36, 1000000, 4}, {18, 1000003, 8}, {16, 1000000, 8},
        {1, 1, 4},         {200001, 300, 4}, {61, 300001, 4},  {40003, 3001, 4}, {40003, 3001, 8},
        {40000, 3000, 4},  {40000, 3000, 8}, {40, 10000001, 4}}) {
    CAPTURE(size.rows, size.columns, size.element);
    const ProblemSpec problem =
        transpose_problem(size.rows, size.columns, size.element == 8 ? DType::f64 : DType::f32);
    const KernelPlan plan = plan_kernel(
        swizzled->kernel.value(), transpose_values(*swizzled, problem, {}, 132), problem, kernel_folder());
    for (const std::string& architecture : swizzled->architectures) {
      const CompileResult result = backend.compile(plan, architecture, {});
      CHECK(result.resources.at("spill_bytes") == 0);
      CHECK(result.resources.at("static_shared_bytes") ==
            static_cast<double>(plan.launches.at(0).local_bytes));
    }
  }
}
