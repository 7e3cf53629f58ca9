// Several configurations of one computation, tried on the device and the buffers that they are for.
#pragma once

#include <benchctl/backend.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace benchctl {

/// One of them.
struct Contender {
  std::string name;                                 ///< for notes
  std::function<std::unique_ptr<Prepared>()> make;  ///< throws Failure
  /// Executes it once: is the result right? Throws Failure.
  std::function<bool(Prepared&)> is_right = [](Prepared& prepared) { return prepared.run(0), true; };
};

struct TrialOutcome {
  std::size_t picked = 0;  ///< position among the contenders
  std::unique_ptr<Prepared> prepared;
  std::string times;  ///< all that were sampled, the quickest first: "12.34 us tiled tile=16, …"
};

/// Makes all contenders ready and samples them in turns, hot, on the device's clock; keeps the one of the
/// least median time. One that cannot be made or run is left out, and one whose result is wrong, unless all
/// are. A single one is made and not run. Outputs are left as executions leave them. Throws the first one's
/// Failure where none can be run.
[[nodiscard]] TrialOutcome quickest(const std::vector<Contender>& contenders);

}  // namespace benchctl
