#include "config/read_kernel.hpp"

#include "config/read_kernel_parts.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_set>
#include <vector>

namespace benchctl {

namespace {

/// What every expression of a kernel may name of the device.
constexpr std::array<std::string_view, 3> device_names{"compute_units", "warp", "last_level_cache"};

/// What the kernels of a config may still have.
struct KernelRoom {
  SourceRoom sources;
  std::size_t tunables = max_tunables;
};

/// One table on its way to a kernel.
class KernelReader {
 public:
  KernelReader(Reporter& reporter, const Node& node, const FileRules& rules, const Workloads& workloads,
               const Names& declared, KernelRoom& room)
      : reporter_(reporter),
        node_(node),
        rules_(rules),
        workloads_(workloads),
        declared_(declared),
        room_(room),
        expressions_(reporter) {}

  KernelEntry read() {
    const TableReader table(reporter_, node_, place_, config_table("[[kernel]]"));
    entry_.position = node_.position;
    entry_.folder = std::filesystem::absolute(rules_.folder).lexically_normal();
    if (node_.kind != Node::Kind::table) return entry_;
    identity(table);
    const Node* among = table.find("among");
    if (const Node* tunables = table.find("tunables"); tunables != nullptr && among == nullptr)
      read_tunables(*tunables);
    traits(table);
    if (among != nullptr) {
      read_choice_of(*among);
    } else {
      entry_.variant.kernel = KernelSpec{};
      if (const Node* derived = table.find("derived")) read_derived(*derived);
      expressions_.read(table.find("effort"), table.quoted("effort"), entry_.variant.kernel->effort);
      if (const Node* scratch = table.find("scratch")) read_scratch(*scratch);
      launches(table);
    }
    check_names();
    return std::move(entry_);
  }

 private:
  void identity(const TableReader& table) {
    const auto word = [&](const char* key, std::string& text, Position& position) {
      if (const Node* node = table.find(key)) position = node->position;
      table.read(key, text);
    };
    word("name", entry_.variant.name, entry_.name_position);
    word("workload", entry_.variant.workload, entry_.workload_position);
    word("backend", entry_.backend, entry_.backend_position);
    if (!entry_.variant.name.empty()) {
      static_cast<void>(
          expressions_.is_identifier(entry_.variant.name, entry_.name_position, table.quoted("name")));
      place_ = fmt::format("kernel '{}'", entry_.variant.name);
    }
    table.read("doc", entry_.variant.doc);
    if (entry_.variant.workload.empty()) return;
    workload_ = workloads_.find(entry_.variant.workload);
    if (workload_ != nullptr) return;
    // One of the config's own that has errors of its own: those are reported.
    if (contains(declared_, entry_.variant.workload)) return;
    Names names;
    for (const Workload* workload : workloads_.all()) names.emplace_back(workload->name());
    reporter_.unknown_name(entry_.workload_position, entry_.variant.workload,
                           fmt::format("{}: unknown workload '{}'", place_, entry_.variant.workload),
                           names);
  }

  void traits(const TableReader& table) {
    VariantInfo& variant = entry_.variant;
    table.read("dtypes", variant.dtypes);
    table.read("device_types", variant.device_types);
    if (const Node* node = table.find("layouts"))
      variant.layouts = read_kernel_layouts(reporter_, *node, table.quoted("layouts"), workload_, place_);
    table.read("features", variant.features);
    table.read("architectures", variant.architectures);
    if (const Node* node = table.find("precision")) {
      read_choice(reporter_, *node, table.quoted("precision"),
                  {"dtype", "f64", "f32", "tf32", "f16", "bf16"}, variant.precision);
    }
    if (const Node* node = table.find("compute_path")) {
      read_choice(reporter_, *node, table.quoted("compute_path"), compute_paths(), variant.compute_path);
    }
    if (const Node* node = table.find("require")) {
      variant.require = expressions_.read_list(*node, table.quoted("require"));
    }
  }

  void add_tunable(const std::string& name, Position position, TunableInfo info, bool has_default) {
    for (const std::string& other : problem_names()) {
      if (other != name) continue;
      reporter_.error(position, name,
                      fmt::format("{}: tunable '{}' has the name of a parameter of workload '{}'", place_,
                                  name, entry_.variant.workload),
                      "another name");
      return;
    }
    if (room_.tunables == 0) {
      reporter_.error(
          position, name,
          fmt::format("the kernels of this config have more than {} tunables together", max_tunables),
          "fewer tunables, or several configs");
      return;
    }
    --room_.tunables;
    info.name = name;
    if (!has_default) entry_.open_tunables.push_back({name, position});
    tunable_names_.insert(name);
    entry_.variant.tunables.push_back(std::move(info));
  }

