// The tables of keys against the parser: what is documented is read and checked, what is not is refused.
#include "config/key_tables.hpp"
#include "config/gate.hpp"
#include "config/kernel_tables.hpp"
#include "config/tuning_file.hpp"
#include "errors.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Text of a config in which a key stands at the place of `@`, alone in its line.
const std::map<std::string, std::string> places{
    {"the config", "@"},
    {"[experiment]", "[experiment]\n@"},
    {"[compare]", "[compare]\n@"},
    {"[search]", "[search]\n@"},
    {"[[sweep]]", "[[sweep]]\n@"},
    {"[[sweep.override]]", "[[sweep]]\n[[sweep.override]]\n@"},
    {"match of [[sweep.override]]", "[[sweep]]\n[[sweep.override]]\n[sweep.override.match]\n@"},
    {"range of an axis", "[[sweep]]\n[sweep.parameters.n]\n@"},
    {"[[published]]", "[[published]]\n@"},
    {"[[kernel]]", "[[kernel]]\n@"},
    {"[[kernel.launch]]", "[[kernel]]\n[[kernel.launch]]\n@"},
    {"[[kernel.scratch]]", "[[kernel]]\n[[kernel.scratch]]\n@"},
    {"tunable of [[kernel]]", "[[kernel]]\n[kernel.tunables.T]\n@"},
    {"access of [[kernel]]", "[[kernel]]\n[[kernel.access]]\n@"},
    {"the table of kernels", "@"},
    {"[workload.NAME]", "[workload.x]\n@"},
    {"parameter of [workload.NAME]", "[workload.x.parameters.n]\n@"},
    {"[[workload.NAME.buffer]]", "[[workload.x.buffer]]\n@"},
    {"fill of [[workload.NAME.buffer]]", "[[workload.x.buffer]]\n[workload.x.buffer.fill]\n@"},
    {"[[workload.NAME.scalar]]", "[workload.x]\n[[workload.x.buffer]]\n[[workload.x.scalar]]\n@"},
    {"cost of [workload.NAME]", "[[workload.x.buffer]]\n[workload.x.cost]\n@"},
    {"[workload.NAME.data]", "[workload.x.data]\n@"},
    {"[workload.NAME.check]", "[[workload.x.buffer]]\n[workload.x.check]\n@"},
    {"the policy", "@"},
    {"[gate]", "[gate]\n@"},
    {"[[rule]]", "[[rule]]\n@"},
    {"match of [[rule]]", "[[rule]]\n[rule.match]\n@"},
    {"the tuning table", "@"},
    {"[tuning]", "[tuning]\n@"},
    {"[[class]]", "[[class]]\n@"},
    {"configuration of [[class]]", "[[class]]\n[[class.configurations]]\n@"},
};

/// Keys that are looked at only beside another one.
const std::map<std::string, std::string> beside{{"relative_to", "values = [[1, 2.0]]\n"},
                                                {"relative", "kernel = \"k\"\n"},
                                                {"absolute", "kernel = \"k\"\n"},
                                                {"share", "kernel = \"k\"\n"},
                                                {"max_abs", "kernel = \"k\"\n"},
                                                {"rel_l2", "kernel = \"k\"\n"},
                                                {"any_order", "kernel = \"k\"\n"},
                                                {"layout", "like = \"y\"\n"},
                                                {"layoutz", "like = \"y\"\n"},
                                                {"elements", "element = 1\n"},
                                                {"of", "element = 1\n"},
                                                {"step", "from = 1\nto = 2\n"},
                                                {"times", "from = 1\nto = 2\n"}};

std::vector<Diagnostic> findings_in_kernels(const std::string& text) {
  const TemporaryDirectory folder;
  static_cast<void>(folder.write("x.toml", text));
  try {
    static_cast<void>(read_kernel_tables(folder.path(), "x"));
  } catch (const ConfigErrors& errors) {
    std::vector<Diagnostic> found = errors.diagnostics();
    for (Diagnostic& one : found) one.file = "x.toml";
    return found;
  }
  return {};
}

/// Findings in a text that holds a table of this name.
std::vector<Diagnostic> findings(const std::string& table, const std::string& text) {
  const std::set<std::string> policy{"the policy", "[gate]", "[[rule]]", "match of [[rule]]"};
  const std::set<std::string> tuning{"the tuning table", "[tuning]", "[[class]]",
                                     "configuration of [[class]]"};
  try {
    if (policy.contains(table)) {
      static_cast<void>(parse_gate(text, "x.toml"));
    } else if (tuning.contains(table)) {
      static_cast<void>(parse_tuning(text, "x.toml"));
    } else if (table == "the table of kernels") {
      return findings_in_kernels(text);
    } else {
      return errors_of(text);
    }
  } catch (const ConfigErrors& errors) {
    return errors.diagnostics();
  }
  return {};
}

/// Messages about the line of a key that is given a value which no key takes.
std::vector<std::string> messages(const std::string& table, const std::string& key) {
  std::string text = places.at(table);
  const auto needed = beside.find(key);
  text.replace(text.find('@'), 1, (needed == beside.end() ? "" : needed->second) + key + " = [[[]]]\n");
  const auto line = static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
  std::vector<std::string> about;
  for (const Diagnostic& diagnostic : findings(table, text)) {
    const std::string here = "x.toml:" + std::to_string(line) + ":";
    if (const std::string whole = to_text(diagnostic); whole.starts_with(here)) about.push_back(whole);
  }
  return about;
}

}  // namespace

TEST_CASE("every documented key is read, and a value of the wrong kind is refused at its place") {
  for (const ConfigTable& table : config_tables()) {
    CHECK_FALSE(table.doc.empty());
    std::set<std::string> names;
    for (const ConfigKey& key : table.keys) {
      INFO(table.name << ": " << key.name);
      CHECK(names.insert(key.name).second);
      CHECK_FALSE(key.doc.empty());
      CHECK_FALSE(key.value.empty());
      const auto about = messages(table.name, key.name);
      REQUIRE_FALSE(about.empty());
      CHECK_THAT(about.front(), !ContainsSubstring("unknown key"));
    }
  }
  CHECK(config_tables().size() == places.size());
}

TEST_CASE("a key that no table documents is refused with its table's nearest key") {
  for (const ConfigTable& table : config_tables()) {
    const std::string key = table.keys.back().name;
    const auto about = messages(table.name, key + "z");
    INFO(table.name);
    REQUIRE_FALSE(about.empty());
    CHECK_THAT(about.front(), ContainsSubstring("unknown key '" + key + "z'") && ContainsSubstring(key));
  }
}
