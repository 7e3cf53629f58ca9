// The forms of matmul/strips under OpenCL: every product gets one that covers it and that the kernel takes.
#include "fixture.hpp"

#include <benchctl/failure.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "strip_forms.hpp"
#include "support/strip_checks.hpp"

using namespace benchctl;
using namespace benchctl::test;
using benchctl::opencl::choose_strips;
using benchctl::opencl::plan_strips;
using benchctl::opencl::ProductDevice;
using benchctl::opencl::ProductSize;
using benchctl::opencl::StripForm;
using benchctl::opencl::strips_pay;

namespace {

KernelPlan plan_of(const ProductSize& size, const StripForm& form, bool cp_async) {
  const ProblemSpec problem =
      matmul_spec({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                   static_cast<std::int64_t>(size.k)},
                  DType::f32);
  return plan_strips(problem, size, form, cp_async, opencl_kernels());
}

}  // namespace

TEST_CASE("a product's strips under OpenCL cover C, in the local memory that there is") {
  const std::uint64_t local_bytes = GENERATE(32, 48, 99, 227) * std::uint64_t{1024};
  const bool cp_async = local_bytes > 32 * 1024;
  for (const std::uint64_t units : {1, 20, 132, 188}) {
    for (const std::uint64_t m : {1, 33, 130, 4096, 1'000'003}) {
      for (const std::uint64_t n : {1, 7, 16, 24, 31, 40, 64, 65, 200, 5000}) {
        for (const std::uint64_t k : {1, 31, 1001, 4096, 100'000}) {
          const ProductSize size{m, n, k};
          const StripForm form = choose_strips(size, ProductDevice{cp_async, units, local_bytes});
          INFO(m << 'x' << n << 'x' << k << ", " << local_bytes << " bytes, " << units
                 << " units: " << to_text(form));
          check_strip_form(form);
          const KernelPlan plan = plan_of(size, form, cp_async);
          check_strip_plan(plan, size, form, local_bytes);
          CHECK(plan.launches.front().shared_bytes == 0);
          CHECK((plan.launches.front().defines.at("ONE_STRIP") == "1") == (n <= form.tile_n()));
        }
      }
    }
  }
  CHECK_THROWS_AS(choose_strips({100, 20, 100}, ProductDevice{true, 132, 8192}), Failure);
}

// NVIDIA's compiler heeds a limit of registers in groups of up to 256 items alone.
TEST_CASE("strips by cp.async plan for as many registers as their groups leave") {
  for (const std::uint64_t n : {5, 16, 32, 64, 128}) {
    for (const std::uint64_t k : {1000, 4096, 65'536}) {
      const StripForm form = choose_strips({4096, n, k}, ProductDevice{true, 132, 232'432});
      const PlannedLaunch launch = plan_of({4096, n, k}, form, true).launches.front();
      const auto limit = launch.defines.find("REGISTERS");
      const std::uint64_t registers = limit == launch.defines.end() ? 255 : std::stoull(limit->second);
      INFO(to_text(form));
      CHECK(launch.block[0] <= 256);
      CHECK(registers * launch.block[0] * form.resident <= 65'536);
      CHECK(registers >= form.thread_m * form.thread_n + 32);
    }
  }
}

TEST_CASE("strips are for products of which C is small, on devices with cp.async") {
  const ProductDevice device{true, 132, 232'432};
  for (const ProductSize& size :
       {ProductSize{4096, 32, 4096}, ProductSize{20'000, 24, 512}, ProductSize{32, 32, 100'000},
        ProductSize{4096, 48, 4096}, ProductSize{64, 64, 65'536}, ProductSize{96, 96, 30'000},
        ProductSize{129, 128, 232}, ProductSize{600, 80, 3000}, ProductSize{2852, 65, 2068},
        ProductSize{12, 289, 1704}, ProductSize{16, 700, 900}, ProductSize{28, 900, 1501}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK(strips_pay(size, device));
    CHECK_FALSE(strips_pay(size, {false, 132, 232'432}));
  }
  for (const ProductSize& size :
       {ProductSize{8, 4096, 4096}, ProductSize{1000, 1000, 1000}, ProductSize{512, 512, 512},
        ProductSize{4096, 4096, 32}, ProductSize{100'000, 64, 32}, ProductSize{128, 128, 65'536},
        ProductSize{129, 259, 16'001}, ProductSize{500, 130, 250}, ProductSize{10, 1287, 3989},
        ProductSize{11, 4000, 1000}, ProductSize{21, 4636, 5713}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK_FALSE(strips_pay(size, device));
  }
}
