// Reading `[[kernel]]` tables. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/expressions.hpp"
#include "config/kernels.hpp"
#include "workloads/workload.hpp"

#include <benchctl/variant.hpp>

#include <string>
#include <vector>

namespace benchctl {

/// Where sources are, and whether they are read and kept, with all that they include.
struct KernelRules {
  FileRules files;
  bool keep_sources = true;
};

/// These tables, complete. What is wrong is reported. `declared`: workloads of the config, those with
/// errors too.
[[nodiscard]] std::vector<KernelEntry> read_kernels(Reporter& reporter, const std::vector<Node>& kernels,
                                                    const KernelRules& rules, const Workloads& workloads,
                                                    const std::vector<std::string>& declared);
/// All [[kernel]] tables of a config.
[[nodiscard]] std::vector<KernelEntry> read_kernels(Reporter& reporter, const Node& node,
                                                    const FileRules& rules, const Workloads& workloads,
                                                    const std::vector<std::string>& declared);

/// The list `access`. An entry of several operands stands for as many instructions.
[[nodiscard]] std::vector<AccessSpec> read_accesses(Reporter& reporter, ExpressionReader& expressions,
                                                    const Node& node, const std::string& what);

}  // namespace benchctl
