// What a point is judged by before anything runs, and what is then compiled and sent for it: the one way
// from a variant with its tunables to a kernel's plan, or to those of the candidates of a choice.
#pragma once

#include "sweep/limits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Why it cannot run, with the numbers, or an empty text. Cheap enough for every point of a large sweep.
[[nodiscard]] std::string obstacle_to(const PlanCase& point);

/// One way to compute a problem.
struct Candidate {
  std::string variant;
  Parameters tunables = {};
  std::optional<KernelPlan> plan = {};  ///< absent: the plugin's own code
};

/// Launches of an execution; 1 of the plugin's own code, which does not tell.
[[nodiscard]] std::size_t launches_of(const Candidate& candidate);

/// The variant as planned; of a choice the configuration `picked`, as to_text() writes it, or what it is to
/// try. What cannot be planned is left out, unless nothing else is there. Throws Failure: unsupported.
[[nodiscard]] std::vector<Candidate> candidates_of(const PlanCase& point, std::string_view picked = {});

}  // namespace benchctl
