// Several ways to do the same, tried on the device and the buffers that they are for: what `*_tuned`
// variants are made by.
#pragma once

#include <benchctl/backend.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace benchctl::gpu {

/// One of them.
struct Way {
  std::string name;                                 ///< for notes
  std::function<std::unique_ptr<Prepared>()> make;  ///< throws Failure
};

/// Makes all ways ready and samples them in turns, hot, on the device's clock; keeps the one of the least
/// median time. A way that cannot be made or run is left out. Outputs are left as executions leave them.
/// Notes of the result are its own, `trial` (which way it is, among how many), and `trial_times` (each
/// way's median). Throws the first way's Failure where none can be run. `ways` are in the order in which
/// they are expected to be quick, and there is one at least.
[[nodiscard]] std::unique_ptr<Prepared> quickest(const std::vector<Way>& ways);

}  // namespace benchctl::gpu
