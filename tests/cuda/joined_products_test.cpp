// Products of few columns or rows, or a small C: every size has a configuration that covers it.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "support/joined_checks.hpp"

#include <algorithm>
#include <cstdlib>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t everywhere = 48 * 1024;  // shared memory that every block may have

void check(const char* name, std::initializer_list<std::int64_t> few, bool columns, bool rows,
           std::uint64_t most_local_bytes) {
  for_each_joined(matmul_variant(cuda_backend(), name), few, columns, rows,
                  [&](const JoinedPlan& plan) { plan.check(most_local_bytes); });
}

}  // namespace

TEST_CASE("blocks of products of few columns or rows cover C and k", "[cuda]") {
  check("skinny_columns", {1, 4, 5, 7, 16, 17, 31, 32}, true, false, everywhere);
  check("skinny_rows", {1, 4, 5, 7, 15, 16}, false, true, everywhere);
  check("vectors", {1, 2, 3, 4}, true, true, everywhere);
}

TEST_CASE("strips cover C and k, in shared memory that is asked for", "[cuda]") {
  for_each_joined(matmul_variant(cuda_backend(), "strips"), {1, 7, 24, 64, 65, 5000}, true, true,
                  [](const JoinedPlan& plan) {
                    plan.check(everywhere);
                    CHECK(plan.launch().shared_bytes == plan.launch().local_bytes);
                    CHECK(plan.at("THREAD_N") % 2 == 0);
                    CHECK(plan.at("GROUP") <= plan.at("SPLITS"));
                  });
}

TEST_CASE("many parts are joined by as many blocks as there are in a group, or about so", "[cuda]") {
  const VariantInfo& strips = matmul_variant(cuda_backend(), "strips");
  for (std::int64_t splits = 1; splits <= 256; ++splits) {
    const KernelPlan plan =
        plan_for(strips, matmul_problem({64, 64, 65536}),
                 tunables_of(strips, {{"split_k", splits}, {"compute_units", std::int64_t{132}}}));
    const std::int64_t group = std::stoll(plan.launches.front().defines.at("GROUP"));
    const std::int64_t groups = (splits + group - 1) / group;
    INFO(splits << " parts in groups of " << group);
    CHECK(plan.scratch.at(1).count ==
          plan.launches.front().grid[0] * static_cast<std::uint64_t>(groups + 1));
    if (splits <= 8) CHECK(groups == 1);
    if (splits > 8) CHECK(std::abs(group - groups) <= 2);
  }
}

TEST_CASE("sums that the kernel of a matrix and vectors cannot count along are refused", "[cuda]") {
  const VariantInfo& vectors = matmul_variant(cuda_backend(), "vectors");
  const auto takes = [&](std::int64_t k) {
    Parameters values{{"m", std::int64_t{1}},
                      {"n", std::int64_t{1}},
                      {"k", k},
                      {"dtype", std::string("f32")},
                      {"compute_units", std::int64_t{132}}};
    for (const auto& [name, value] : tunables_of(vectors)) values[name] = value;
    values = with_derived(*vectors.kernel, values);
    return std::ranges::all_of(
        vectors.require, [&](const std::string& text) { return parsed_expression(text).holds(values); });
  };
  CHECK(takes(2'147'481'599));
  CHECK_FALSE(takes(2'147'481'600));
}
