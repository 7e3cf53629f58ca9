#include "plugin_under_test.hpp"
#include "support/catch.hpp"

#include "expr/expression.hpp"
#include "sweep/kernel_plan.hpp"

namespace benchctl::test {

Backend& compiling_backend() {
  Backend& backend = built_backend("cuda");
  try {
    static_cast<void>(backend.compile(small_product(backend), "sm_80", {}));
  } catch (const Failure& failure) {
    if (failure.kind() == FailureKind::unsupported) SKIP(failure.what());
    throw;
  }
  return backend;
}

void pardon_older_compiler(const Failure& failure, const std::string& architecture) {
  if (failure.kind() != FailureKind::unsupported || architecture == "sm_80") throw Failure(failure);
  WARN(failure.what());
}

std::filesystem::path kernel_folder() { return kernels_of("cuda"); }

const Parameters& some_gpu() {
  static const Parameters values{{"compute_units", std::int64_t{132}},
                                 {"warp", std::int64_t{32}},
                                 {"last_level_cache", std::int64_t{52428800}}};
  return values;
}

bool allowed(const VariantInfo& variant, const Parameters& given) {
  const Parameters values = with_derived(*variant.kernel, given);
  const auto hold = [&](const std::vector<std::string>& texts) {
    return std::ranges::all_of(
        texts, [&](const std::string& text) { return parsed_expression(text).holds(values); });
  };
  return hold(variant.require) && std::ranges::all_of(variant.tunables, [&](const TunableInfo& tunable) {
           return hold(tunable.require);
         });
}

KernelPlan small_product(Backend& backend) {
  const ProblemSpec problem = matmul_problem({16, 16, 16});
  Parameters values = problem.parameters;
  values["tile"] = std::int64_t{8};
  return plan_kernel(*variant_of(backend, "matmul", "tiled").kernel, values, problem, kernel_folder());
}

}  // namespace benchctl::test
