#include "cli/workload_buffers.hpp"

namespace benchctl::cli {

std::optional<ProblemSpec> default_problem(const Workload& workload) {
  try {
    const auto layouts = workload.layouts();
    return workload.problem(complete_parameters(workload, {}),
                            layouts.empty() ? std::string() : layouts.front());
  } catch (const ProblemError&) {
    return std::nullopt;
  }
}

}  // namespace benchctl::cli
