// The forms of matmul/strips: every product gets one that covers it and that the kernel takes.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "strip_forms.hpp"
#include "support/strip_checks.hpp"

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_strips;
using benchctl::cuda::plan_strips;
using benchctl::cuda::ProductSize;
using benchctl::cuda::StripForm;
using benchctl::cuda::strips_pay;

TEST_CASE("a product's strips cover C, and have room on every GPU", "[cuda]") {
  for (const char* architecture : {"sm_80", "sm_90a", "sm_100a", "sm_120"}) {
    const std::uint64_t shared_bytes = shared_bytes_of(architecture);
    for (const std::uint64_t units : {1, 20, 132, 188}) {
      for (const std::uint64_t m : {1, 33, 130, 4096, 1'000'003}) {
        for (const std::uint64_t n : {1, 7, 16, 24, 31, 40, 64, 65, 200, 5000}) {
          for (const std::uint64_t k : {1, 31, 1001, 4096, 100'000}) {
            const ProductSize size{m, n, k};
            const StripForm form = choose_strips(size, {architecture, units, shared_bytes});
            INFO(m << 'x' << n << 'x' << k << ", " << architecture << ", " << units
                   << " units: " << to_text(form));
            check_strip_form(form);
            const KernelPlan plan =
                plan_strips(product_problem(size, DType::f32), size, form, kernel_folder());
            check_strip_plan(plan, size, form, shared_bytes);
            CHECK(plan.launches.front().shared_bytes == plan.launches.front().local_bytes);
          }
        }
      }
    }
  }
}

TEST_CASE("strips are for products of which C is small", "[cuda]") {
  const cuda::ProductDevice device{"sm_90a", 132, shared_bytes_of("sm_90a")};
  for (const ProductSize& size :
       {ProductSize{4096, 32, 4096}, ProductSize{20'000, 24, 512}, ProductSize{32, 32, 100'000},
        ProductSize{4096, 48, 4096}, ProductSize{64, 64, 65'536}, ProductSize{96, 96, 30'000},
        ProductSize{160, 160, 20'000}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK(strips_pay(size, device));
  }
  for (const ProductSize& size :
       {ProductSize{4096, 64, 4096}, ProductSize{256, 256, 16'384}, ProductSize{128, 128, 65'536},
        ProductSize{8, 4096, 4096}, ProductSize{1000, 1000, 1000}, ProductSize{512, 512, 512},
        ProductSize{4096, 4096, 32}, ProductSize{100'000, 64, 32}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK_FALSE(strips_pay(size, device));
  }
}
