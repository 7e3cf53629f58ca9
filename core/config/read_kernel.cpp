#include "config/read_kernel.hpp"

#include <benchctl/digest.hpp>

#include "config/read.hpp"
#include "config/sources.hpp"
#include "model/point.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace benchctl {

namespace {

/// What every expression of a kernel may name of the device.
constexpr std::array<std::string_view, 3> device_names{"compute_units", "warp", "last_level_cache"};
/// What those of access patterns may name of a thread's place.
constexpr std::array<std::string_view, 8> place_names{"i", "t", "tx", "ty", "tz", "bx", "by", "bz"};

/// What the kernels of a config may still have.
struct KernelRoom {
  SourceRoom sources;
  std::size_t tunables = max_tunables;
};

/// The ways to compute that roofs are measured for.
Names compute_paths() {
  Names paths{"fma"};
  for (const ParameterInfo& parameter : roof_workload().parameters()) {
    for (const std::string& choice : parameter.choices) {
      if (parameter.name == "probe" && choice.starts_with("mma_")) paths.push_back(choice);
    }
  }
  return paths;
}

/// `name`, `space::name`, and where a `<` follows, arguments of a template up to the last `>`.
bool is_entry(std::string_view text) {
  const std::size_t open = std::min(text.find('<'), text.size());
  if (open < text.size() && !text.ends_with('>')) return false;
  const auto harmless = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_:,.<>()*&+-/ ").find(c) != std::string_view::npos;
  };
  if (!std::ranges::all_of(text.substr(open), harmless)) return false;
  std::string_view name = text.substr(0, open);
  for (std::size_t end = 0; (end = name.find("::")) != std::string_view::npos;
       name.remove_prefix(end + 2)) {
    if (!is_identifier(name.substr(0, end))) return false;
  }
  return is_identifier(name);
}

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

  KernelEntry read() {
    const TableReader table(reporter_, node_, place_);
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
      entry_.variant.access =
          read_accesses(reporter_, access_expressions_, *access, table.quoted("access"));
    }
    check_names();
    return std::move(entry_);
  }

 private:
  void identity(const TableReader& table) {
    const auto word = [&](const char* key, std::string& text, Position& position) {
      Word given;
      table.read(key, given);
      text = given.text;
      position = given.position;
      return given;
    };
    const Word name = word("name", entry_.variant.name, entry_.name_position);
    word("workload", entry_.variant.workload, entry_.workload_position);
    word("backend", entry_.backend, entry_.backend_position);
    if (!name.text.empty()) {
      static_cast<void>(expressions_.is_identifier(name, table.quoted("name")));
      place_ = fmt::format("kernel '{}'", name.text);
    }
    table.read("doc", entry_.variant.doc);
    bool abstract = false;  // those that are were left out
    table.read("abstract", abstract);
    const std::string& workload = entry_.variant.workload;
    workload_ = workloads_.find(workload);
    // One of the config's own that has errors of its own: those are reported.
    if (workload_ != nullptr || workload.empty() || contains(declared_, workload)) return;
    reporter_.unknown_name(entry_.workload_position, workload,
                           fmt::format("{}: unknown workload '{}'", place_, workload),
                           names_of(workloads_.all(), &Workload::name));
  }

  void traits(const TableReader& table) {
    VariantInfo& variant = entry_.variant;
    table.read("dtypes", variant.dtypes);
    table.read("device_types", variant.device_types);
    read_layouts(table);
    table.read("features", variant.features);
    table.read("wrong_on_purpose", variant.wrong_on_purpose);
    // A choice compiles nothing of its own.
    if (table.find("among") == nullptr) table.read("architectures", variant.architectures);
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

  /// Those that the workload has not are reported.
  void read_layouts(const TableReader& table) {
    std::vector<Word> words;
    table.read("layouts", words);
    if (workload_ == nullptr) return;
    const Names known(workload_->layouts().begin(), workload_->layouts().end());
    for (const Word& word : words) {
      if (contains(known, word.text)) {
        entry_.variant.layouts.push_back(word.text);
      } else if (known.empty()) {
        reporter_.error(word.position,
                        fmt::format("{}: workload '{}' has one layout only", place_, workload_->name()));
      } else {
        reporter_.unknown_name(word.position, word.text,
                               fmt::format("{}: unknown layout '{}'", place_, word.text), known);
      }
    }
  }

  void add_tunable(const std::string& name, Position position, TunableInfo info, bool has_default) {
    if (contains(problem_names(), name)) {
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

  void read_tunables(const Node& node) {
    for (const Node& member : children_of(reporter_, node, Node::Kind::table, quoted("tunables"),
                                          "a table such as { TILE = 16 }")) {
      if (expressions_.is_identifier(member, fmt::format("a tunable of {}", place_))) read_tunable(member);
    }
  }

  /// A value, which is its default, or a table.
  void read_tunable(const Node& member) {
    const std::string what = fmt::format("tunable '{}' of {}", member.key, place_);
    TunableInfo info;
    if (is_scalar(member)) {
      check_plain(member.value, member.position, what);
      info.default_value = member.value;
      return add_tunable(member.key, member.key_position, std::move(info), true);
    }
    const TableReader table(reporter_, member, what, "tunable of [[kernel]]");
    if (!table.is_table()) return;
    const Node* given = table.find("default");
    if (given != nullptr && is_scalar(*given)) {
      check_plain(given->value, given->position, what);
      info.default_value = given->value;
    } else if (given != nullptr) {
      wrong_kind(reporter_, *given, table.quoted("default"), "a number, a string or a truth value");
    }
    const Node* require = table.find("require");
    if (require != nullptr) info.require = expressions_.read_list(*require, table.quoted("require"));
    table.read("doc", info.doc);
    table.read("by_size", info.by_size);
    bool plain = true;
    const Node* values = table.find("values");
    if (auto axis = values == nullptr ? std::nullopt : read_axis(reporter_, *values)) {
      refuse_repeats(reporter_, *axis);
      for (std::size_t i = 0; i < axis->values.size(); ++i)
        plain = check_plain(axis->values[i], axis->value_positions[i], what) && plain;
      info.values = std::move(axis->values);
    }
    const bool is_word = std::holds_alternative<std::string>(info.default_value);
    if (is_word && plain && !info.values.empty() && require == nullptr) {
      Names words;  // `store in ['cached', 'streaming']`
      for (const Value& word : info.values) words.push_back(fmt::format("'{}'", to_text(word)));
      info.require.push_back(fmt::format("{} in [{}]", member.key, fmt::join(words, ", ")));
    }
    add_tunable(member.key, member.key_position, std::move(info), given != nullptr);
  }

  /// Values of tunables become definitions. False, and reported, for what cannot.
  bool check_plain(const Value& value, Position position, const std::string& what) {
    const auto* word = std::get_if<std::string>(&value);
    if (word == nullptr || is_plain_word(*word)) return true;
    reporter_.error(position, fmt::format("{} cannot be '{}'", what, *word), std::string(plain_word_rule));
    return false;
  }

  /// A choice has nothing of its own but the variants that it is among.
  void read_choice_of(const Node& among) {
    Names keys = config_table("[[kernel.launch]]").key_names();
    keys.insert(keys.end(), {"launch", "scratch", "tunables", "derived", "effort"});
    for (const std::string& key : keys) {
      const Node* node = node_.find(key);
      if (node == nullptr) continue;
      reporter_.error(node->position,
                      fmt::format("{} has both 'among' and '{}': a choice has no kernel", place_, key),
                      "one of them");
    }
    entry_.variant.tunables = choice_tunables();
    std::vector<Word> names;
    read_value(reporter_, among, quoted("among"), names);
    for (const Word& name : names) {
      entry_.variant.among.push_back(name.text);
      entry_.among_positions.push_back(name.position);
    }
  }

  void read_derived(const Node& node) {
    const std::string what = quoted("derived");
    // In the order of the text: each may use those above it.
    for (const Node& member : children_of(reporter_, node, Node::Kind::table, what,
                                          R"_(a table such as { blocks = "ceil_div(n, tile)" })_")) {
      if (!expressions_.is_identifier(member, fmt::format("a name in {}", what))) continue;
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
      check_order(node, member, what);
      if (of_thread) {
        access_expressions_.define(member.key, *text);
      } else {
        entry_.variant.kernel->derived.emplace_back(member.key, std::move(*text));
      }
    }
    // Tunables are checked before anything is derived from them.
    for (TunableInfo& tunable : entry_.variant.tunables) {
      std::erase_if(tunable.require, [&](const std::string& text) {
        const bool needs_derived = std::ranges::any_of(
            parsed_expression(text).names(), [&](const std::string& name) { return is_derived(name); });
        if (needs_derived) entry_.variant.require.push_back(text);
        return needs_derived;
      });
    }
  }

  /// Reports a derived value that uses one at or below its own place.
  void check_order(const Node& table, const Node& member, const std::string& what) {
    if (member.kind != Node::Kind::text) return;
    const Expression& expression = parsed_expression(std::get<std::string>(member.value));
    for (const std::string& used : expression.names()) {
      const Node* other = table.find(used);
      if (other == nullptr || other < &member) continue;
      reporter_.error(
          mention_position(reporter_, member.position, expression, used),
          fmt::format("{}: '{}' uses '{}', which does not stand above it", what, member.key, used),
          "only values above it");
    }
  }

  /// Does a derived value name a thread's place, itself or through others? Then it is for `access` alone.
  [[nodiscard]] bool is_of_thread(const Node& derived) const {
    if (derived.kind != Node::Kind::text) return false;
    try {
      return std::ranges::any_of(
          parsed_expression(std::get<std::string>(derived.value)).names(), [&](const std::string& name) {
            return access_expressions_.is_defined(name) ||
                   (std::ranges::find(place_names, name) != place_names.end() && !is_known(name));
          });
    } catch (const ExpressionError&) {
      return false;  // it is reported where it is read
    }
  }

  void read_scratch(const Node& node) {
    for (const Node& element : children_of(reporter_, node, Node::Kind::array, quoted("scratch"),
                                           "one [[kernel.scratch]] each")) {
      const TableReader table(reporter_, element, "[[kernel.scratch]]");
      ScratchSpec& scratch = entry_.variant.kernel->scratch.emplace_back();
      scratch.name = expressions_.read_identifier(table, "name").text;
      table.read("dtype", scratch.type);
      expressions_.read(table, "count", scratch.count);
      table.read("zeroed", scratch.zeroed);
    }
  }

  /// What a launch leaves open is the kernel's, but for the repetition, which is that of the sequence.
  void launches(const TableReader& table) {
    KernelSpec& spec = *entry_.variant.kernel;
    read_repetition(node_, "step", spec.repeat, spec.swap);
    const Node* list = table.find("launch");
    if (list == nullptr) return add_launch(node_, false);
    Node common = node_;
    std::erase_if(common.children,
                  [keys = config_table("[[kernel.launch]]").key_names()](const Node& member) {
                    return !contains(keys, member.key) || member.key == "repeat" || member.key == "swap";
                  });
    for (const Node& element : children_of(reporter_, *list, Node::Kind::array, quoted("launch"),
                                           "one [[kernel.launch]] or more", least_one)) {
      if (!TableReader(reporter_, element, "[[kernel.launch]]").is_table()) continue;
      Node launch = common;
      if (element.find("source") != nullptr || element.find("text") != nullptr) {
        std::erase_if(launch.children,
                      [](const Node& member) { return member.key == "source" || member.key == "text"; });
      }
      lay_over(launch, element);
      launch.position = element.position;
      add_launch(launch, true);
    }
  }

  const Node* required(const Node& table, std::string_view key) {
    const Node* found = table.find(key);
    if (found == nullptr) reporter_.error(table.position, fmt::format("{} has no '{}'", place_, key));
    return found;
  }

  /// Where a launch's kernel stands. Its files, and those that it includes, are added to the entry's.
  void read_source(const Node& table, LaunchSpec& launch) {
    const Node* source = table.find("source");
    const Node* text = table.find("text");
    if (source == nullptr && text == nullptr) {
      reporter_.error(table.position, fmt::format("{} has no 'source' and no 'text'", place_));
      return;
    }
    if (source != nullptr && text != nullptr) {
      reporter_.error(text->position, fmt::format("{} has both 'source' and 'text'", place_),
                      "one of them");
      return;
    }
    const Node& node = source != nullptr ? *source : *text;
    std::string word;
    read_value(reporter_, node, quoted(node.key), word);
    if (word.empty()) return;
    // A text gets a file's name, the same in every run: messages of compilers show it.
    launch.source = source != nullptr
                        ? word + suffix_
                        : fmt::format("{}-{}", entry_.variant.name, digest_text(word).substr(0, 8));
    try {
      if (text != nullptr) {
        collect_text(launch.source, word, rules_.files, room_.sources, entry_.files);
        entry_.has_text = true;
      } else if (rules_.keep_sources) {
        collect_sources(launch.source, rules_.files, room_.sources, entry_.files);
      } else {
        static_cast<void>(locate_file(launch.source, rules_.files));
      }
    } catch (const std::runtime_error& error) {  // SourceError, or one of the file system
      reporter_.error(node.position, fmt::format("source of {}: {}", place_, error.what()));
    }
  }

  void add_launch(const Node& table, bool one_of_several) {
    LaunchSpec launch;
    read_source(table, launch);
    const std::string stem = std::filesystem::path(launch.source).stem().string();
    if (table.find("entry") == nullptr && is_identifier(stem)) {
      launch.entry = stem;
    } else if (const Node* entry = required(table, "entry")) {
      const auto word = read_word(reporter_, *entry, quoted("entry"));
      if (word && is_entry(word->text)) launch.entry = word->text;
      if (word && launch.entry.empty()) {
        reporter_.error(word->position, fmt::format("{} is '{}'", quoted("entry"), word->text),
                        "a function's name of letters, digits and '_', or that of a template with its "
                        "arguments: add<float, TILE>");
      }
    }
    if (one_of_several) {
      read_repetition(table, "substep", launch.repeat, launch.swap);
      if (const Node* prepare = table.find("prepare"))
        read_value(reporter_, *prepare, quoted("prepare"), launch.prepare);
    }
    launch.arguments = {all_arguments};
    const std::size_t named = argument_names_.size();
    if (const Node* arguments = table.find("arguments"))
      launch.arguments = read_arguments(*arguments, quoted("arguments"));
    if (launch.prepare && workload_ != nullptr)
      check_prepare(table.position, launch.arguments, std::span(argument_names_).subspan(named));
    if (const Node* defines = table.find("defines")) read_defines(*defines, launch);
    if (const Node* extras = table.find("extras")) read_extras(*extras, launch);
    if (const Node* options = table.find("options")) read_options(*options, launch);
    if (const Node* constants = table.find("constants")) read_constants(*constants, launch);
    for (const auto& [key, triple] : {std::pair{"block", &launch.block}, {"grid", &launch.grid}}) {
      if (const Node* node = required(table, key)) *triple = expressions_.read_triple(*node, quoted(key));
    }
    for (const auto& [key, text] : {std::pair{"shared_bytes", &launch.shared_bytes},
                                    {"local_bytes", &launch.local_bytes},
                                    {"when", &launch.when}}) {
      expressions_.read(table.find(key), quoted(key), *text);
    }
    entry_.variant.kernel->launches.push_back(std::move(launch));
  }

  /// A kernel may take a buffer twice, so no word is refused for coming again. Plain names are added to
  /// those that must be known.
  std::vector<ArgumentSpec> read_arguments(const Node& node, const std::string& what) {
    std::vector<ArgumentSpec> arguments;
    for (const Node& element : children_of(reporter_, node, Node::Kind::array, what,
                                           R"(a list such as ["x", "n", { f32 = "1 / n" }])")) {
      const std::string one = fmt::format("an element of {}", what);
      if (element.kind == Node::Kind::table) {
        read_typed_argument(element, one, arguments);
      } else if (is_numeric(element)) {
        const std::string number = literal(element.value);
        arguments.push_back(number.starts_with('-') ? "(" + number + ")" : number);
      } else if (const auto word = read_word(reporter_, element, one)) {
        if (is_name_or_expression(element, *word, one)) arguments.push_back(word->text);
      }
    }
    return arguments;
  }

  /// `{ i32 = "num_blocks" }`, `{ local_bytes = "4 * block" }`.
  void read_typed_argument(const Node& node, const std::string& what,
                           std::vector<ArgumentSpec>& arguments) {
    if (node.children.size() != 1) {
      reporter_.error(node.position, fmt::format("{} has {} types", what, node.children.size()),
                      "one, such as { i32 = \"ceil_div(n, TILE)\" }");
      return;
    }
    Names types = spellings<DType>();
    types.insert(types.end(), {"dtype", local_argument});
    const Node& member = node.children.front();
    if (!contains(types, member.key)) {
      reporter_.unknown_name(member.key_position, member.key,
                             fmt::format("{} has the type '{}'", what, member.key), types);
    } else if (auto text = expressions_.read(member, fmt::format("'{}' in {}", member.key, what))) {
      arguments.emplace_back(std::move(*text), member.key);
    }
  }

  /// "y|x" has two names. False when an error was reported.
  bool is_name_or_expression(const Node& node, const Word& word, const std::string& what) {
    if (word.text == all_arguments) return true;
    const auto names = alternatives(word.text);
    if (!names) return expressions_.read(node, what).has_value();
    for (const std::string& name : *names) argument_names_.push_back({name, word.position});
    return true;
  }

  /// A launch with `prepare` is not timed, so it must not see the problem. `names` are those of
  /// `arguments`, `table` is where the launch stands.
  void check_prepare(Position table, const std::vector<ArgumentSpec>& arguments,
                     std::span<const Word> names) {
    const auto refuse = [&](Position position, const std::string& what) {
      reporter_.error(
          position,
          fmt::format("{}: a launch with 'prepare' is not timed, so it cannot take {}", place_, what),
          "'arguments' with scratch buffers and numbers only");
    };
    if (std::ranges::find(arguments, ArgumentSpec(all_arguments)) != arguments.end())
      refuse(table, "all buffers of the workload ('*')");
    const Names buffers = memory_names().buffers;
    for (const Word& name : names) {
      if (contains(buffers, name.text))
        refuse(name.position, fmt::format("buffer '{}' of the workload", name.text));
    }
    for (const ScratchSpec& one : entry_.variant.kernel->scratch) {
      const auto found = std::ranges::find(names, one.name, &Word::text);
      if (one.zeroed && found != names.end())
        refuse(found->position,
               fmt::format("scratch '{}', which is zeroed before every execution", one.name));
    }
  }

  /// `repeat` and `swap` of a launch or of the sequence, whose expressions may name `counter` then.
  void read_repetition(const Node& node, const std::string& counter, std::string& repeat, Names& swap) {
    if (const Node* times = node.find("repeat")) {
      if (is_known(counter) && !contains(counters_, counter)) {
        reporter_.error(times->position,
                        fmt::format("{}: its counter is '{}', which already has another meaning",
                                    quoted("repeat"), counter),
                        "another name for the other");
      }
      expressions_.read(times, quoted("repeat"), repeat);
      add_once(counters_, counter);
    }
    const Node* pairs = node.find("swap");
    const auto words = pairs == nullptr ? std::nullopt : read_words(reporter_, *pairs, quoted("swap"));
    if (!words) return;
    if (words->size() % 2 != 0) {
      reporter_.error(pairs->position, fmt::format("{}: names come in pairs", quoted("swap")),
                      "two names of buffers, such as [\"a\", \"b\"]");
    }
    if (node.find("repeat") == nullptr) {
      reporter_.error(pairs->position, fmt::format("{} without 'repeat'", quoted("swap")),
                      "'repeat': the names change places after each repetition");
    }
    for (const Word& word : *words) {
      swap.push_back(word.text);
      argument_names_.push_back(word);
    }
  }

  /// A macro of the same name as its value is a tunable without a default, if nothing else has that name.
  void read_defines(const Node& node, LaunchSpec& launch) {
    const std::string what = quoted("defines");
    for (const Node& member : children_of(
             reporter_, node, Node::Kind::table, what,
             R"_(a list of names and definitions, or a table such as { REAL = "ctype(dtype)" })_")) {
      if (!expressions_.is_identifier(member, fmt::format("a macro in {}", what))) continue;
      if (auto text = expressions_.read(member, fmt::format("'{}' in {}", member.key, what))) {
        if (*text == member.key && !is_known(*text)) add_tunable(*text, member.key_position, {}, false);
        launch.defines.emplace(member.key, std::move(*text));
      }
    }
  }

  void read_extras(const Node& node, LaunchSpec& launch) {
    for (const Node& extra : children_of(reporter_, node, Node::Kind::table, quoted("extras"),
                                         "a table of names and expressions")) {
      if (auto text = expressions_.read(extra, fmt::format("'{}' in {}", extra.key, quoted("extras"))))
        launch.extras.emplace(extra.key, std::move(*text));
    }
  }

  void read_options(const Node& node, LaunchSpec& launch) {
    const std::string what = quoted("options");
    for (const Word& word : read_words(reporter_, node, what).value_or(std::vector<Word>{})) {
      const auto add_expression = [&](const std::string& text) {
        Node expression;
        expression.kind = Node::Kind::text;
        expression.position = word.position;
        expression.value = text;
        static_cast<void>(expressions_.read(expression, what));
        return std::string();
      };
      try {
        static_cast<void>(with_values(word.text, add_expression));
      } catch (const ExpressionError& error) {
        reporter_.error(word.position, fmt::format("{} is '{}': {}", what, word.text, error.what()));
      }
      launch.options.push_back(word.text);
    }
  }

  void read_constants(const Node& node, LaunchSpec& launch) {
    const std::string what = quoted("constants");
    for (const Node& member :
         children_of(reporter_, node, Node::Kind::table, what,
                     R"(a table of symbols and buffers such as { FILTER = "weights" })")) {
      const std::string one = fmt::format("'{}' in {}", member.key, what);
      const auto word = read_word(reporter_, member, one);
      if (!word || !expressions_.is_identifier(member, one)) continue;
      launch.constants.try_emplace(member.key, word->text);
      argument_names_.push_back(*word);
    }
  }

  void undefine(const Node& node, const std::string& what) {
    for (const Word& word : read_words(reporter_, node, what).value_or(std::vector<Word>{})) {
      for (LaunchSpec& launch : entry_.variant.kernel->launches) launch.defines.erase(word.text);
    }
  }

  [[nodiscard]] std::string quoted(std::string_view key) const {
    return fmt::format("'{}' of {}", key, place_);
  }

  [[nodiscard]] Names problem_names() const {
    if (workload_ == nullptr) return {};
    Names names = names_of(workload_->parameters(), &ParameterInfo::name);
    if (!workload_->layouts().empty()) names.emplace_back("layout");
    return names;
  }

  /// Buffers and scalars that a problem of the workload may have: with the defaults, also of the kernel's
  /// tunables, and with each word that a parameter can be. Empty where these make no problem.
  struct MemoryNames {
    Names buffers;
    Names scalars;
  };
  [[nodiscard]] MemoryNames memory_names() const {
    MemoryNames names;
    Parameters defaults;
    for (const TunableInfo& tunable : entry_.variant.tunables)
      defaults[tunable.name] = tunable.default_value;
    const std::string layout = workload_->layouts().empty() ? std::string() : workload_->layouts().front();
    const auto add = [&](const Parameters& given) {
      try {
        const ProblemSpec problem = workload_->problem(
            problem_values(*workload_, complete_parameters(*workload_, given), defaults), layout);
        for (const BufferSpec& buffer : problem.buffers) add_once(names.buffers, buffer.name);
        for (const ScalarSpec& scalar : problem.scalars) add_once(names.scalars, scalar.name);
      } catch (const ProblemError&) {  // the word does not go with the other defaults
      }
    };
    add({});
    for (const ParameterInfo& parameter : workload_->parameters()) {
      for (const std::string& choice : parameter.choices) add({{parameter.name, choice}});
    }
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
    return is_derived(name) || access_expressions_.is_defined(name) || tunable_names_.contains(name) ||
           contains(problem_names(), name) || contains(counters_, name) ||
           std::ranges::find(device_names, name) != device_names.end();
  }

  /// In a launch with `shared_bytes` a name that only the sources have is the pointer to that memory.
  [[nodiscard]] bool is_local_memory(const std::string& name) {
    if (std::ranges::none_of(entry_.files,
                             [&](const SourceFile& file) { return has_word(file.text, name); }))
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

  void check_names() {
    if (workload_ == nullptr) return;
    const Names known = known_names();
    expressions_.check_names(known, place_);
    Names in_access = known;
    in_access.insert(in_access.end(), place_names.begin(), place_names.end());
    access_expressions_.check_names(in_access, place_);
    if (argument_names_.empty()) return;
    auto [arguments, scalars] = memory_names();
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

}  // namespace

std::vector<KernelEntry> read_kernels(Reporter& reporter, const Node& node, const FileRules& rules,
                                      const Workloads& workloads,
                                      const std::vector<std::string>& declared) {
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
