// Parts of a [[kernel]] that need nothing of the rest. Internal to this room.
#pragma once

#include "config/expressions.hpp"
#include "config/kernels.hpp"
#include "config/read.hpp"
#include "config/read_kernel.hpp"
#include "config/sources.hpp"
#include "workloads/workload.hpp"

#include <benchctl/variant.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct Tunable {
  TunableInfo info;  ///< without its name
  bool has_default = false;
};

/// A member of the table `tunables`: a value, which is its default, or a table; nothing if it is neither,
/// which is reported. `kernel` names the kernel in messages.
[[nodiscard]] std::optional<Tunable> read_tunable(Reporter& reporter, ExpressionReader& expressions,
                                                  const Node& member, const std::string& kernel);

/// A [[kernel.scratch]].
[[nodiscard]] ScratchSpec read_scratch_buffer(Reporter& reporter, ExpressionReader& expressions,
                                              const Node& element);

/// Reports a derived value that uses one at or below its own place, and says if they go in a circle.
void check_derived_order(Reporter& reporter, const Node& table, const std::string& what);

/// The ways to compute that roofs are measured for.
[[nodiscard]] std::vector<std::string> compute_paths();

/// The layouts that a kernel takes; those that the workload (null: not known) has not are reported.
[[nodiscard]] std::vector<std::string> read_kernel_layouts(Reporter& reporter, const Node& node,
                                                           const std::string& what,
                                                           const Workload* workload,
                                                           const std::string& kernel);

/// The arguments of a launch. A kernel may take a buffer twice, so no word is refused for coming again.
/// Plain names are added to `names`, those of "y|x" one by one.
[[nodiscard]] std::vector<ArgumentSpec> read_arguments(Reporter& reporter, ExpressionReader& expressions,
                                                       const Node& node, const std::string& what,
                                                       std::vector<Word>& names);

/// What the backend alone understands; what the launch has already stays.
void read_extras(Reporter& reporter, ExpressionReader& expressions, const Node& node,
                 const std::string& what, LaunchSpec& launch);

/// The list `access`. An entry of several operands stands for as many instructions.
[[nodiscard]] std::vector<AccessSpec> read_accesses(Reporter& reporter, ExpressionReader& expressions,
                                                    const Node& node, const std::string& what);

/// Buffers and scalars that a problem of the workload may have: with the defaults, also of the kernel's
/// tunables, and with each word that a parameter can be. Empty where these make no problem.
struct ProblemNames {
  std::vector<std::string> buffers;
  std::vector<std::string> scalars;
};
[[nodiscard]] ProblemNames problem_names_of(const Workload& workload,
                                            const std::vector<TunableInfo>& tunables);

/// Reports what a launch with `prepare` must not take: it is not timed, so it must not see the problem.
/// `names` are those of `arguments`, `buffers` the workload's, `table` is where the launch stands.
void check_prepare(Reporter& reporter, Position table, const std::string& kernel,
                   const std::vector<ArgumentSpec>& arguments, const std::vector<Word>& names,
                   const std::vector<std::string>& buffers, const std::vector<ScratchSpec>& scratch);

struct SourcePlace {
  const KernelRules& rules;
  SourceRoom& room;
  const std::string& kernel;  ///< its name in messages
  const std::string& suffix;  ///< ending of kernel files
};

/// Where a launch's kernel stands: the first of the tables that has a file or a text decides. Its files,
/// and those that it includes, are added to the entry's.
void read_kernel_source(Reporter& reporter, std::initializer_list<const Node*> tables,
                        const SourcePlace& place, KernelEntry& entry, LaunchSpec& launch);

}  // namespace benchctl
