// Every variant of a workload against the reference on sizes and numbers that go wrong in practice, on
// every device of every plugin that is loaded. Two configs are run by benchctl itself, which verifies:
// core/conformance/cases/WORKLOAD.toml, which the conformance kit uses, too, and WORKLOAD.toml beside this
// file with sweeps over the tunables of this tree's variants.
#pragma once

#include <filesystem>
#include <string>

namespace benchctl::test {

/// Runs the cases on all devices of all backends: every point must be right, or ruled out for a reason that
/// the config or the device gives, and every variant must have been right at least once unless the device
/// cannot run it. Skips where no backend has a device.
void check_cases(const std::string& workload);

/// Runs the sweeps over tunables on all backends in the same way. Skips where there are none, too.
void check_tunables(const std::string& workload);

/// Runs WORKLOAD_small.toml under Oclgrind with its checks for races, bounds and uninitialised memory:
/// right results and no complaint. Skips where Oclgrind is not installed, and without such a config.
void check_simulated(const std::string& workload);

/// Where the conformance kit's cases are, a file for each workload.
[[nodiscard]] std::filesystem::path conformance_directory();

}  // namespace benchctl::test
