#include "config/read_kernel.hpp"

#include "config/inherit.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace benchctl {

namespace {

/// What every expression of a kernel may name of the device.
constexpr std::array<std::string_view, 3> device_names{"compute_units", "warp", "last_level_cache"};
/// What those of access patterns may name of a thread's place.
constexpr std::array<std::string_view, 8> place_names{"i", "t", "tx", "ty", "tz", "bx", "by", "bz"};

}  // namespace

KernelEntry KernelReader::read() {
  const TableReader table(reporter_, node_, place_, "[[kernel]]");
  entry_.position = node_.position;
  entry_.folder = std::filesystem::absolute(rules_.files.folder).lexically_normal();
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
    expressions_.read(table, "effort", entry_.variant.kernel->effort);
    if (const Node* scratch = table.find("scratch")) read_scratch(*scratch);
    table.read("suffix", suffix_);
    launches(table);
    if (const Node* macros = table.find("undefine")) undefine(*macros, table.quoted("undefine"));
  }
  if (const Node* access = table.find("access")) {
    entry_.variant.access = read_accesses(reporter_, access_expressions_, *access, table.quoted("access"));
  }
  check_names();
  return std::move(entry_);
}

void KernelReader::identity(const TableReader& table) {
  const auto word = [&](const char* key, std::string& text, Position& position) {
    Word given;
    table.read(key, given);
    text = given.text;
    position = given.position;
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
  bool abstract = false;  // those that are were left out
  table.read("abstract", abstract);
  if (entry_.variant.workload.empty()) return;
  workload_ = workloads_.find(entry_.variant.workload);
  if (workload_ != nullptr) return;
  // One of the config's own that has errors of its own: those are reported.
  if (contains(declared_, entry_.variant.workload)) return;
  Names names;
  for (const Workload* workload : workloads_.all()) names.emplace_back(workload->name());
  reporter_.unknown_name(entry_.workload_position, entry_.variant.workload,
                         fmt::format("{}: unknown workload '{}'", place_, entry_.variant.workload), names);
}

void KernelReader::traits(const TableReader& table) {
  VariantInfo& variant = entry_.variant;
  table.read("dtypes", variant.dtypes);
  table.read("device_types", variant.device_types);
  if (const Node* node = table.find("layouts"))
    variant.layouts = read_kernel_layouts(reporter_, *node, table.quoted("layouts"), workload_, place_);
  table.read("features", variant.features);
  table.read("wrong_on_purpose", variant.wrong_on_purpose);
  // A choice compiles nothing of its own.
  if (table.find("among") == nullptr) table.read("architectures", variant.architectures);
  if (const Node* node = table.find("precision")) {
    read_choice(reporter_, *node, table.quoted("precision"), {"dtype", "f64", "f32", "tf32", "f16", "bf16"},
                variant.precision);
  }
  if (const Node* node = table.find("compute_path")) {
    read_choice(reporter_, *node, table.quoted("compute_path"), compute_paths(), variant.compute_path);
  }
  if (const Node* node = table.find("require")) {
    variant.require = expressions_.read_list(*node, table.quoted("require"));
  }
}

void KernelReader::add_tunable(const std::string& name, Position position, TunableInfo info,
                               bool has_default) {
  for (const std::string& other : problem_names()) {
    if (other != name) continue;
    reporter_.error(position,
                    fmt::format("{}: tunable '{}' has the name of a parameter of workload '{}'", place_,
                                name, entry_.variant.workload),
                    "another name");
    return;
  }
  if (room_.tunables == 0) {
    reporter_.error(
        position,
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

void KernelReader::read_tunables(const Node& node) {
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

void KernelReader::read_choice_of(const Node& among) {
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

void KernelReader::refuse_in_choice(std::string_view key) {
  if (const Node* node = node_.find(key)) {
    reporter_.error(node->position,
                    fmt::format("{} has both 'among' and '{}': a choice has no kernel", place_, key),
                    "one of them");
  }
}

void KernelReader::read_derived(const Node& node) {
  const std::string what = fmt::format("'derived' of {}", place_);
  // In the order of the text: each may use those above it.
  for (const Node& member : children_of(reporter_, node, Node::Kind::table, what,
                                        R"_(a table such as { blocks = "ceil_div(n, tile)" })_")) {
    if (!expressions_.is_identifier(member.key, member.key_position, fmt::format("a name in {}", what)))
      continue;
    if (is_known(member.key)) {
      reporter_.error(member.key_position,
                      fmt::format("{}: '{}' already has another meaning", what, member.key),
                      "another name");
      continue;
    }
    const bool of_thread = is_of_thread(member);
    auto text = (of_thread ? access_expressions_ : expressions_)
                    .read(member, fmt::format("'{}' in {}", member.key, what));
    if (!text) continue;
    if (of_thread) {
      access_expressions_.define(member.key, *text);
    } else {
      entry_.variant.kernel->derived.emplace_back(member.key, std::move(*text));
    }
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

bool KernelReader::is_of_thread(const Node& derived) const {
  if (derived.kind != Node::Kind::text) return false;
  try {
    return std::ranges::any_of(
        Expression::parse(std::get<std::string>(derived.value)).names(), [&](const std::string& name) {
          return access_expressions_.is_defined(name) ||
                 (std::ranges::find(place_names, name) != place_names.end() && !is_known(name));
        });
  } catch (const ExpressionError&) {
    return false;  // it is reported where it is read
  }
}

void KernelReader::read_scratch(const Node& node) {
  for (const Node& element :
       children_of(reporter_, node, Node::Kind::array, fmt::format("'scratch' of {}", place_),
                   "one [[kernel.scratch]] each")) {
    entry_.variant.kernel->scratch.push_back(read_scratch_buffer(reporter_, expressions_, element));
  }
}

Names KernelReader::problem_names() const {
  Names names;
  if (workload_ == nullptr) return names;
  for (const ParameterInfo& parameter : workload_->parameters()) names.push_back(parameter.name);
  if (!workload_->layouts().empty()) names.emplace_back("layout");
  return names;
}

Names KernelReader::known_names() const {
  Names names = problem_names();
  for (const TunableInfo& tunable : entry_.variant.tunables) names.push_back(tunable.name);
  if (entry_.variant.kernel) {
    for (const auto& [name, text] : entry_.variant.kernel->derived) names.push_back(name);
  }
  for (const std::string_view name : device_names) add_once(names, std::string(name));
  for (const std::string& counter : counters_) add_once(names, counter);
  return names;
}

bool KernelReader::is_derived(const std::string& name) const {
  return entry_.variant.kernel && std::ranges::any_of(entry_.variant.kernel->derived,
                                                      [&](const auto& one) { return one.first == name; });
}

bool KernelReader::is_known(const std::string& name) const {
  return is_derived(name) || access_expressions_.is_defined(name) || tunable_names_.contains(name) ||
         contains(problem_names(), name) || contains(counters_, name) ||
         std::ranges::find(device_names, name) != device_names.end();
}

bool KernelReader::is_local_memory(const std::string& name) {
  if (std::ranges::none_of(entry_.files, [&](const SourceFile& file) { return has_word(file.text, name); }))
    return false;
  bool found = false;
  for (LaunchSpec& launch : entry_.variant.kernel->launches) {
    const auto argument = std::ranges::find(launch.arguments, ArgumentSpec(name));
    if (argument == launch.arguments.end() || launch.shared_bytes == "0") continue;
    *argument = ArgumentSpec(std::exchange(launch.shared_bytes, "0"), local_argument);
    found = true;
  }
  return found;
}

void KernelReader::check_names() {
  if (workload_ == nullptr) return;
  const Names known = known_names();
  expressions_.check_names(known, place_);
  Names in_access = known;
  in_access.insert(in_access.end(), place_names.begin(), place_names.end());
  access_expressions_.check_names(in_access, place_);
  if (argument_names_.empty()) return;
  auto [arguments, scalars] = problem_names_of(*workload_, entry_.variant.tunables);
  if (arguments.empty()) return;  // the defaults make no problem: the run will tell
  for (const ScratchSpec& scratch : entry_.variant.kernel->scratch) arguments.push_back(scratch.name);
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  for (const std::string& name : known) add_once(arguments, name);
  const char* const advice =
      node_.find("shared_bytes") == nullptr
          ? ""
          : "; a pointer to local memory has its parameter's name, a second one is { local_bytes = … }";
  for (const Word& word : argument_names_) {
    if (contains(arguments, word.text)) continue;
    if (is_local_memory(word.text)) {
      arguments.push_back(word.text);  // for launches that share the list
      continue;
    }
    reporter_.unknown_name(
        word.position, word.text,
        fmt::format("{}: argument '{}' is not a buffer, scratch buffer, scalar or value here{}", place_,
                    word.text, advice),
        arguments);
  }
}

std::vector<KernelEntry> read_kernels(Reporter& reporter, const Node& node, const FileRules& rules,
                                      const Workloads& workloads,
                                      const std::vector<std::string>& declared) {
  if (node.kind != Node::Kind::array || node.children.empty()) {
    wrong_kind(reporter, node, "'kernel'", "one [[kernel]] or more");
    return {};
  }
  std::vector<Node> kernels;
  add_kernels(reporter, node, {}, kernels);
  drop_abstract(kernels);
  return read_kernels(reporter, kernels, {rules}, workloads, declared);
}

std::vector<KernelEntry> read_kernels(Reporter& reporter, const std::vector<Node>& nodes,
                                      const KernelRules& rules, const Workloads& workloads,
                                      const std::vector<std::string>& declared) {
  std::vector<KernelEntry> kernels;
  KernelRoom room;
  for (const Node& element : nodes) {
    KernelEntry entry = KernelReader(reporter, element, rules, workloads, declared, room).read();
    for (const KernelEntry& other : kernels) {
      if (entry.variant.name.empty() || other.variant.name != entry.variant.name ||
          other.backend != entry.backend || other.variant.workload != entry.variant.workload) {
        continue;
      }
      reporter.error(
          entry.name_position,
          fmt::format("two kernels of backend '{}' and workload '{}' are called '{}', the first at line {}",
                      entry.backend, entry.variant.workload, entry.variant.name, other.position.line),
          "another name");
    }
    kernels.push_back(std::move(entry));
  }
  return kernels;
}

}  // namespace benchctl
