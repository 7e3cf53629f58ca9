// Products of few columns or rows, or a small C, under OpenCL: every size has a configuration that covers
// it.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/joined_checks.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t everywhere = 32 * 1024;  // local memory that every group may have

const VariantInfo& variant(const char* name) {
  const VariantInfo* found = matmul_variant(name);
  REQUIRE(found != nullptr);
  return *found;
}

/// NVIDIA's compiler is told for how many registers to plan: as many as the groups leave that are to be
/// there at a time.
void check_registers(const JoinedPlan& plan, std::uint64_t least) {
  const std::uint64_t registers = plan.at("REGISTERS") == 0 ? 255 : plan.at("REGISTERS");
  CHECK(registers * plan.launch().block[0] * plan.at("RESIDENT") <= 65'536);
  CHECK(registers >= least);
}

}  // namespace

TEST_CASE("groups of products of few columns or rows cover C and k") {
  const auto check = [](const char* name, std::initializer_list<std::int64_t> few, bool columns,
                        bool rows) {
    for_each_joined(variant(name), few, columns, rows,
                    [](const JoinedPlan& plan) { plan.check(everywhere); });
  };
  check("skinny_columns", {1, 2, 3, 7, 16, 17, 31, 32}, true, false);
  check("skinny_rows", {1, 2, 3, 7, 15, 16}, false, true);
  for_each_joined(variant("vectors"), {1, 2, 3, 4}, true, true,
                  [](const JoinedPlan& plan) { plan.check(48 * 1024); });
}

TEST_CASE("strips of a product cover C and k, in the local memory that there is") {
  for_each_joined(variant("strips"), {1, 7, 24, 64, 65, 5000}, true, true, [](const JoinedPlan& plan) {
    plan.check(everywhere);
    CHECK_FALSE(plan.launch().defines.contains("REGISTERS"));
  });
  for_each_joined(variant("strips_async"), {1, 7, 24, 64, 65, 5000}, true, true,
                  [](const JoinedPlan& plan) {
                    plan.check(48 * 1024);
                    CHECK(plan.launch().shared_bytes == 0);
                    check_registers(plan, plan.at("THREAD_M") * plan.at("THREAD_N") + 32);
                  });
}

TEST_CASE("lanes of a matrix and vectors have registers for the loads that they have under way") {
  for_each_joined(variant("vectors_shuffle"), {1, 2, 3, 4}, true, true, [](const JoinedPlan& plan) {
    plan.check(everywhere);
    check_registers(plan, 64);
  });
}
