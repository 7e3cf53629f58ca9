// The forms of matmul/strips: every product gets one that covers it and that the kernel takes.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "strip_forms.hpp"

#include <cstdlib>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_strips;
using benchctl::cuda::plan_strips;
using benchctl::cuda::ProductSize;
using benchctl::cuda::StripForm;
using benchctl::cuda::strips_pay;

namespace {

ProblemSpec problem_of(const ProductSize& size) {
  return matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                         static_cast<std::int64_t>(size.k), DType::f32});
}

/// What the kernel asserts, and what it takes for granted.
void check_form(const StripForm& form) {
  CHECK(form.thread_n % 2 == 0);
  CHECK(form.depth % (4 * form.warps_k) == 0);
  CHECK(form.depth % 8 == 0);
  CHECK(form.stages >= 3);
  const std::uint64_t across = form.depth / 4;
  REQUIRE(form.threads() % across == 0);
  const std::uint64_t rows_at_once = form.threads() / across;
  CHECK(rows_at_once % 4 == 0);
  CHECK(form.tile_m() % rows_at_once == 0);
  CHECK(form.resident >= 1);
  CHECK(form.splits >= 1);
  CHECK(form.group >= 1);
  CHECK(form.group <= form.splits);
}

void check_plan(const ProductSize& size, const StripForm& form, std::uint64_t shared_bytes) {
  const KernelPlan plan = plan_strips(problem_of(size), size, form, kernel_folder());
  REQUIRE(plan.launches.size() == 1);
  const PlannedLaunch& launch = plan.launches.front();
  const std::uint64_t tiles_m = (size.m + form.tile_m() - 1) / form.tile_m();
  const std::uint64_t tiles_n = (size.n + form.tile_n() - 1) / form.tile_n();
  CHECK(launch.grid[0] == tiles_m * tiles_n);
  CHECK(launch.grid[1] == form.splits);
  CHECK(launch.block[0] == form.threads());
  CHECK(launch.shared_bytes <= shared_bytes);
  REQUIRE(plan.scratch.size() == 2);
  if (form.splits > 1) {
    CHECK(plan.scratch[0].count * 2 >= launch.grid[0] * form.splits * form.tile_m() * form.tile_n());
  }
  CHECK(plan.scratch[1].count == launch.grid[0] * ((form.splits + form.group - 1) / form.group + 1));
}

}  // namespace

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
            check_form(form);
            CHECK(form.splits <= std::max<std::uint64_t>(1, k / form.depth + 1));
            check_plan(size, form, shared_bytes);
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
        ProductSize{4096, 48, 4096}, ProductSize{64, 64, 65'536}, ProductSize{128, 128, 65'536},
        ProductSize{160, 160, 20'000}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK(strips_pay(size, device));
  }
  for (const ProductSize& size :
       {ProductSize{4096, 64, 4096}, ProductSize{256, 256, 16'384}, ProductSize{8, 4096, 4096},
        ProductSize{1000, 1000, 1000}, ProductSize{512, 512, 512}, ProductSize{4096, 4096, 32},
        ProductSize{100'000, 64, 32}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK_FALSE(strips_pay(size, device));
  }
}
