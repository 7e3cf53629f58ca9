// A transpose as plugins get it, without the workload's own code.
#pragma once

#include <benchctl/problem.hpp>
#include <benchctl/variant.hpp>

#include "sweep/kernel_plan.hpp"

#include <cstdint>
#include <string>

namespace benchctl::test {

inline ProblemSpec transpose_problem(std::int64_t rows, std::int64_t columns, DType dtype) {
  const auto count = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  ProblemSpec spec;
  spec.workload = "transpose";
  spec.parameters = {{"rows", rows}, {"columns", columns}, {"dtype", std::string(to_string(dtype))}};
  spec.buffers = {{"in", dtype, count, BufferRole::in, Space::device},
                  {"out", dtype, count, BufferRole::out, Space::device}};
  spec.scalars = {{"rows", DType::i32, rows}, {"columns", DType::i32, columns}};
  return spec;
}

/// For the expressions of a variant, on a device of so many compute units; its other tunables have their
/// defaults.
inline Parameters transpose_values(const VariantInfo& variant, const ProblemSpec& problem,
                                   Parameters tunables, std::int64_t compute_units) {
  for (const TunableInfo& tunable : variant.tunables) tunables.emplace(tunable.name, tunable.default_value);
  return kernel_values(problem.parameters, "", tunables, {{"compute_units", compute_units}});
}

}  // namespace benchctl::test
