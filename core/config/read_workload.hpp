// Reading `[workload.NAME]` tables. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "config/document.hpp"
#include "config/kernels.hpp"
#include "workloads/declared.hpp"

#include <vector>

namespace benchctl {

/// A workload that a config declares, with the places that later checks point at.
struct WorkloadEntry {
  WorkloadDeclaration declaration;
  Position position;                   ///< where the name is
  Position kernel_position;            ///< where check.kernel is, if there is one
  std::vector<Word> size_tunables;     ///< what counts name beside parameters
  std::vector<SourceFile> data_files;  ///< those of fills and check.files that are kept with a run
};

/// All [workload.NAME] tables. What is wrong is reported; workloads with errors are left out.
[[nodiscard]] std::vector<WorkloadEntry> read_workloads(Reporter& reporter, const Node& node,
                                                        const FileRules& rules);

}  // namespace benchctl
