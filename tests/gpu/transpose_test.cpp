// transpose/swizzled: tiles that cover any matrix, within the limits of a grid. What it chooses for which
// matrix: tests/cuda/plans.txt.
#include "expr/expression.hpp"
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Of a device with so many compute units; the definitions are numbers.
struct Configuration {
  PlannedLaunch launch;

  Configuration(std::int64_t rows, std::int64_t columns, int element, std::int64_t compute_units) {
    const VariantInfo& variant = variant_of(built_backend("opencl"), "transpose", "swizzled");
    const Parameters shape{
        {"rows", rows}, {"columns", columns}, {"dtype", std::string(element == 8 ? "f64" : "f32")}};
    const Workload& workload = *Workloads::built_in().find("transpose");
    const ProblemSpec problem = workload.problem(complete_parameters(workload, shape), "");
    Parameters values =
        kernel_values(problem.parameters, "", tunables_of(variant), {{"compute_units", compute_units}});
    launch = plan_kernel(variant.kernel.value(), values, problem, "kernels").launches.at(0);
    values = with_derived(*variant.kernel, values);
    for (const std::string& text : variant.require) CHECK(parsed_expression(text).holds(values));
  }
  [[nodiscard]] std::uint64_t number(const char* macro) const {
    return std::stoull(launch.defines.at(macro));
  }
  [[nodiscard]] bool is(const char* macro) const { return number(macro) == 1; }
};

}  // namespace

TEST_CASE("tiles of a transpose cover the matrix within the limits of a grid") {
  for (const int element : {4, 8}) {
    for (const std::int64_t units : {1, 132, 1000}) {
      for (const std::uint64_t rows : {1, 4, 18, 31, 37, 64, 1003, 100000, 2000003}) {
        for (const std::uint64_t columns : {1, 4, 9, 17, 33, 1000, 4099, 3000000, 50000001}) {
          if (rows * columns * element > std::uint64_t{1} << 36U) continue;  // no device holds them
          CAPTURE(rows, columns, element, units);
          const Configuration chosen(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                                     element, units);
          const PlannedLaunch& launch = chosen.launch;
          const std::uint64_t run = chosen.number("RUN");
          const std::uint64_t across = chosen.number("ACROSS");
          CHECK(launch.grid[0] <= 2147483647);
          CHECK(launch.grid[1] <= 65535);
          CHECK((!chosen.is("TALL") || across == columns));
          CHECK((!chosen.is("FLAT") || run == rows));
          const std::uint64_t down =
              chosen.is("FLAT") ? 1 : (rows + chosen.number("BEFORE") + run - 1) / run;
          CHECK(launch.grid[0] * launch.grid[1] == down * ((columns + across - 1) / across));
          CHECK((chosen.number("BAND") == 0 || launch.grid[1] == 1));
          CHECK((chosen.number("WIDTH") > 1 || chosen.is("SMALL")));
          CHECK((!chosen.is("SMALL") || rows * columns <= static_cast<std::uint64_t>(units) * 12288));
          CHECK(launch.block[0] == chosen.number("THREADS"));
          CHECK(launch.local_bytes <= 49152);
        }
      }
    }
  }
}
