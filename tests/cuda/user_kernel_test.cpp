// The example of a kernel that a config brings compiles through NVRTC, without a GPU, for what it claims.
#include "config/config.hpp"
#include "plugin_under_test.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/own_kernels.hpp"
#include "sweep/search.hpp"
#include "sweep/strategy.hpp"
#include "workloads/workload.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>

using namespace benchctl;
using namespace benchctl::test;

namespace {

Config example() { return load_config(user_kernel_directory() / "matmul_cuda.toml"); }

/// All combinations that the config's conditions let through.
std::vector<Parameters> swept(const Config& config) {
  const Sweep& sweep = config.sweeps.front();
  const Workload& matmul = *find_workload("matmul");
  std::vector<Parameters> all{complete_parameters(matmul, {})};
  for (const Axis& axis : sweep.axes) {
    std::vector<Parameters> next;
    for (const Parameters& values : all) {
      for (const Value& value : axis.values) {
        next.push_back(values);
        next.back()[axis.name] = value;
      }
    }
    all = std::move(next);
  }
  std::erase_if(all, [&](const Parameters& values) {
    return !std::ranges::all_of(
        sweep.where, [&](const Condition& condition) { return condition.expression.holds(values); });
  });
  return all;
}

}  // namespace

TEST_CASE("the example of a kernel for CUDA sweeps at least 200 points", "[cuda]") {
  const Config config = example();
  CHECK(swept(config).size() >= 200);
  REQUIRE(config.kernels.size() == 1);
  CHECK(config.kernels.front().open_tunables.empty());
}

TEST_CASE("the example of a kernel for CUDA compiles for every architecture that it claims", "[cuda]") {
  const std::string architecture = GENERATE(as<std::string>{}, "sm_80", "sm_90a", "sm_100a", "sm_120");
  Backend& backend = compiling_backend();
  const Config config = example();
  const KernelEntry& kernel = config.kernels.front();
  const auto& claimed = kernel.variant.architectures;
  CHECK(std::ranges::find(claimed, architecture) != claimed.end());
  const std::vector<Parameters> all = swept(config);
  // A few of them: compiling takes its time.
  for (std::size_t i = 0; i < all.size(); i += 45) {
    Parameters values = all[i];
    const Parameters device{{"compute_units", std::int64_t{132}},
                            {"warp", std::int64_t{32}},
                            {"last_level_cache", std::int64_t{52428800}}};
    values.insert(device.begin(), device.end());
    INFO(architecture << ' ' << to_text(values));
    const ProblemSpec problem = matmul_problem({2048, 2048, 2048});
    const KernelPlan plan = plan_kernel(*kernel.variant.kernel, values, problem, kernel.folder);
    CHECK(plan.launches.at(0).arguments.size() == 6);
    try {
      CHECK(backend.compile(plan, architecture, {}).resources.at("registers") > 0);
    } catch (const Failure& failure) {
      // An NVRTC older than the architecture; sm_80 is known to all.
      if (failure.kind() != FailureKind::unsupported || architecture == "sm_80") throw;
      WARN(failure.what());
      return;
    }
  }
}

TEST_CASE("the kernels of the lessons compile for CUDA", "[cuda]") {
  Backend& backend = compiling_backend();
  const Config config = load_config(user_kernel_directory() / "lessons.toml");
  std::size_t compiled = 0;
  for (const KernelEntry& kernel : config.kernels) {
    if (kernel.backend != "cuda") continue;
    const Workload& workload = *find_workload(kernel.variant.workload);
    const bool minimum = kernel.variant.workload == "reduce";
    Parameters values =
        complete_parameters(workload, {{"n", std::int64_t{16}},
                                       minimum ? std::pair{"op", Value(std::string("min"))}
                                               : std::pair{"values", Value(std::string("uniform"))}});
    const ProblemSpec problem = workload.problem(values, minimum ? "" : "aos12");
    values["BLOCK"] = std::int64_t{16};
    const KernelPlan plan = plan_kernel(*kernel.variant.kernel, values, problem, kernel.folder);
    CHECK(backend.compile(plan, "sm_80", {}).resources.at("registers") > 0);
    ++compiled;
  }
  CHECK(compiled == 2);
}

TEST_CASE("the steps of the ladder, and kernels with branches, compile for CUDA without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  const char* name = GENERATE("ladder", "divergence");
  const Config config = load_config(example_directory() / name / (std::string(name) + ".toml"));
  std::size_t compiled = 0;
  for (const KernelEntry& kernel : config.kernels) {
    if (kernel.backend != "cuda") continue;
    INFO(kernel.variant.name);
    const Parameters given{{"n", std::int64_t{4096}}};
    const Workload& workload = *find_workload(kernel.variant.workload);
    const Parameters values = complete_parameters(workload, given);
    const KernelPlan plan =
        plan_kernel(*kernel.variant.kernel, values, workload.problem(values, ""), kernel.folder);
    const Resources resources = backend.compile(plan, "sm_80", {}).resources;
    CHECK(resources.at("registers") > 0);
    CHECK(resources.at("spill_bytes") == 0);
    ++compiled;
  }
  CHECK(compiled >= 3);
}

TEST_CASE("an error in a user's kernel for CUDA names file and line", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  static_cast<void>(folder.write(
      "broken.cu",
      "// a comment\nextern \"C\" __global__ void go(float* c) {\n  c[0] = no_such_name;\n}\n"));
  const Config config = parse_config(
      "[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'matmul'\n[[kernel]]\nname = 'broken'\nworkload = "
      "'matmul'\n"
      "backend = 'cuda'\nsource = 'broken.cu'\nentry = 'go'\nblock = 1\ngrid = 1\n",
      "x.toml", {folder.path(), false});
  const KernelPlan plan = plan_kernel(*config.kernels.front().variant.kernel, {}, matmul_problem({4, 4, 4}),
                                      config.kernels.front().folder);
  const Failure failure = failure_of([&] { static_cast<void>(backend.compile(plan, "sm_80", {})); });
  CHECK(failure.kind() == FailureKind::compile_error);
  const std::string text = failure.what();
  CHECK(text.find("broken.cu(3)") != std::string::npos);
  CHECK(text.find("no_such_name") != std::string::npos);
}
