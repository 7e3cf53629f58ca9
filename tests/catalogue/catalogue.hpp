// Every variant of a workload against the reference on sizes and numbers that go wrong in practice, on
// every device of every plugin that is loaded. Two configs are run by benchctl itself, which verifies:
// core/conformance/cases/WORKLOAD.toml, which the conformance kit uses, too, and WORKLOAD.toml beside this
// file with sweeps over the tunables of this tree's variants.
#pragma once

#include <filesystem>
#include <string>

namespace benchctl::test {

/// Where the cases of a workload take minutes, so that they have the label `full`.
enum class Slow {
  nowhere,
  on_software,   ///< where software stands in for a device: lavapipe
  when_compiled  ///< where each point compiles a kernel
};

/// Runs the cases on all devices of the backends for which they are slow, or on those of all others: every
/// point must be right, or ruled out for a reason that the config or the device gives, and every variant of
/// the backend must have been right at least once unless the device cannot run it. Skips when no such
/// backend has a device.
void check_cases(const std::string& workload, Slow slow, bool slow_ones);

/// Runs the sweeps over tunables on all backends in the same way. Skips where there are none, too.
void check_tunables(const std::string& workload);

/// Runs WORKLOAD_small.toml under Oclgrind with its checks for races, bounds and uninitialised memory:
/// right results and no complaint. Skips where Oclgrind is not installed, and without such a config.
void check_simulated(const std::string& workload);

/// Where the conformance kit's cases are, a file for each workload.
[[nodiscard]] std::filesystem::path conformance_directory();

}  // namespace benchctl::test
