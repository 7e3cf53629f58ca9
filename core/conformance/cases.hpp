// The problems that variants are tried on: sizes that are multiples of nothing, numbers that break naive
// code. One file per workload, an ordinary config with problem parameters alone, lies in
// core/conformance/cases and, installed, in share/benchctl/conformance.
#pragma once

#include "sweep/point_plan.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <vector>

namespace benchctl::conformance {

/// Where the files are, relative to the program.
[[nodiscard]] std::filesystem::path case_folder();

/// All problems of a workload's file, or, if not `full`, so many that every two values of two parameters
/// meet at least once. Throws ConfigErrors if the file is missing or wrong.
[[nodiscard]] std::vector<ProblemSpec> problems_of(const Workload& workload, bool full,
                                                   const std::filesystem::path& folder = case_folder());

/// One variant on one problem.
struct Case {
  const VariantInfo* variant = nullptr;
  ProblemSpec problem;
  Parameters tunables;
  /// `reduce/plain n=33 op=sum`
  [[nodiscard]] std::string label() const;
  /// What it is judged by and planned from. The workload must be there.
  [[nodiscard]] PlanCase on(const BackendEntry& backend, const DeviceInfo& device) const {
    return {*Workloads::built_in().find(problem.workload), backend, *variant, device, problem, tunables};
  }
};

/// Every variant of a backend (but those that are wrong on purpose) on its workload's problems, as far as
/// the device can run it, problem by problem (if not `full`, on 300 of all variants together, at least 5 of
/// each); then with every value that its tunables list.
struct Cases {
  std::vector<Case> runnable;
  /// Why variants have no case: by `workload/variant`.
  std::map<std::string, std::string> without;
};
[[nodiscard]] Cases cases_of(const BackendEntry& backend, const DeviceInfo& device, bool full,
                             const std::filesystem::path& folder = case_folder());

/// One case with default tunables per variant, on a problem of moderate size.
[[nodiscard]] std::vector<Case> typical_cases(const Cases& cases);

}  // namespace benchctl::conformance
