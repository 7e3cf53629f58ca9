// Products of few columns or rows, or a small C: every size has a configuration that covers it.
#include "expr/expression.hpp"
#include "model/point.hpp"
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"
#include "sweep/kernel_plan.hpp"

#include <cstdlib>
#include <string_view>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t everywhere = 32 * 1024;  // local memory that every OpenCL group may have
constexpr std::uint64_t on_gpus = 48 * 1024;     // shared memory that every CUDA block may have
constexpr std::initializer_list<std::int64_t> strip_sizes{1, 7, 24, 64, 65, 5000};

const VariantInfo& variant(const std::string& plugin, const char* name) {
  return variant_of(built_backend(plugin), "matmul", name);
}

class JoinedPlan {
 public:
  /// In the defaults of a variant, which must take the size.
  JoinedPlan(const VariantInfo& variant, const MatmulSize& size, std::int64_t units)
      : size_(size), element_(size_of(size.dtype)) {
    const ProblemSpec problem = matmul_problem(size);
    const Parameters values = kernel_values(problem.parameters, "", tunables_of(variant),
                                            {{"compute_units", units}, {"warp", std::int64_t{32}}});
    const Parameters all = with_derived(*variant.kernel, values);
    INFO(variant.name << ' ' << to_text(values));
    for (const std::string& text : variant.require) CHECK(parsed_expression(text).holds(all));
    plan_ = plan_kernel(*variant.kernel, values, problem, "kernels");
    REQUIRE(plan_.launches.size() == 1);
  }

  [[nodiscard]] const PlannedLaunch& launch() const { return plan_.launches.front(); }

  [[nodiscard]] std::uint64_t at(const char* macro) const {
    return std::stoull(launch().defines.at(macro));
  }

  /// Blocks cover C once and k once, have room for what they leave for each other, and take at most so much
  /// local memory.
  void check(std::uint64_t most_local_bytes) const {
    const auto m = static_cast<std::uint64_t>(size_.m);
    const auto n = static_cast<std::uint64_t>(size_.n);
    const auto k = static_cast<std::uint64_t>(size_.k);
    const std::uint64_t tiles = ((m - 1) / rows() + 1) * ((n - 1) / columns() + 1);
    CHECK(launch().grid[0] == tiles);
    CHECK(launch().grid[1] == at("SPLITS"));
    CHECK(at("SPLITS") >= 1);
    CHECK(launch().local_bytes <= most_local_bytes);
    const bool along_k = !is("matmul_strips") && at("BY_COLUMNS") == 1;
    CHECK(at("PACKED") == ((along_k ? k : n) * element_ % 16 == 0 ? 1 : 0));
    if (at("SPLITS") > 1)
      CHECK(plan_.scratch.at(0).count * 8 >= tiles * at("SPLITS") * rows() * columns() * element_);
    if (!is("matmul_strips")) CHECK(plan_.scratch.at(1).count == tiles);
    if (launch().defines.contains("PART")) {
      CHECK(at("SPLITS") * at("PART") >= k);
      CHECK((at("SPLITS") - 1) * at("PART") < k);  // no part is empty
      CHECK(at("CHUNK") > 0);
      CHECK(at("CHUNK") <= at("PART"));
    }
  }

 private:
  [[nodiscard]] bool is(std::string_view kernel) const { return launch().entry == kernel; }

  /// Of C, of a block.
  [[nodiscard]] std::uint64_t rows() const {
    if (is("matmul_strips")) return 8 * at("THREAD_M") * at("WARPS_M");
    if (at("BY_COLUMNS") == 0) return at("ROWS");
    if (is("matmul_vectors")) return at("WARPS") / at("SHARE") * at("ROWS");
    return at("ROWS") * (launch().defines.contains("ITEMS") ? at("ITEMS") / at("LANES") : at("WARPS"));
  }
  [[nodiscard]] std::uint64_t columns() const {
    if (is("matmul_strips")) return 4 * at("THREAD_N");
    return at("BY_COLUMNS") == 0 ? at("LANES") * 16 / element_ : at("COLUMNS");
  }

  MatmulSize size_;
  std::uint64_t element_;
  KernelPlan plan_;
};

/// Calls check(plan) for products of `few` columns or rows of any shape, as far as a variant takes them.
template <class Check>
void for_each_joined(const VariantInfo& variant, std::initializer_list<std::int64_t> few, bool columns,
                     bool rows, const Check& check) {
  for (const DType type : variant.dtypes) {
    for (const std::int64_t units : {1, 20, 132, 188}) {
      for (const std::int64_t small : few) {
        for (const std::int64_t many : {1, 16, 33, 100, 4096, 1'000'003}) {
          for (const std::int64_t k : {1, 31, 1001, 4096, 100'000}) {
            if (columns) check(JoinedPlan(variant, {many, small, k, type}, units));
            if (rows) check(JoinedPlan(variant, {small, many, k, type}, units));
          }
        }
      }
    }
  }
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
