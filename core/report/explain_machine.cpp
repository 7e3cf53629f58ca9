// What else went on on the machine: other processes, clocks, power, heat.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "model/metrics.hpp"
#include "observe/busy_processes.hpp"
#include "observe/environment.hpp"
#include "report/explain.hpp"
#include "report/format.hpp"

namespace benchctl {

namespace {

/// Fewer noisy times say nothing about the machine.
constexpr std::size_t fewest_unstable = 3;

/// How busy the machine was when the run began, as far as that is known.
std::string load_text(const std::string& record, std::map<std::string, double>& figures) {
  try {
    const Environment environment = environment_from_json_text(record);
    const std::string* load = environment.find("system.load");
    const std::string* usable = environment.find("cpu.usable");
    if (load == nullptr || *load == unknown_value) return {};
    if (const double number = std::strtod(load->c_str(), nullptr); number > 0) figures["load"] = number;
    return fmt::format(
        " When the run began, {} processes on average wanted a processor in the last minute{}.",
        load->substr(0, load->find(' ')),
        usable != nullptr && *usable != unknown_value ? fmt::format("; it may use {}", *usable) : "");
  } catch (const std::invalid_argument& error) {
    return fmt::format(" The load when it began cannot be read: {}.", error.what());
  }
}

/// If every time of the run is noisy, it is seldom the kernel.
void add_other_load(std::vector<Finding>& findings, const PointStory& story) {
  std::size_t timed = 0;
  for (const ResultRow& row : story.choice.rows) {
    if (!row.timed()) continue;
    if (row.point().status != Status::unstable) return;
    ++timed;
  }
  if (timed < fewest_unstable) return;
  Finding finding{"machine", fmt::format("All {} times of the run are noisy: other processes were "
                                         "probably using the machine.",
                                         timed)};
  finding.figures["unstable"] = static_cast<double>(timed);
  finding.text += load_text(story.choice.run.environment, finding.figures);
  for (const EventRow& event : story.events) {
    if (event.text.starts_with(busy_words)) finding.text += ' ' + sentence(event.text);
  }
  const double stolen = story.choice.row().metric("steal_ns");
  const double switches = story.choice.row().metric("context_switches");
  if (stolen > 0) finding.text += fmt::format(" The hypervisor took {} away.", format_duration(stolen));
  if (switches > 0) {
    finding.text += fmt::format(" The point was interrupted {:.0f} times.", switches);
    finding.figures["context_switches"] = switches;
  }
  finding.text += " `top` lists processes: stop them, or give the points more time (max_seconds).";
  findings.push_back(std::move(finding));
}

/// Does a name speak of clocks, power or throttling?
bool is_telemetry(std::string_view name) {
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"throttl", "clock", "power", "temperature"},
      [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

Finding telemetry_of(const ResultRow& row) {
  Finding finding{"throttling", ""};
  const auto add = [&](const std::string& text) {
    finding.text += (finding.text.empty() ? "" : "; ") + text;
  };
  for (const auto& [id, value] : row.stored.resources) {
    if (!is_telemetry(id) || std::isnan(value)) continue;
    const MetricInfo* metric = find_metric(id);
    const bool has_unit = metric != nullptr && !metric->unit.empty();
    add(fmt::format("{} {}{}", id, format_significant(value),
                    has_unit ? fmt::format(" {}", metric->unit) : ""));
    finding.figures[id] = value;
  }
  for (const auto& [key, note] : row.stored.notes) {
    if (is_telemetry(key)) add(fmt::format("{}: {}", key, note));
  }
  if (finding.text.empty()) {
    finding.text = "Nothing was recorded: no observer told clocks, power or throttling of this point.";
  }
  return finding;
}

}  // namespace

std::string sentence(std::string_view text) {
  std::string whole(text);
  if (whole.empty()) return whole;
  if (whole[0] >= 'a' && whole[0] <= 'z') whole[0] = static_cast<char>(whole[0] - 'a' + 'A');
  if (whole.back() != '.' && whole.back() != '\n') whole += '.';
  return whole;
}

std::vector<Finding> explain_machine(const PointStory& story) {
  std::vector<Finding> findings;
  add_other_load(findings, story);
  findings.push_back(telemetry_of(story.choice.row()));
  return findings;
}

}  // namespace benchctl
