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

/// Lays a value over another. In two tables the members are laid over each other, in two lists of tables
/// with names (`scratch`) those of one name; what only `upper` has comes last. Else `upper` takes the place
/// of `lower`.
void lay_over(Node& lower, const Node& upper);

/// Adds the [[kernel]] tables of the array `kernels` to `list`, each laid over the one above it that its
/// `like` names, or over `common`. A table with name and workload of one that `list` has already is laid
/// over that one, in its place. What `like` cannot find is reported.
void add_kernels(Reporter& reporter, const Node& kernels, const Node& common, std::vector<Node>& list);

/// Takes out those that are `abstract`: they were only for `like`.
void drop_abstract(std::vector<Node>& kernels);

/// The list `access`. An entry of several operands stands for as many instructions.
[[nodiscard]] std::vector<AccessSpec> read_accesses(Reporter& reporter, ExpressionReader& expressions,
                                                    const Node& node, const std::string& what);

}  // namespace benchctl
