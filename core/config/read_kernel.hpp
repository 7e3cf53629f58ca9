// Reading `[[kernel]]` tables. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/kernels.hpp"
#include "workloads/workload.hpp"

#include <vector>

namespace benchctl {

/// All [[kernel]] tables. What is wrong is reported; kernels with errors are left out. `declared`:
/// workloads of the config, those with errors too.
[[nodiscard]] std::vector<KernelEntry> read_kernels(Reporter& reporter, const Node& node,
                                                    const FileRules& rules, const Workloads& workloads,
                                                    const std::vector<std::string>& declared);

}  // namespace benchctl
