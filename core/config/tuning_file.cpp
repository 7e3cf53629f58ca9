#include "config/tuning_file.hpp"

#include "config/expressions.hpp"
#include "config/read.hpp"
#include "model/keys.hpp"
#include "model/values.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

/// Keys of [tuning].
constexpr std::array<std::pair<const char*, std::string TuningTable::*>, 8> origin_keys{
    {{"workload", &TuningTable::workload},
     {"backend", &TuningTable::backend},
     {"architecture", &TuningTable::architecture},
     {"device", &TuningTable::device},
     {"driver", &TuningTable::driver},
     {"date", &TuningTable::date},
     {"command", &TuningTable::command},
     {"revision", &TuningTable::revision}}};

struct ClassOrder {
  bool operator()(const TunedClass& a, const TunedClass& b) const {
    const auto key = [](const TunedClass& one) {
      return std::tuple(one.choice, one.layout, ProblemKey({}, one.problem));
    };
    return key(a) < key(b);
  }
};

class TableOfTunings {
 public:
  explicit TableOfTunings(Reporter& reporter) : reporter_(reporter) {}

  TuningTable read(const Node& document) {
    const TableReader table(reporter_, document, "the tuning table");
    if (const Node* node = table.find("tuning")) provenance(*node);
    if (const Node* node = table.find("class")) classes(*node);
    return std::move(table_);
  }

 private:
  using Range = std::numeric_limits<double>;

  void provenance(const Node& node) {
    const TableReader table(reporter_, node, "[tuning]");
    for (const auto& [key, text] : origin_keys) table.read(key, table_.*text);
  }

  void classes(const Node& node) {
    std::set<TunedClass, ClassOrder> seen;
    for (const Node& element :
         children_of(reporter_, node, Node::Kind::array, "'class'", "one [[class]] or more", least_one)) {
      TunedClass tuned = read_class(element);
      if (!tuned.choice.empty() && !seen.insert(tuned).second) {
        reporter_.error(element.position,
                        fmt::format("two [[class]] tables of choice '{}' have this problem", tuned.choice),
                        "each problem once");
      }
      table_.classes.push_back(std::move(tuned));
    }
  }

  TunedClass read_class(const Node& node) {
    const TableReader table(reporter_, node, "[[class]]");
    TunedClass tuned;
    table.read("choice", tuned.choice);
    if (const Node* problem = table.find("problem")) {
      tuned.problem = read_scalars(reporter_, *problem, table.quoted("problem"),
                                   "a table of parameters such as { n = 512 }");
    }
    table.read("layout", tuned.layout);
    if (const Node* list = table.find("configurations")) configurations(*list, tuned);
    tuned.ns = table.number("ns", Range::denorm_min(), Range::max(), "a time above 0").value_or(tuned.ns);
    return tuned;
  }

  void configurations(const Node& node, TunedClass& tuned) {
    const std::string what = "'configurations' in [[class]]";
    if (node.children.size() > most_configurations) {
      reporter_.error(node.position, fmt::format("{} has {} configurations", what, node.children.size()),
                      fmt::format("at most {}", most_configurations));
      return;
    }
    for (const Node& element : children_of(reporter_, node, Node::Kind::array, what,
                                           "a list of tables such as { variant = \"tiled\" }", least_one)) {
      Configuration one = read_configuration(element);
      if (!tuned.configurations.empty() && one.ratio < tuned.configurations.back().ratio) {
        reporter_.error(element.position, "configurations must be sorted by ratio", "the fastest first");
      }
      tuned.configurations.push_back(std::move(one));
    }
  }

  Configuration read_configuration(const Node& node) {
    const TableReader table(reporter_, node, "a configuration", "configuration of [[class]]");
    Configuration one;
    table.read("variant", one.variant);
    if (const Node* tunables = table.find("tunables")) {
      one.tunables = read_scalars(reporter_, *tunables, table.quoted("tunables"),
                                  "a table of tunables such as { tile = 16 }");
    }
    one.ratio = table.number("ratio", 1, Range::max(), "a number from 1: its time over that of the fastest")
                    .value_or(one.ratio);
    return one;
  }

  Reporter& reporter_;
  TuningTable table_;
};

/// A text in quotes.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return '"' + with_escapes(result) + '"';
}

/// `{ dtype = "f32", n = 512 }`.
std::string toml_table(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    const bool is_text = std::holds_alternative<std::string>(value);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", is_plain_key(name) ? name : quoted(name),
                        is_text ? quoted(to_text(value)) : literal(value));
  }
  return text.empty() ? "{}" : "{ " + text + " }";
}

/// A word as part of a path.
std::string file_name(std::string word) {
  std::ranges::replace_if(
      word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_'; },
      '_');
  return word;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) entries.push_back(entry);
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

TuningTable parse_tuning(const std::string& text, const std::string& name) {
  Reporter reporter({{name, text}});
  TuningTable table = TableOfTunings(reporter).read(parse_document(reporter, 0));
  reporter.throw_if_any();
  return table;
}

std::string to_toml(TuningTable table) {
  std::string text =
      "# Written by `benchctl tune`, which merges what it finds into this file "
      "(docs/tuning.md).\n[tuning]\n";
  const auto line = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{} = {}\n", key, quoted(value));
  };
  for (const auto& [key, value] : origin_keys) line(key, table.*value);
  std::ranges::stable_sort(table.classes, ClassOrder{});
  for (const TunedClass& tuned : table.classes) {
    text += "\n[[class]]\n";
    line("choice", tuned.choice);
    text += fmt::format("problem = {}\n", toml_table(tuned.problem));
    line("layout", tuned.layout);
    if (tuned.ns > 0) text += fmt::format("ns = {:.1f}\n", tuned.ns);
    text += "configurations = [\n";
    for (const Configuration& one : tuned.configurations) {
      text += fmt::format("  {{ ratio = {:.3f}, variant = {}, tunables = {} }},\n", one.ratio,
                          quoted(one.variant), toml_table(one.tunables));
    }
    text += "]\n";
  }
  return text;
}

fs::path tuning_path(const TuningTable& table) {
  return fs::path(file_name(table.backend)) / file_name(table.architecture) /
         (file_name(table.workload) + ".toml");
}

std::vector<TuningTable> load_tunings(const fs::path& folder, std::string_view backend) {
  std::vector<TuningTable> tables;
  for (const fs::path& architecture : entries_of(folder / file_name(std::string(backend)))) {
    for (const fs::path& file : entries_of(architecture)) {
      if (file.extension() == ".toml")
        tables.push_back(parse_tuning(read_config_text(file), file.string()));
    }
  }
  return tables;
}

bool same_class(const TunedClass& a, const TunedClass& b) {
  return !ClassOrder{}(a, b) && !ClassOrder{}(b, a);
}

TuningTable merged(TuningTable newer, const TuningTable& older) {
  const std::set<TunedClass, ClassOrder> known(newer.classes.begin(), newer.classes.end());
  for (const TunedClass& tuned : older.classes) {
    if (!known.contains(tuned)) newer.classes.push_back(tuned);
  }
  return newer;
}

}  // namespace benchctl
