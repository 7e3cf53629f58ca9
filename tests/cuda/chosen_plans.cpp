#include "chosen_plans.hpp"

#include "config/tuning_file.hpp"
#include "model/point.hpp"
#include "plugin_under_test.hpp"
#include "support/paths.hpp"
#include "sweep/configurations.hpp"
#include "sweep/kernel_plan.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace benchctl::test {

namespace {

constexpr std::array<MatmulSize, 11> tiled_sizes{{{555, 555, 555},
                                                  {900, 900, 900},
                                                  {1, 1, 1},
                                                  {17, 33, 100000},
                                                  {4096, 1, 4096},
                                                  {1, 4096, 4096},
                                                  {1000, 1000, 1000},
                                                  {4001, 3999, 4003},
                                                  {100000, 70, 9},
                                                  {591, 3043, 499},
                                                  {901, 1102, 3001}}};

constexpr std::array<MatmulSize, 21> skinny_sizes{
    {{1001, 7, 1001}, {4096, 16, 4096}, {32, 32, 100000}, {16, 4096, 1024}, {5, 869, 5494},
     {9, 3601, 2006}, {10, 1287, 3989}, {12, 4096, 1921}, {14, 999, 3001},  {4096, 1, 1024},
     {4096, 1, 4096}, {4096, 1, 1001},  {1000, 2, 20000}, {4001, 3, 2001},  {100, 4, 100000},
     {1, 4096, 1024}, {1, 50000, 1000}, {2, 2000, 8000},  {3, 2001, 4001},  {4, 4096, 4096},
     {4, 1001, 1001}}};

constexpr std::array<MatmulSize, 12> strip_sizes{{{4096, 32, 4096},
                                                  {4096, 16, 4096},
                                                  {20000, 24, 512},
                                                  {3000, 28, 1777},
                                                  {3001, 27, 1777},
                                                  {5000, 40, 2000},
                                                  {4096, 64, 4096},
                                                  {64, 64, 65536},
                                                  {128, 128, 65537},
                                                  {2500, 50, 1501},
                                                  {3001, 63, 1777},
                                                  {781, 465, 127}}};

std::span<const MatmulSize> sizes_for(const std::string& name) {
  if (name == "register_tiled") return tiled_sizes;
  if (name == "strips") return strip_sizes;
  if (name == "skinny_columns" || name == "skinny_rows" || name == "vectors") return skinny_sizes;
  return {};
}

}  // namespace

std::vector<ClaimedPlan> chosen_plans(const VariantInfo& variant) {
  std::vector<ClaimedPlan> plans;
  if (variant.workload != "matmul") return plans;
  for (const DType type : variant.dtypes) {
    for (MatmulSize size : sizes_for(variant.name)) {
      size.dtype = type;
      const ProblemSpec problem = matmul_problem(size);
      const Parameters values = kernel_values(problem.parameters, "", tunables_of(variant), some_gpu());
      if (!allowed(variant, values)) continue;
      plans.push_back({to_text(values), plan_kernel(*variant.kernel, values, problem, kernel_folder())});
    }
  }
  return plans;
}

std::vector<TunedPlan> tuned_plans(Backend& backend, const std::string& architecture) {
  const std::filesystem::path file =
      plugin_directory() / "../../../share/benchctl/tunings/cuda" / architecture / "matmul.toml";
  std::vector<TunedPlan> plans;
  if (!std::filesystem::exists(file)) return plans;
  const std::span<const VariantInfo> variants = backend.variants();
  for (const TunedClass& tuned : parse_tuning(file_bytes(file), file.string()).classes) {
    for (const Configuration& one : tuned.configurations) {
      const std::string text = to_text(tuned.problem) + ": " + to_text(one);
      const auto variant = std::ranges::find_if(variants, [&](const VariantInfo& each) {
        return each.workload == "matmul" && each.name == one.variant;
      });
      Parameters tunables = variant == variants.end() ? Parameters{} : tunables_of(*variant);
      const std::size_t known = tunables.size();
      for (const auto& [name, value] : one.tunables) tunables[name] = value;
      if (variant == variants.end() || tunables.size() != known) {
        plans.push_back({nullptr, text, {}});
        continue;
      }
      plans.push_back({&*variant, text, kernel_values(tuned.problem, "", tunables, some_gpu())});
    }
  }
  return plans;
}

}  // namespace benchctl::test
