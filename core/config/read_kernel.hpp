// Reading `[[kernel]]` tables: read_kernel.cpp has what a kernel is, read_launches.cpp how it is launched,
// read_kernel_parts.cpp and read_access.cpp what needs nothing of the rest. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/expressions.hpp"
#include "config/kernels.hpp"
#include "config/read.hpp"
#include "config/sources.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <benchctl/variant.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <unordered_set>
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

/// Reports a derived value that uses one at or below its own place.
void check_derived_order(Reporter& reporter, const Node& table, const std::string& what);

/// The ways to compute that roofs are measured for.
[[nodiscard]] std::vector<std::string> compute_paths();

/// The layouts that a kernel takes; those that the workload (null: not known) has not are reported.
[[nodiscard]] std::vector<std::string> read_kernel_layouts(Reporter& reporter, const Node& node,
                                                           const std::string& what,
                                                           const Workload* workload,
                                                           const std::string& kernel);

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

/// What the kernels of a config may still have.
struct KernelRoom {
  SourceRoom sources;
  std::size_t tunables = max_tunables;
};

/// One [[kernel]] table on its way to a kernel.
class KernelReader {
 public:
  KernelReader(Reporter& reporter, const Node& node, const KernelRules& rules, const Workloads& workloads,
               const Names& declared, KernelRoom& room)
      : reporter_(reporter),
        node_(node),
        rules_(rules),
        workloads_(workloads),
        declared_(declared),
        room_(room),
        expressions_(reporter),
        access_expressions_(reporter) {}

  KernelEntry read();

 private:
  void identity(const TableReader& table);
  void traits(const TableReader& table);
  void add_tunable(const std::string& name, Position position, TunableInfo info, bool has_default);
  void read_tunables(const Node& node);
  /// A choice has nothing of its own but the variants that it is among.
  void read_choice_of(const Node& among);
  void refuse_in_choice(std::string_view key);
  void read_derived(const Node& node);
  /// Does a derived value name a thread's place, itself or through others? Then it is for `access` alone.
  [[nodiscard]] bool is_of_thread(const Node& derived) const;
  void read_scratch(const Node& node);
  void launches(const TableReader& table);
  /// Where a launch's kernel stands: the first of the tables that has a file or a text decides. Its files,
  /// and those that it includes, are added to the entry's.
  void read_source(std::initializer_list<const Node*> tables, LaunchSpec& launch);
  /// A launch from its own table and, for what that leaves open, the kernel's.
  void add_launch(std::initializer_list<const Node*> tables);
  /// `repeat` and `swap` of a launch or of the sequence, whose expressions may name `counter` then.
  void read_repetition(const Node& node, const std::string& counter, std::string& repeat, Names& swap);
  /// A list: names that are macros of the same name. A table: macros and expressions. What a launch's own
  /// table defines stays.
  void read_defines(const Node& node, LaunchSpec& launch);
  void read_options(const Node& node, LaunchSpec& launch);
  void read_constants(const Node& node, LaunchSpec& launch);
  void undefine(const Node& node, const std::string& what);
  [[nodiscard]] Names problem_names() const;
  [[nodiscard]] Names known_names() const;
  [[nodiscard]] bool is_derived(const std::string& name) const;
  [[nodiscard]] bool is_known(const std::string& name) const;
  /// In a launch with `shared_bytes` a name that only the sources have is the pointer to that memory.
  [[nodiscard]] bool is_local_memory(const std::string& name);
  void check_names();

  Reporter& reporter_;
  const Node& node_;
  const KernelRules& rules_;
  const Workloads& workloads_;
  const Names& declared_;
  KernelRoom& room_;
  ExpressionReader expressions_;
  ExpressionReader access_expressions_;
  std::string suffix_;
  std::string place_ = "[[kernel]]";
  const Workload* workload_ = nullptr;
  std::unordered_set<std::string> tunable_names_;
  Names counters_;                    // `step` and `substep`, where something is repeated
  std::vector<Word> argument_names_;  // those that must be known, with the names in `swap`
  KernelEntry entry_;
};

}  // namespace benchctl
