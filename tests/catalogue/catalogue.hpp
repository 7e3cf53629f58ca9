// Every variant of a workload against the reference on sizes and numbers that go wrong in practice. Two
// configs are run by benchctl itself, which verifies: core/conformance/cases/WORKLOAD.toml, which the
// conformance kit uses, too, and WORKLOAD.toml beside this file with sweeps over the tunables of this
// tree's variants.
#pragma once

#include <string>

namespace benchctl::test {

/// Runs the cases on all devices of a backend: every point must be right, or ruled out for a reason that
/// the config or the device gives, and every variant of the backend must have been right at least once
/// unless the device cannot run it. Skips when the backend has no device.
void check_cases(const std::string& workload, const std::string& backend);

/// Runs the sweeps over tunables in the same way. Skips where there are none, too.
void check_tunables(const std::string& workload, const std::string& backend);

/// Runs WORKLOAD_small.toml under Oclgrind with its checks for races, bounds and uninitialised memory:
/// right results and no complaint. Skips where Oclgrind is not installed.
void check_simulated(const std::string& workload);

}  // namespace benchctl::test
