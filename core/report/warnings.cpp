#include "report/warnings.hpp"

#include "report/format.hpp"

#include <benchctl/software.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace benchctl {

namespace {

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  if (names.size() <= shown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + shown, ", "),
                     names.size() - shown);
}

void add_unfinished(const Report& report, std::vector<std::string>& warnings) {
  for (const ReportRun& run : report.runs) {
    const RunState state = state_now(run.row);
    if (state == RunState::complete) continue;
    warnings.push_back(
        fmt::format("{} is not complete: it is {}. Points without a result are missing from every "
                    "comparison.",
                    run.label, to_string(state)));
  }
}

void add_differences(const Report& report, std::vector<std::string>& warnings) {
  if (const auto keys = differing_keys(report, "must_match"); !keys.empty()) {
    warnings.push_back(fmt::format(
        "The runs were made on different machines or with different programs ({}): compare their "
        "devices with each other, and do not take a difference for a change of the program.",
        listed(keys)));
  }
  if (const auto keys = differing_keys(report, "should_match"); !keys.empty()) {
    warnings.push_back(
        fmt::format("The runs differ in {}, which may change times a little.", listed(keys)));
  }
}

void add_unstable(const Report& report, std::vector<std::string>& warnings) {
  std::uint64_t unstable = 0;
  std::uint64_t timed = 0;
  std::uint64_t without_interval = 0;
  std::uint64_t dependent = 0;
  std::vector<std::string> in_modes;
  for (const ResultRow& row : report.rows) {
    if (!row.timed()) continue;
    ++timed;
    unstable += row.point().status == Status::unstable ? 1 : 0;
    dependent += row.dependent() ? 1 : 0;
    without_interval += row.interval().known() || row.dependent() ? 0 : 1;
    if (const std::string modes = row.modes_text(); !modes.empty()) {
      in_modes.push_back(fmt::format("{}, {}", row.point().label(), modes));
    }
  }
  if (unstable > 0) {
    warnings.push_back(
        fmt::format("{} of {} times did not reach the precision that was asked for within their time; "
                    "their intervals tell how far they can be trusted, and they head no summary.",
                    format_count(unstable), format_count(timed)));
  }
  if (const auto above = std::ranges::count(report.places, Standing::above_roof, &RowPlace::standing)) {
    warnings.push_back(
        fmt::format("{} of {} times {} above the measured roof and {} no summary: the roof was measured "
                    "too low, or the "
                    "kernel does less than the workload asks for.",
                    above, format_count(timed), above == 1 ? "is" : "are", above == 1 ? "heads" : "head"));
  }
  if (const auto older = std::ranges::count(report.places, Standing::repeated, &RowPlace::standing)) {
    warnings.push_back(
        fmt::format("{} of {} times were measured again in a newer run, which stands for both.", older,
                    format_count(timed)));
  }
  if (without_interval > 0) {
    warnings.push_back(fmt::format("{} of {} times have fewer than 6 samples and so no interval.",
                                   format_count(without_interval), format_count(timed)));
  }
  if (dependent > 0) {
    warnings.push_back(
        fmt::format("{} of {} times are dependent: no interval claimed, since samples depend "
                    "too much on those before them.",
                    format_count(dependent), format_count(timed)));
  }
  if (!in_modes.empty()) {
    warnings.push_back(fmt::format("{} of {} times have two modes, and one median hides them: {}.",
                                   format_count(in_modes.size()), format_count(timed), listed(in_modes)));
  }
}

void add_shared_hardware(const Report& report, std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::string>> lanes;
  for (const Platform& platform : report.platforms) {
    if (platform.known && !platform.device.device.physical.empty() && report.runs.size() == 1) {
      lanes[platform.device.device.physical].push_back(platform.label);
    }
  }
  for (const auto& [physical, names] : lanes) {
    if (names.size() < 2) continue;
    warnings.push_back(fmt::format("{} are the same hardware, driven in different ways.", listed(names)));
  }
}

void add_marked_devices(const Report& report, std::vector<std::string>& warnings) {
  for (const Platform& platform : report.platforms) {
    if (!platform.known) continue;
    const DeviceInfo& device = platform.device.device;
    if (is_software(device)) {
      warnings.push_back(
          fmt::format("{} is software that stands in for a device: its times say nothing about a GPU.",
                      platform.label));
    }
    const auto unproven = device.properties.find(unproven_property);
    if (unproven != device.properties.end()) {
      warnings.push_back(fmt::format("{} is unproven: {}", platform.label, unproven->second));
    }
  }
}

void add_missing_roofs(const Report& report, std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  for (const Platform& platform : report.platforms) {
    if (platform.known && platform.roofs.empty()) names.push_back(platform.label);
  }
  if (names.empty()) return;
  warnings.push_back(
      fmt::format("No roofs were measured for {}: there is no share of the roof and no prediction for "
                  "them. `benchctl run configs/peaks.toml` measures roofs.",
                  listed(names)));
}

}  // namespace

std::vector<std::string> differing_keys(const Report& report, std::string_view entry_class) {
  struct Entry {
    std::set<std::string> values;
    std::size_t runs = 0;
    bool wanted = false;
  };
  std::map<std::string, Entry> entries;
  for (const ReportRun& run : report.runs) {
    for (const EnvironmentValue& value : run.environment) {
      Entry& entry = entries[value.key];
      entry.values.insert(value.value);
      ++entry.runs;
      entry.wanted = entry.wanted || value.entry_class == entry_class;
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, entry] : entries) {
    // A key that only some runs have differs, too.
    const bool differs = entry.values.size() > 1 || entry.runs != report.runs.size();
    if (entry.wanted && differs) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> warnings;
  add_unfinished(report, warnings);
  add_differences(report, warnings);
  add_unstable(report, warnings);
  add_shared_hardware(report, warnings);
  add_marked_devices(report, warnings);
  add_missing_roofs(report, warnings);
  return warnings;
}

}  // namespace benchctl
