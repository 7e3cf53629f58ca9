// [[sweep]]: axes, conditions, what is tied together, and what is different on some devices; [search].
#include "config/expressions.hpp"
#include "config/read.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace benchctl {

namespace {

Match read_match(Reporter& reporter, const Node& node) {
  const TableReader table(reporter, node, "match", "match of [[sweep.override]]");
  Match match;
  if (node.kind == Node::Kind::table && node.children.empty()) {
    reporter.error(node.position, "'match' is empty", "at least one of backend, device_type, device");
  }
  table.read("backend", match.backend);
  table.read("device_type", match.device_type);
  table.read("device", match.device);
  return match;
}

Override read_override(Reporter& reporter, const Node& node) {
  const std::string place = "[[sweep.override]]";
  const TableReader table(reporter, node, place);
  Override over;
  over.position = node.position;
  if (!table.is_table()) return over;
  if (const Node* match = table.find("match")) over.match = read_match(reporter, *match);
  const Node* parameters = table.find("parameters");
  const Node* measure = table.find("measure");
  if (parameters == nullptr && measure == nullptr) {
    reporter.error(node.position, fmt::format("{} changes nothing", place), "'parameters' or 'measure'");
  }
  if (parameters != nullptr) over.axes = read_axes(reporter, *parameters, place);
  if (measure != nullptr) over.measure = read_measure(reporter, *measure, "'measure' in " + place);
  return over;
}

/// Tied axes: each named once, each an axis of the sweep (`declared`).
std::vector<ZipGroup> read_zips(Reporter& reporter, const Node& node,
                                const std::vector<std::string>& declared) {
  const std::string expected = R"(a list of lists of axes, such as [["m", "n"]])";
  std::vector<ZipGroup> zips;
  std::vector<std::string> tied;
  for (const Node& element :
       children_of(reporter, node, Node::Kind::array, "'zip' in [[sweep]]", expected)) {
    ZipGroup zip{element.position, {}};
    if (element.kind == Node::Kind::array && element.children.size() < 2) {
      reporter.error(element.position, fmt::format("zip ties {} axis names", element.children.size()),
                     "at least two");
    }
    for (const Node& name :
         children_of(reporter, element, Node::Kind::array, "an element of 'zip'", expected)) {
      auto word = read_word(reporter, name, "an axis name in 'zip'");
      if (!word) continue;
      if (!contains(declared, word->text)) {
        reporter.unknown_name(word->position, word->text,
                              fmt::format("zip names '{}', which is not an axis of this sweep", word->text),
                              declared);
      } else if (contains(tied, word->text)) {
        reporter.error(word->position, fmt::format("zip names '{}' twice", word->text));
      } else {
        tied.push_back(word->text);
        zip.names.push_back(std::move(*word));
      }
    }
    zips.push_back(std::move(zip));
  }
  return zips;
}

std::vector<Condition> read_where(Reporter& reporter, const Node& node) {
  std::vector<Condition> conditions;
  std::size_t bytes = 0;
  for (const Node& element : children_of(reporter, node, Node::Kind::array, "'where' in [[sweep]]",
                                         R"(a list of conditions, such as ["m * n <= 1e8"])")) {
    const auto word = read_word(reporter, element, "a condition in 'where'");
    if (!word) continue;
    bytes += word->text.size();
    if (auto expression = parse_expression(reporter, *word, "where"))
      conditions.push_back({std::move(*expression), word->position});
  }
  if (bytes > max_condition_bytes) {
    reporter.error(
        node.position, fmt::format("'where' in [[sweep]] has {} bytes of conditions", bytes),
        fmt::format("at most {}, since each point takes its time for them", max_condition_bytes));
  }
  return conditions;
}

void read_expectations(Reporter& reporter, const Node& node, Sweep& sweep) {
  if (node.kind != Node::Kind::table) {
    read_value(reporter, node, "'expect' in [[sweep]]", sweep.expect);
    return;
  }
  for (const Node& member : node.children) {
    VariantExpectation& entry = sweep.expectations.emplace_back();
    entry.variant = {member.key, member.key_position};
    read_value(reporter, member, fmt::format("'{}' in expect", member.key), entry.expect);
  }
}

void read_overrides(Reporter& reporter, const Node& node, Sweep& sweep) {
  for (const Node& element : children_of(reporter, node, Node::Kind::array, "'override' in [[sweep]]",
                                         "one [[sweep.override]] each")) {
    sweep.overrides.push_back(read_override(reporter, element));
  }
}

Sweep read_sweep(Reporter& reporter, const Node& node, std::size_t index) {
  const std::string place = "[[sweep]]";
  const TableReader table(reporter, node, place);
  Sweep sweep;
  sweep.name = fmt::format("sweep-{}", index + 1);
  sweep.position = node.position;
  table.read_name("name", sweep.name);
  table.read("workload", sweep.workload);
  table.read("backends", sweep.backends);
  table.read("devices", sweep.devices);
  table.read("variants", sweep.variants);
  std::vector<std::string> declared;
  if (const Node* parameters = table.find("parameters")) {
    sweep.axes = read_axes(reporter, *parameters, place);
    for (const Node& member : parameters->children) declared.push_back(member.key);
  }
  if (const Node* zip = table.find("zip")) sweep.zips = read_zips(reporter, *zip, declared);
  if (const Node* where = table.find("where")) sweep.where = read_where(reporter, *where);
  if (const Node* overrides = table.find("override")) read_overrides(reporter, *overrides, sweep);
  if (const Node* expect = table.find("expect")) read_expectations(reporter, *expect, sweep);
  if (const Node* measure = table.find("measure")) {
    sweep.measure = read_measure(reporter, *measure, "[sweep.measure]");
  }
  if (const Node* search = table.find("search")) {
    read_search(reporter, *search, "'search' in [[sweep]]", sweep.search.emplace());
  }
  check_zips(reporter, sweep);
  check_repeats(reporter, sweep);
  return sweep;
}

/// A sweep is told from the others, and from `measure`, by its name in `--set NAME.axis=…`.
void check_sweep_names(Reporter& reporter, const std::vector<Sweep>& sweeps, const Node& node) {
  std::unordered_map<std::string_view, std::size_t> first;  // sweep of that name
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    const Node* name = node.children[i].find("name");
    const Position place = name == nullptr ? sweeps[i].position : name->position;
    if (sweeps[i].name == "measure") {
      reporter.error(place, "a sweep cannot be called 'measure', which --set means otherwise",
                     "another name");
    }
    const auto [known, fresh] = first.try_emplace(sweeps[i].name, i);
    if (fresh) continue;
    reporter.error(place,
                   fmt::format("two sweeps are called '{}', the first at line {}", sweeps[i].name,
                               sweeps[known->second].position.line),
                   "another name");
  }
}

}  // namespace

void read_search(Reporter& reporter, const Node& node, const std::string& place, SearchSettings& search) {
  const TableReader table(reporter, node, place, "[search]");
  search.position = node.position;
  table.read("strategy", search.strategy);
  table.read("objective", search.objective);
  search.max_points = static_cast<std::uint64_t>(
      table.integer("max_points", 1, std::int64_t{max_combinations}).value_or(0));
  search.seed = static_cast<std::uint64_t>(table.integer("seed", 0, std::int64_t{1} << 53).value_or(1));
}

void read_sweeps(Reporter& reporter, const Node& node, Config& config) {
  for (const Node& element :
       children_of(reporter, node, Node::Kind::array, "'sweep'", "one [[sweep]] or more", least_one)) {
    config.sweeps.push_back(read_sweep(reporter, element, config.sweeps.size()));
  }
  check_sweep_names(reporter, config.sweeps, node);
}

}  // namespace benchctl
