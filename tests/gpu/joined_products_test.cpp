// Products of few columns or rows, or a small C: every size has a configuration that covers it.
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"
#include "support/joined_checks.hpp"

#include <cstdlib>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t everywhere = 32 * 1024;  // local memory that every OpenCL group may have
constexpr std::uint64_t on_gpus = 48 * 1024;     // shared memory that every CUDA block may have
constexpr std::initializer_list<std::int64_t> strip_sizes{1, 7, 24, 64, 65, 5000};

const VariantInfo& variant(const std::string& plugin, const char* name) {
  Backend* backend = plugin_backend(plugin);
  if (backend == nullptr) SKIP(plugin << " was not built");
  return variant_of(*backend, "matmul", name);
}

/// NVIDIA's OpenCL compiler is told for how many registers to plan: as many as the groups leave that are to
/// be there at a time.
void check_registers(const JoinedPlan& plan, std::uint64_t least) {
  const std::uint64_t registers = plan.at("REGISTERS") == 0 ? 255 : plan.at("REGISTERS");
  CHECK(registers * plan.launch().block[0] * plan.at("RESIDENT") <= 65'536);
  CHECK(registers >= least);
}

}  // namespace

TEST_CASE("groups of products of few columns or rows cover C and k") {
  const std::string plugin = GENERATE("cuda", "opencl");
  const auto check = [&](const char* name, std::initializer_list<std::int64_t> few, bool columns, bool rows,
                         std::uint64_t most_bytes) {
    for_each_joined(variant(plugin, name), few, columns, rows,
                    [&](const JoinedPlan& plan) { plan.check(most_bytes); });
  };
  const std::uint64_t most = plugin == "cuda" ? on_gpus : everywhere;
  check("skinny_columns", {1, 2, 3, 4, 5, 7, 16, 17, 31, 32}, true, false, most);
  check("skinny_rows", {1, 2, 3, 4, 5, 7, 15, 16}, false, true, most);
  check("vectors", {1, 2, 3, 4}, true, true, on_gpus);
}

TEST_CASE("strips of a product cover C and k, in the local memory that there is") {
  for_each_joined(variant("opencl", "strips"), strip_sizes, true, true, [](const JoinedPlan& plan) {
    plan.check(everywhere);
    CHECK_FALSE(plan.launch().defines.contains("REGISTERS"));
  });
  for_each_joined(variant("opencl", "strips_async"), strip_sizes, true, true, [](const JoinedPlan& plan) {
    plan.check(on_gpus);
    CHECK(plan.launch().shared_bytes == 0);
    check_registers(plan, plan.at("THREAD_M") * plan.at("THREAD_N") + 32);
  });
}

TEST_CASE("strips of CUDA cover C and k, in shared memory that is asked for") {
  for_each_joined(variant("cuda", "strips"), strip_sizes, true, true, [](const JoinedPlan& plan) {
    plan.check(on_gpus);
    CHECK(plan.launch().shared_bytes == plan.launch().local_bytes);
    CHECK(plan.at("THREAD_N") % 2 == 0);
    CHECK(plan.at("GROUP") <= plan.at("SPLITS"));
  });
}

TEST_CASE("lanes of a matrix and vectors have registers for the loads that they have under way") {
  for_each_joined(variant("opencl", "vectors_shuffle"), {1, 2, 3, 4}, true, true,
                  [](const JoinedPlan& plan) {
                    plan.check(everywhere);
                    check_registers(plan, 64);
                  });
}

TEST_CASE("many parts are joined by as many blocks as there are in a group, or about so") {
  const VariantInfo& strips = variant("cuda", "strips");
  for (std::int64_t splits = 1; splits <= 256; ++splits) {
    const ProblemSpec problem = matmul_problem({64, 64, 65536});
    const Parameters values =
        kernel_values(problem.parameters, "", tunables_of(strips, {{"split_k", splits}}),
                      {{"compute_units", std::int64_t{132}}, {"warp", std::int64_t{32}}});
    const KernelPlan plan = plan_kernel(*strips.kernel, values, problem, "kernels");
    const std::int64_t group = std::stoll(plan.launches.front().defines.at("GROUP"));
    const std::int64_t groups = (splits + group - 1) / group;
    INFO(splits << " parts in groups of " << group);
    CHECK(plan.scratch.at(1).count ==
          plan.launches.front().grid[0] * static_cast<std::uint64_t>(groups + 1));
    if (splits <= 8) CHECK(groups == 1);
    if (splits > 8) CHECK(std::abs(group - groups) <= 2);
  }
}
