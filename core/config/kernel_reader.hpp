// One [[kernel]] table on its way to a kernel. Internal to this room: read_kernel.cpp has what a kernel is,
// read_launches.cpp how it is launched.
#pragma once

#include "config/read_kernel_parts.hpp"
#include "model/words.hpp"

#include <initializer_list>
#include <string>
#include <unordered_set>
#include <vector>

namespace benchctl {

/// What the kernels of a config may still have.
struct KernelRoom {
  SourceRoom sources;
  std::size_t tunables = max_tunables;
};

/// One table on its way to a kernel.
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
