// `--set`: changes to a config from the command line.
#include "config/config.hpp"
#include "config/expressions.hpp"
#include "config/measure_settings.hpp"
#include "config/read.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

/// Shells take quotes away: `dtype=[f32,f64]` means `dtype=["f32","f64"]`. Quotes every bare word of
/// the value that TOML would not understand.
std::string with_quotes(const std::string& assignment) {
  const std::size_t value = std::min(assignment.find('='), assignment.size() - 1) + 1;
  const std::string given = assignment.substr(value);
  return assignment.substr(0, value) + with_words(given, [&](std::size_t begin, const std::string& word) {
           const std::size_t next =
               std::min(given.find_first_not_of(' ', begin + word.size()), given.size());
           const bool is_digit = word[0] >= '0' && word[0] <= '9';
           const bool is_plain = is_digit || word == "true" || word == "false" || word == "inf" ||
                                 word == "nan" || given.substr(next, 1) == "=";  // a key
           return is_plain ? word : '"' + word + '"';
         });
}

class Assignment {
 public:
  Assignment(Config& config, Reporter& reporter) : config_(config), reporter_(reporter) {}

  void apply(const Node& document) {
    if (document.children.size() != 1) {
      reporter_.error({1, 1, document.position.source}, "--set takes one assignment",
                      "NAME=VALUE, SWEEP.NAME=VALUE or measure.KEY=VALUE");
      return;
    }
    const Node& first = document.children.front();
    if (first.kind != Node::Kind::table || first.is_inline) {
      set_axis(first, nullptr);
      return;
    }
    for (const Node& member : first.children) {
      if (member.kind == Node::Kind::table && !member.is_inline) {
        reporter_.error(first.key_position, "--set takes one dot at most",
                        "NAME=VALUE, SWEEP.NAME=VALUE or measure.KEY=VALUE");
      } else if (first.key == "measure") {
        set_measure(member);
      } else {
        set_sweep(first, member);
      }
    }
  }

 private:
  void set_measure(const Node& node) {
    if (find_measure_key(node.key) == nullptr) {
      reporter_.unknown_name(node.key_position, node.key, fmt::format("unknown measure key '{}'", node.key),
                             measure_key_names());
      return;
    }
    const auto entry = read_measure_entry(reporter_, node);
    if (!entry) return;
    apply_measure(config_.measure, {*entry});
    // The command line has the last word, also over what single sweeps say.
    const auto forget = [&](MeasurePatch& patch) {
      std::erase_if(patch, [&](const MeasureEntry& other) { return other.key == node.key; });
    };
    forget(config_.measure_entries);
    config_.measure_entries.push_back(*entry);
    for (Sweep& sweep : config_.sweeps) {
      forget(sweep.measure);
      for (Override& over : sweep.overrides) forget(over.measure);
    }
  }

  void set_sweep(const Node& name, const Node& node) {
    if (Sweep* sweep = find_by(config_.sweeps, name.key, &Sweep::name)) return set_axis(node, sweep);
    Names names = names_of(config_.sweeps, &Sweep::name);
    names.emplace_back("measure");
    reporter_.unknown_name(name.key_position, name.key, fmt::format("unknown sweep '{}'", name.key), names);
  }

  /// In one sweep, or in every sweep that has the axis. If none has, in those whose workload has the
  /// parameter.
  void set_axis(const Node& node, Sweep* only) {
    const auto axis = read_axis(reporter_, node);
    if (!axis) return;
    bool found = false;
    for (Sweep& sweep : config_.sweeps) {
      if (only != nullptr && only != &sweep) continue;
      if (!replace(sweep, *axis)) continue;
      found = true;
      check_zips(reporter_, sweep);
      check_repeats(reporter_, sweep);
    }
    if (found) return;
    for (Sweep& sweep : config_.sweeps) {
      if ((only != nullptr && only != &sweep) || !contains(parameters_of(sweep), axis->name)) continue;
      sweep.axes.push_back(*axis);
      found = true;
    }
    if (!found) report_unknown(node, only);
  }

  [[nodiscard]] Names parameters_of(const Sweep& sweep) const {
    const Workload* workload = config_.workloads.find(sweep.workload.text);
    return workload == nullptr ? Names() : names_of(workload->parameters(), &ParameterInfo::name);
  }

  static bool replace(Sweep& sweep, const Axis& axis) {
    Axis* own = find_by(sweep.axes, axis.name, &Axis::name);
    bool found = own != nullptr;
    if (found) *own = axis;
    for (Override& over : sweep.overrides) {
      if (own != nullptr) {
        std::erase_if(over.axes, [&](const Axis& other) { return other.name == axis.name; });
      } else if (Axis* other = find_by(over.axes, axis.name, &Axis::name)) {
        *other = axis;
        found = true;
      }
    }
    return found;
  }

  void report_unknown(const Node& node, const Sweep* only) {
    Names names;
    const auto add = [&](const std::vector<Axis>& axes) {
      for (const Axis& axis : axes) add_once(names, axis.name);
    };
    for (const Sweep& sweep : config_.sweeps) {
      if (only != nullptr && only != &sweep) continue;
      add(sweep.axes);
      for (const std::string& parameter : parameters_of(sweep)) add_once(names, parameter);
      for (const Override& over : sweep.overrides) add(over.axes);
    }
    reporter_.unknown_name(node.key_position, node.key,
                           only == nullptr
                               ? fmt::format("no sweep has an axis '{}'", node.key)
                               : fmt::format("sweep '{}' has no axis '{}'", only->name, node.key),
                           names);
  }

  Config& config_;
  Reporter& reporter_;
};

}  // namespace

void apply_set(Config& config, const std::string& assignment) {
  Config changed = config;
  changed.sets.push_back(with_quotes(assignment));
  Reporter reporter = changed.reporter();
  const Node document = parse_document(reporter, static_cast<std::uint32_t>(changed.sets.size()));
  Assignment(changed, reporter).apply(document);
  reporter.throw_if_any();
  config = std::move(changed);
}

}  // namespace benchctl
