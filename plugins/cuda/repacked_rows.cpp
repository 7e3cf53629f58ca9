#include "repacked_rows.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"

#include <algorithm>
#include <utility>

namespace benchctl::cuda {

namespace {

constexpr std::uint64_t threads = 256;
constexpr std::uint64_t in_cache = 20U << 20U;

std::uint64_t whole_row(Narrow kind, std::uint64_t columns) {
  return ceil_div(columns, row_unit(kind)) * row_unit(kind);
}

PlannedArgument add_scratch(KernelPlan& plan, Narrow kind, const char* name, std::uint64_t count) {
  plan.scratch.push_back({name, kind == Narrow::bf16 ? DType::bf16 : DType::f32, count, false});
  return {PlannedArgument::Kind::scratch, plan.scratch.size() - 1};
}

void replace(PlannedLaunch& launch, const PlannedArgument& old, const PlannedArgument& with) {
  for (PlannedArgument& argument : launch.arguments) {
    if (argument.kind == old.kind && argument.index == old.index) argument = with;
  }
}

}  // namespace

Repacked rows_to_repack(Narrow kind, const ProductSize& size) {
  return {size.k * element_bytes(kind) % 16 != 0, size.n * element_bytes(kind) % 16 != 0};
}

ProductSize with_whole_rows(Narrow kind, const ProductSize& size, const Repacked& repacked) {
  return {size.m, repacked.b ? whole_row(kind, size.n) : size.n,
          repacked.a ? whole_row(kind, size.k) : size.k};
}

void add_repacking(KernelPlan& plan, const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                   const Repacked& repacked, std::uint64_t compute_units,
                   const std::filesystem::path& kernels) {
  const bool apart = plan.launches.size() > 1;
  const PlannedArgument a = gpu::buffer_argument(problem, "A");
  const PlannedArgument b = gpu::buffer_argument(problem, "B");
  PlannedArgument a_to = a;
  PlannedArgument a_low = a;
  PlannedArgument b_to = b;
  if (apart) {
    a_to = plan.launches.back().arguments.at(0);
    a_low = plan.launches.back().arguments.at(1);
    plan.launches.erase(plan.launches.begin());
  } else if (repacked.a) {
    a_to = add_scratch(plan, kind, "rows_of_a", size.m * whole_row(kind, size.k));
    replace(plan.launches.back(), a, a_to);
  }
  if (repacked.b) {
    b_to = add_scratch(plan, kind, "rows_of_b", size.k * whole_row(kind, size.n));
    replace(plan.launches.back(), b, b_to);
  }
  const std::uint64_t width = 16 / element_bytes(kind);
  const std::uint64_t packs = (repacked.a || apart ? size.m * ceil_div(size.k, width) : 0) +
                              (repacked.b ? size.k * ceil_div(size.n, width) : 0);
  PlannedLaunch launch;
  launch.source = (kernels / "repack_rows.cu").lexically_normal().string();
  launch.entry = "repack_rows";
  const int parts = repacked.a ? 1 : 0;
  launch.defines["SIZE"] = std::to_string(element_bytes(kind));
  launch.defines["A_PARTS"] = std::to_string(apart ? 2 : parts);
  launch.defines["A_UNIT"] = std::to_string(repacked.a ? row_unit(kind) : 1);
  launch.defines["HAS_B"] = std::to_string(repacked.b ? 1 : 0);
  launch.block = {threads, 1, 1};
  // Few blocks begin sooner; many keep more of memory busy.
  const std::uint64_t blocks = ceil_div(packs, threads);
  launch.grid = {packs * 16 <= in_cache ? std::min(blocks, compute_units * 8) : blocks, 1, 1};
  launch.arguments = {a,
                      b,
                      a_to,
                      a_low,
                      b_to,
                      gpu::scalar_argument(problem, "m"),
                      gpu::scalar_argument(problem, "n"),
                      gpu::scalar_argument(problem, "k")};
  plan.launches.back().defines["AWAITS"] = "1";
  plan.launches.push_back(std::move(launch));
  std::swap(plan.launches.front(), plan.launches.back());
}

std::uint64_t expected_repacking_ps(Narrow kind, const ProductSize& size, const Repacked& repacked) {
  const std::uint64_t elements = (repacked.a ? size.m * size.k : 0) + (repacked.b ? size.k * size.n : 0);
  const std::uint64_t bytes = elements * element_bytes(kind);
  // As long as matrices and copies fit the second-level cache, and where they pass through memory.
  return bytes <= in_cache ? 1'500'000 + bytes * 4 / 10 : bytes * 7 / 10;
}

std::string to_text(const Repacked& repacked) {
  if (!repacked.b) return "A, in a launch of its own";
  if (!repacked.a) return "B, in a launch of its own";
  return "A and B, in a launch of its own";
}

}  // namespace benchctl::cuda
