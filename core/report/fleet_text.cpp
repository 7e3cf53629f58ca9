// A fleet for people, and for other programs.
#include "report/fleet.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "stats/fleet_scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

std::string range_text(const stats::Interval& interval) {
  if (!interval.known()) return "";
  return fmt::format("{} to {}", format_significant(interval.low, 4), format_significant(interval.high, 4));
}

std::string standing_text(const FleetFigure& figure) {
  if (figure.slow) return figure.changed ? "slow, and became slower" : "slow";
  return figure.changed ? "became slower" : "";
}

std::string table_of(const FleetClass& group, const FleetTextOptions& options) {
  TextTable table({TextColumn("node"), TextColumn("device"), TextColumn("control problem"),
                   TextColumn("median", true), TextColumn("vs fleet", true), TextColumn("95 % interval"),
                   TextColumn("processes", true).optional(1),
                   TextColumn("last / first run", true).optional(2), TextColumn("verdict")});
  for (const FleetDevice& device : group.devices) {
    bool first = true;
    for (const FleetFigure& figure : device.figures) {
      table.add({first ? device.node : "", first ? device.lane.name() : "", first_line(figure.problem),
                 format_duration(figure.median_ns), format_significant(figure.ratio, 4),
                 range_text(figure.interval), std::to_string(figure.processes),
                 device.runs > 1 ? format_significant(figure.change, 4) : "", standing_text(figure)},
                figure.slow || figure.changed);
      first = false;
    }
  }
  return options.markdown ? table.markdown() : table.text(options.colours, options.width);
}

std::string findings_of(const FleetClass& group, const FleetTextOptions& options) {
  std::string text;
  for (const FleetDevice& device : group.devices) {
    if (!device.stands_out()) continue;
    text += fmt::format(
        "{}{} {}{}\n", options.markdown ? "- " : "", device.node, device.lane.name(),
        device.causes.empty() ? ": nothing on record sets it apart; run the vendor's diagnosis" : ":");
    for (const std::string& cause : device.causes)
      text += fmt::format("  {}{}\n", options.markdown ? "- " : "", first_line_in(cause, options.markdown));
  }
  return text;
}

std::string summary_of(const FleetClass& group) {
  const auto out = std::ranges::count_if(group.devices, &FleetDevice::stands_out);
  if (group.devices.size() < stats::fewest_members) {
    return fmt::format(
        "too few devices to tell their own scatter ({}), so none is called slow (at least {})",
        group.devices.size(), stats::fewest_members);
  }
  return fmt::format("{} of {} devices {} beyond the scatter of the fleet", out, group.devices.size(),
                     out == 1 ? "is" : "are");
}

Json json_number(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json device_json(const FleetDevice& device) {
  Json figures = Json::array();
  for (const FleetFigure& figure : device.figures) {
    figures.push_back({{"problem", figure.problem},
                       {"processes", figure.processes},
                       {"median_ns", json_number(figure.median_ns)},
                       {"ratio", json_number(figure.ratio)},
                       {"interval", {json_number(figure.interval.low), json_number(figure.interval.high)}},
                       {"bound", figure.bound > 0 ? json_number(figure.bound) : Json()},
                       {"last_over_first", device.runs > 1 ? json_number(figure.change) : Json()},
                       {"slow", figure.slow},
                       {"became_slower", figure.changed}});
  }
  const auto uuid = device.lane.device.properties.find("uuid");
  return {{"node", device.node},
          {"device", device.lane.name()},
          {"physical", device.lane.device.physical},
          {"uuid", uuid == device.lane.device.properties.end() ? "" : uuid->second},
          {"runs", device.runs},
          {"stands_out", device.stands_out()},
          {"causes", device.causes},
          {"figures", std::move(figures)}};
}

}  // namespace

std::string fleet_text(const Fleet& fleet, const FleetTextOptions& options) {
  std::string text;
  for (const FleetClass& group : fleet.classes) {
    const std::string summary = summary_of(group);
    text += options.markdown
                ? fmt::format("## {}\n\n{}\n\n", escaped_markdown(group.name), summary)
                : fit_lines(fmt::format("{}\n{}\n", first_line(group.name), summary), options.width);
    const std::string findings = findings_of(group, options);
    if (!findings.empty()) text += fit_lines(findings, options.width) + (options.markdown ? "\n" : "");
    text += '\n' + table_of(group, options) + '\n';
  }
  return text;
}

std::string fleet_json(const Fleet& fleet) {
  Json classes = Json::array();
  for (const FleetClass& group : fleet.classes) {
    Json devices = Json::array();
    for (const FleetDevice& device : group.devices) devices.push_back(device_json(device));
    classes.push_back({{"name", group.name}, {"devices", std::move(devices)}});
  }
  const Json document = {{"schema", "benchctl.fleet"},
                         {"schema_version", 1},
                         {"runs", fleet.runs},
                         {"classes", std::move(classes)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace benchctl