  void read_tunables(const Node& node) {
    for (const Node& member :
         children_of(reporter_, node, Node::Kind::table, fmt::format("'tunables' of {}", place_),
                     "a table such as { TILE = 16 }")) {
      if (!expressions_.is_identifier(member.key, member.key_position,
                                      fmt::format("a tunable of {}", place_)))
        continue;
      std::optional<Tunable> tunable = read_tunable(reporter_, expressions_, member, place_);
      if (tunable)
        add_tunable(member.key, member.key_position, std::move(tunable->info), tunable->has_default);
    }
  }

  /// A choice has nothing of its own but the variants that it is among.
  void read_choice_of(const Node& among) {
    for (const ConfigKey& key : config_table("[[kernel.launch]]").keys) refuse_in_choice(key.name);
    for (const char* key : {"launch", "scratch", "tunables", "derived", "effort"}) refuse_in_choice(key);
    entry_.variant.tunables = choice_tunables();
    if (const auto names = read_words(reporter_, among, fmt::format("'among' of {}", place_))) {
      for (const Word& name : *names) {
        entry_.variant.among.push_back(name.text);
        entry_.among_positions.push_back(name.position);
      }
    }
  }

  void refuse_in_choice(std::string_view key) {
    if (const Node* node = node_.find(key)) {
      reporter_.error(node->position, {},
                      fmt::format("{} has both 'among' and '{}': a choice has no kernel", place_, key),
                      "one of them");
    }
  }

  void read_derived(const Node& node) {
    const std::string what = fmt::format("'derived' of {}", place_);
    // In the order of the text: each may use those above it.
    for (const Node& member : children_of(reporter_, node, Node::Kind::table, what,
                                          R"_(a table such as { blocks = "ceil_div(n, tile)" })_")) {
      if (!expressions_.is_identifier(member.key, member.key_position, fmt::format("a name in {}", what)))
        continue;
      if (is_known(member.key)) {
        reporter_.error(member.key_position, member.key,
                        fmt::format("{}: '{}' already has another meaning", what, member.key),
                        "another name");
        continue;
      }
      if (auto text = expressions_.read(member, fmt::format("'{}' in {}", member.key, what)))
        entry_.variant.kernel->derived.emplace_back(member.key, std::move(*text));
    }
    if (node.kind == Node::Kind::table) check_derived_order(reporter_, node, what);
    // Tunables are checked before anything is derived from them.
    for (TunableInfo& tunable : entry_.variant.tunables) {
      std::erase_if(tunable.require, [&](const std::string& text) {
        const bool needs_derived = std::ranges::any_of(
            Expression::parse(text).names(), [&](const std::string& name) { return is_derived(name); });
        if (needs_derived) entry_.variant.require.push_back(text);
        return needs_derived;
      });
    }
  }

  void read_scratch(const Node& node) {
    for (const Node& element :
         children_of(reporter_, node, Node::Kind::array, fmt::format("'scratch' of {}", place_),
                     "one [[kernel.scratch]] each")) {
      entry_.variant.kernel->scratch.push_back(read_scratch_buffer(reporter_, expressions_, element));
    }
  }

  void launches(const TableReader& table) {
    KernelSpec& spec = *entry_.variant.kernel;
    read_repetition(node_, "step", spec.repeat, spec.swap);
    const Node* list = table.find("launch");
    if (list == nullptr) {
      add_launch({&node_});
      return;
    }
    if (list->kind != Node::Kind::array || list->children.empty()) {
      wrong_kind(reporter_, *list, fmt::format("'launch' of {}", place_), "one [[kernel.launch]] or more");
      return;
    }
    if (list->children.size() > max_launches) {
      reporter_.error(list->position, {}, fmt::format("{} has {} launches", place_, list->children.size()),
                      fmt::format("at most {}", max_launches));
      return;
    }
    for (const Node& element : list->children) {
      const TableReader launch(reporter_, element, "[[kernel.launch]]", config_table("[[kernel.launch]]"));
      if (element.kind == Node::Kind::table) add_launch({&element, &node_});
    }
  }

