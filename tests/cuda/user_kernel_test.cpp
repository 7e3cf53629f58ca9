// Kernels for CUDA of the examples compile through NVRTC, without a GPU, for what they claim.
#include "config/config.hpp"
#include "model/point.hpp"
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/stored_config.hpp"
#include "workloads/workload.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Defaults, and of each axis of the config's first sweep the least or the greatest value.
Parameters tunables_at(const KernelEntry& kernel, const Sweep& sweep, bool greatest) {
  Parameters tunables = tunables_of(kernel.variant);
  for (const Axis& axis : sweep.axes) {
    if (tunables.contains(axis.name))
      tunables[axis.name] = greatest ? axis.values.back() : axis.values.front();
  }
  return tunables;
}

}  // namespace

TEST_CASE("kernels of the examples compile for CUDA, usual ones without spills", "[cuda]") {
  const auto [file, expected] = GENERATE(table<std::filesystem::path, std::size_t>(
      {{example_directory() / "user_kernels/matmul_cuda.toml", 1},
       {example_directory() / "kernels/softmax.toml", 2},
       {example_directory() / "user_kernels/lessons.toml", 2},
       {example_directory() / "ladder/ladder.toml", 3},
       {example_directory() / "divergence/divergence.toml", 3},
       {tree_root() / "libexec/benchctl/tests/cuda_data/strangers.toml", 6}}));
  Backend& backend = compiling_backend();
  const Config config = load_config(file);
  const TemporaryDirectory texts;
  const std::filesystem::path placed = place_files(files_of(config), texts.path());
  std::size_t compiled = 0;
  for (const KernelEntry& kernel : config.kernels) {
    if (kernel.backend != "cuda") continue;
    ++compiled;
    const VariantInfo& variant = kernel.variant;
    const Workload& workload = *config.workloads.find(variant.workload);
    const Parameters problem = complete_parameters(workload, {{"n", std::int64_t{2048}}});
    const std::string layout = variant.layouts.empty() ? "" : variant.layouts.front();
    for (const bool greatest : {false, true}) {
      const Parameters values =
          kernel_values(problem, layout, tunables_at(kernel, config.sweeps.front(), greatest), some_gpu());
      const KernelPlan plan = plan_kernel(*variant.kernel, values, workload.problem(problem, layout),
                                          kernel.has_text ? placed : kernel.folder);
      for (const std::string& architecture :
           variant.architectures.empty() ? std::vector<std::string>{"sm_80"} : variant.architectures) {
        INFO(variant.name << ' ' << architecture << ' ' << to_text(values));
        try {
          const Resources resources = backend.compile(plan, architecture, {}).resources;
          CHECK(resources.at("registers") > 0);
          CHECK((greatest || resources.at("spill_bytes") == 0));  // the largest tiles are there to be worse
        } catch (const Failure& failure) {
          pardon_older_compiler(failure, architecture);
        }
      }
    }
  }
  CHECK(compiled >= expected);
}
