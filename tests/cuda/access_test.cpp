// What the access patterns of the variant table say, counted by hand: that they describe the kernels, and
// the degrees of conflict that the kernels' comments promise.
#include "plugin_under_test.hpp"
#include "predict/pattern.hpp"
#include "support/catch.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <numeric>

using namespace benchctl;
using namespace benchctl::test;

namespace {

Parameters values_of(const VariantInfo& variant, const Parameters& problem, const Parameters& tunables) {
  const std::string layout = variant.layouts.empty() ? "" : variant.layouts.front();
  return kernel_values(complete_parameters(*Workloads::built_in().find(variant.workload), problem), layout,
                       tunables_of(variant, tunables), some_gpu());
}

/// Cycles of the banks for a shared access of the first warp, or sectors of a global one.
std::size_t cost_of(const std::string& workload, const std::string& name, AccessSpace space,
                    AccessKind kind, const Parameters& problem, const Parameters& tunables = {}) {
  const VariantInfo& variant = variant_of(cuda_backend(), workload, name);
  for (const predict::Pattern& pattern :
       predict::sampled_patterns(variant, values_of(variant, problem, tunables))) {
    if (pattern.spec->space != space || pattern.spec->kind != kind) continue;
    std::vector<predict::Access> warp(pattern.sample.begin(), pattern.sample.begin() + 32);
    std::erase_if(warp, [](const predict::Access& access) { return access.bytes == 0; });
    return space == AccessSpace::shared ? predict::bank_cycles(warp, 32, 4).cycles
                                        : predict::pieces(warp, 32);
  }
  FAIL(workload << "/" << name << " has no such access");
  return 0;
}

const Parameters f64{{"dtype", std::string("f64")}};

}  // namespace

TEST_CASE("every access pattern can be evaluated", "[cuda]") {
  for (const VariantInfo& variant : variants_of(cuda_backend())) {
    if (!variant.kernel) continue;
    INFO(variant.workload << "/" << variant.name);
    std::uint64_t times = 0;
    for (const predict::Pattern& pattern : predict::sampled_patterns(variant, values_of(variant, {}, {})))
      times += pattern.times;
    CHECK((variant.access.empty() || times > 0));
  }
}

TEST_CASE("a transpose strides on one side, and a padding column takes the conflicts away", "[cuda]") {
  const auto read = AccessKind::read;
  const auto write = AccessKind::write;
  CHECK(cost_of("transpose", "naive", AccessSpace::global, read, {}) == 4);
  CHECK(cost_of("transpose", "naive", AccessSpace::global, write, {}) == 32);
  for (const char* name : {"shared", "shared_padded"}) {
    CHECK(cost_of("transpose", name, AccessSpace::global, read, {}) == 4);
    CHECK(cost_of("transpose", name, AccessSpace::global, write, {}) == 4);
    CHECK(cost_of("transpose", name, AccessSpace::shared, write, {}) == 1);
  }
  CHECK(cost_of("transpose", "shared", AccessSpace::shared, read, {}) == 32);
  CHECK(cost_of("transpose", "shared_padded", AccessSpace::shared, read, {}) == 1);
  // Two half warps.
  CHECK(cost_of("transpose", "shared", AccessSpace::shared, read, f64) == 2 * 16);
  CHECK(cost_of("transpose", "shared_padded", AccessSpace::shared, read, f64) == 2);
  CHECK(cost_of("transpose", "vectorized", AccessSpace::global, write, {}) == 16);
  CHECK(cost_of("transpose", "vectorized", AccessSpace::shared, write, {}) == 2);
  CHECK(cost_of("transpose", "vectorized", AccessSpace::shared, read, {}) == 2);
}

TEST_CASE("the published index order meets eight words in a bank", "[cuda]") {
  for (const auto kind : {AccessKind::read, AccessKind::write}) {
    CHECK(cost_of("bank_conflicts", "column_major", AccessSpace::shared, kind, {}) == 1);
    CHECK(cost_of("bank_conflicts", "row_major_as_published", AccessSpace::shared, kind, {}) == 8);
    CHECK(cost_of("bank_conflicts", "row_major_shared_only", AccessSpace::shared, kind, {}) == 8);
    CHECK(cost_of("bank_conflicts", "column_major", AccessSpace::global, kind, {}) == 4);
    CHECK(cost_of("bank_conflicts", "row_major_as_published", AccessSpace::global, kind, {}) == 16);
    CHECK(cost_of("bank_conflicts", "row_major_shared_only", AccessSpace::global, kind, {}) == 4);
  }
}

TEST_CASE("a stride conflicts by its common divisor with the banks that a word leaves", "[cuda]") {
  for (std::int64_t stride = 1; stride <= 32; ++stride) {
    for (const std::int64_t padding : {0, 1}) {
      for (const std::int64_t word : {4, 8, 16}) {
        INFO("stride " << stride << " padding " << padding << " word " << word);
        const auto conflict = static_cast<std::size_t>(std::gcd(stride + padding, 128 / word));
        CHECK(cost_of("shared_stride", "rows", AccessSpace::shared, AccessKind::read, {},
                      {{"stride", stride}, {"padding", padding}, {"word", word}}) ==
              static_cast<std::size_t>(word / 4) * conflict);
      }
    }
  }
}