  /// A launch from its own table and, for what that leaves open, the kernel's.
  void add_launch(std::initializer_list<const Node*> tables) {
    const auto find = [&](const char* key) -> const Node* {
      for (const Node* table : tables) {
        if (const Node* found = table->find(key)) return found;
      }
      return nullptr;
    };
    const auto require = [&](const char* key) {
      const Node* found = find(key);
      if (found == nullptr) {
        reporter_.error((*tables.begin())->position, {}, fmt::format("{} has no '{}'", place_, key));
      }
      return found;
    };
    const auto quoted = [&](const char* key) { return fmt::format("'{}' of {}", key, place_); };
    LaunchSpec launch;
    read_kernel_source(reporter_, tables, {rules_, room_.sources, place_}, entry_, launch);
    if (const Node* entry = require("entry")) {
      const auto word = read_word(reporter_, *entry, quoted("entry"));
      if (word && expressions_.is_identifier(word->text, word->position, quoted("entry")))
        launch.entry = word->text;
    }
    const Node& own = **tables.begin();
    if (tables.size() > 1) {  // the kernel's repetition is that of the sequence
      read_repetition(own, "substep", launch.repeat, launch.swap);
      if (const Node* prepare = own.find("prepare"))
        read_value(reporter_, *prepare, quoted("prepare"), launch.prepare);
    }
    launch.arguments = {all_arguments};
    std::vector<Word> names;
    if (const Node* arguments = find("arguments")) {
      launch.arguments = read_arguments(reporter_, expressions_, *arguments, quoted("arguments"), names);
    }
    if (launch.prepare && workload_ != nullptr) {
      check_prepare(reporter_, own.position, place_, launch.arguments, names, *workload_,
                    entry_.variant.kernel->scratch);
    }
    argument_names_.insert(argument_names_.end(), names.begin(), names.end());
    for (const Node* table : tables) {
      if (const Node* defines = table->find("defines")) read_defines(*defines, launch);
    }
    if (const Node* block = require("block"))
      launch.block = expressions_.read_triple(*block, quoted("block"));
    if (const Node* grid = require("grid")) launch.grid = expressions_.read_triple(*grid, quoted("grid"));
    expressions_.read(find("shared_bytes"), quoted("shared_bytes"), launch.shared_bytes);
    expressions_.read(find("local_bytes"), quoted("local_bytes"), launch.local_bytes);
    expressions_.read(find("when"), quoted("when"), launch.when);
    entry_.variant.kernel->launches.push_back(std::move(launch));
  }

  /// `repeat` and `swap` of a launch or of the sequence, whose expressions may name `counter` then.
  void read_repetition(const Node& node, const std::string& counter, std::string& repeat, Names& swap) {
    const auto quoted = [&](const char* key) { return fmt::format("'{}' of {}", key, place_); };
    if (const Node* times = node.find("repeat")) {
      if (is_known(counter) && !contains(counters_, counter)) {
        reporter_.error(times->position, times->raw,
                        fmt::format("{}: its counter is '{}', which already has another meaning",
                                    quoted("repeat"), counter),
                        "another name for the other");
      }
      expressions_.read(times, quoted("repeat"), repeat);
      add_once(counters_, counter);
    }
    const Node* pairs = node.find("swap");
    if (pairs == nullptr) return;
    const auto words = read_words(reporter_, *pairs, quoted("swap"));
    if (!words) return;
    if (words->size() % 2 != 0) {
      reporter_.error(pairs->position, pairs->raw, fmt::format("{}: names come in pairs", quoted("swap")),
                      "two names of buffers, such as [\"a\", \"b\"]");
    }
    if (node.find("repeat") == nullptr) {
      reporter_.error(pairs->position, pairs->raw, fmt::format("{} without 'repeat'", quoted("swap")),
                      "'repeat': the names change places after each repetition");
    }
    for (const Word& word : *words) {
      swap.push_back(word.text);
      argument_names_.push_back(word);
    }
  }

  /// A list: names that are macros of the same name. A table: macros and expressions. What a launch's own
  /// table defines stays.
  void read_defines(const Node& node, LaunchSpec& launch) {
    const std::string what = fmt::format("'defines' of {}", place_);
    if (node.kind == Node::Kind::table) {
      for (const Node& member : node.children) {
        if (!expressions_.is_identifier(member.key, member.key_position,
                                        fmt::format("a macro in {}", what)))
          continue;
        if (auto text = expressions_.read(member, fmt::format("'{}' in {}", member.key, what)))
          launch.defines.try_emplace(member.key, std::move(*text));
      }
      return;
    }
    for (const Node& element :
         children_of(reporter_, node, Node::Kind::array, what,
                     R"_(a list of names, or a table such as { REAL = "ctype(dtype)" })_")) {
      const auto word = read_word(reporter_, element, fmt::format("an element of {}", what));
      if (!word ||
          !expressions_.is_identifier(word->text, word->position, fmt::format("an element of {}", what)))
        continue;
      launch.defines.try_emplace(word->text, word->text);
      if (!is_known(word->text)) add_tunable(word->text, word->position, {}, false);
    }
  }

