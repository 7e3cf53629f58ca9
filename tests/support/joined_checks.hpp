// What the variants of matmul that share out the sums of a small C must make of any size, whatever the
// language of their kernels.
#pragma once

#include <benchctl/problem.hpp>
#include <benchctl/variant.hpp>

#include "expr/expression.hpp"
#include "model/point.hpp"
#include "support/catch.hpp"
#include "sweep/kernel_plan.hpp"

#include <string_view>

namespace benchctl::test {

struct JoinedSize {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

class JoinedPlan {
 public:
  /// In the defaults of a variant, which must take the size.
  JoinedPlan(const VariantInfo& variant, const JoinedSize& size, DType type, std::int64_t units)
      : size_(size), element_(size_of(type)) {
    ProblemSpec problem;
    problem.workload = "matmul";
    problem.buffers = {{"A", type, 0}, {"B", type, 0}, {"C", type, 0, BufferRole::out}};
    problem.scalars = {{"m", DType::i32, size.m}, {"n", DType::i32, size.n}, {"k", DType::i32, size.k}};
    Parameters tunables;
    for (const TunableInfo& tunable : variant.tunables) tunables[tunable.name] = tunable.default_value;
    const Parameters values = kernel_values(
        {{"m", size.m}, {"n", size.n}, {"k", size.k}, {"dtype", std::string(to_string(type))}}, "",
        tunables, {{"compute_units", units}, {"warp", std::int64_t{32}}});
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

  JoinedSize size_;
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
            if (columns) check(JoinedPlan(variant, {many, small, k}, type, units));
            if (rows) check(JoinedPlan(variant, {small, many, k}, type, units));
          }
        }
      }
    }
  }
}

}  // namespace benchctl::test