  [[nodiscard]] Names problem_names() const {
    Names names;
    if (workload_ == nullptr) return names;
    for (const ParameterInfo& parameter : workload_->parameters()) names.push_back(parameter.name);
    if (!workload_->layouts().empty()) names.emplace_back("layout");
    return names;
  }

  [[nodiscard]] Names known_names() const {
    Names names = problem_names();
    for (const TunableInfo& tunable : entry_.variant.tunables) names.push_back(tunable.name);
    if (entry_.variant.kernel) {
      for (const auto& [name, text] : entry_.variant.kernel->derived) names.push_back(name);
    }
    for (const std::string_view name : device_names) add_once(names, std::string(name));
    for (const std::string& counter : counters_) add_once(names, counter);
    return names;
  }

  [[nodiscard]] bool is_derived(const std::string& name) const {
    return entry_.variant.kernel && std::ranges::any_of(entry_.variant.kernel->derived,
                                                        [&](const auto& one) { return one.first == name; });
  }

  [[nodiscard]] bool is_known(const std::string& name) const {
    return is_derived(name) || tunable_names_.contains(name) || contains(problem_names(), name) ||
           contains(counters_, name) || std::ranges::find(device_names, name) != device_names.end();
  }

  void check_names() {
    if (workload_ == nullptr) return;
    const Names known = known_names();
    expressions_.check_names(known, place_);
    if (argument_names_.empty()) return;
    auto [arguments, scalars] = problem_names_of(*workload_);
    if (arguments.empty()) return;  // the defaults make no problem: the run will tell
    for (const ScratchSpec& scratch : entry_.variant.kernel->scratch) arguments.push_back(scratch.name);
    arguments.insert(arguments.end(), scalars.begin(), scalars.end());
    for (const std::string& name : known) add_once(arguments, name);
    for (const Word& word : argument_names_) {
      if (contains(arguments, word.text)) continue;
      reporter_.unknown_name(
          word.position, word.text,
          fmt::format("{}: argument '{}' is not a buffer, scratch buffer, scalar or value here", place_,
                      word.text),
          arguments);
    }
  }

  Reporter& reporter_;
  const Node& node_;
  const FileRules& rules_;
  const Workloads& workloads_;
  const Names& declared_;
  KernelRoom& room_;
  ExpressionReader expressions_;
  std::string place_ = "[[kernel]]";
  const Workload* workload_ = nullptr;
  std::unordered_set<std::string> tunable_names_;
  Names counters_;                    // `step` and `substep`, where something is repeated
  std::vector<Word> argument_names_;  // those that must be known, with the names in `swap`
  KernelEntry entry_;
};

}  // namespace

std::vector<KernelEntry> read_kernels(Reporter& reporter, const Node& node, const FileRules& rules,
                                      const Workloads& workloads,
                                      const std::vector<std::string>& declared) {
  std::vector<KernelEntry> kernels;
  if (node.kind != Node::Kind::array || node.children.empty()) {
    wrong_kind(reporter, node, "'kernel'", "one [[kernel]] or more");
    return kernels;
  }
  if (node.children.size() > max_kernels) {
    reporter.error(node.position, {}, fmt::format("{} [[kernel]] tables", node.children.size()),
                   fmt::format("at most {}", max_kernels));
    return kernels;
  }
  KernelRoom room;
  for (const Node& element : node.children) {
    KernelEntry entry = KernelReader(reporter, element, rules, workloads, declared, room).read();
    for (const KernelEntry& other : kernels) {
      if (entry.variant.name.empty() || other.variant.name != entry.variant.name ||
          other.backend != entry.backend || other.variant.workload != entry.variant.workload) {
        continue;
      }
      reporter.error(
          entry.name_position, entry.variant.name,
          fmt::format("two kernels of backend '{}' and workload '{}' are called '{}', the first at line {}",
                      entry.backend, entry.variant.workload, entry.variant.name, other.position.line),
          "another name");
    }
    kernels.push_back(std::move(entry));
  }
  return kernels;
}

}  // namespace benchctl
