#include "report/remarks.hpp"

#include <benchctl/software.hpp>

#include "report/compare.hpp"
#include "report/format.hpp"
#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

std::string missed_target(const Result& row, const Rank& rank) {
  const Measurement& m = *row.measurement;
  const MeasureSettings& settings = row.point().measure;
  // What has left, or was to have so many samples, had no target. So few samples are remarked already.
  const bool missed =
      m.stop != StopReason::target && m.stop != StopReason::slower && m.stop != StopReason::fixed;
  const bool wanted = missed && range_of(m).kind != TimeRange::Kind::extremes &&
                      (settings.precision == Precision::all || rank.place == 1);
  const double reached = precision_of(m);
  if (!wanted || !(reached > settings.target)) return {};
  return fmt::format("±{}, asked {}", format_percent(reached), format_percent(settings.target));
}

}  // namespace

std::string modes_text(const Result& result) {
  if (std::isnan(result.metric("mode_high_share"))) return {};
  const double high = result.metric("mode_high_ns");
  return fmt::format("bimodal {}/{}", in_unit_of(high, result.metric("mode_low_ns"), 3),
                     format_duration(high, 3));
}

Remarks::Remarks(std::span<const Result> rows) {
  for (const Result& row : rows) {
    if (!row.timed()) continue;
    double& clock = highest_clock_[row.point().device];
    clock = std::max(clock, row.metric("sm_clock"));
    if (row.point().expect == Expect::right) threads_[row.point().device].insert(row.threads());
  }
}

std::string Remarks::of(const Result& row, const Rank& rank, bool brief) {
  std::vector<std::string> texts;
  const auto add = [&](std::string_view code, std::string text) {
    if (text.empty()) return;
    occurred_.insert(code);
    texts.push_back(std::move(text));
  };
  const auto add_if = [&](bool holds, std::string_view code) { add(code, holds ? std::string(code) : ""); };
  const std::string& device = row.point().device;
  const Measurement& m = *row.measurement;
  add_if(row.row.vendor, "vendor");
  if (const std::string core = row.note("old_kernel"); !core.empty())
    add("… kernel", first_line(core) + " kernel");
  const auto threads = threads_.find(device);
  if (threads != threads_.end() && threads->second.size() > 1 && row.note("threads") != "1") {
    add("… threads", row.threads());
  }
  add_if(row.notes.contains(own_reference_note), "own reference");
  add_if(row.point().expect == Expect::wrong, "wrong");
  if (range_of(m).kind == TimeRange::Kind::extremes) add("n=…", fmt::format("n={}", m.n_samples));
  add_if(row.point().status == Status::unstable, "noisy");
  const std::string missed = missed_target(row, rank);
  add("±…, asked …", brief ? missed.substr(0, missed.find(',')) : missed);
  const std::string modes = modes_text(row);
  add("bimodal a/b", brief ? modes.substr(0, modes.find(' ')) : modes);
  add_if(row.row.reused_from.has_value(), "reused");
  add_if(row.notes.contains(measured_again_note), "measured again");
  add_if(rank.ties && !rank.together, "not together");
  const bool above = is_above_roof(row);
  add_if(above, "above roof");
  add_if(!above && row.metric("roof_fraction") > 1, "at roof");
  add_if(row.notes.contains(audit_undecided_note), "audit undecided");
  add_if(rank.place == 1 && row.notes.contains(not_audited_note), "not audited");
  if (const double count = row.metric("throttled_samples"); count > 0) {
    add("… throttled", fmt::format("{} throttled", count));
  }
  if (const double count = row.metric("power_capped_samples"); count > 0) {
    add("… power-capped", fmt::format("{} power-capped", count));
  }
  const double clock = row.metric("sm_clock");
  const auto highest = highest_clock_.find(device);
  if (highest != highest_clock_.end() && clock < highest->second / 2) {
    add("clock a/b", brief ? "clock" : fmt::format("clock {:.0f}/{:.0f} MHz", clock, highest->second));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string Remarks::legend() const {
  std::string text;
  for (const RemarkInfo& remark : remark_table) {
    if (occurred_.contains(remark.code)) text += fmt::format("{}: {}.\n", remark.code, remark.doc);
  }
  return text;
}

// What is said of a whole report, in sentences.

namespace {

constexpr std::size_t names_told = 7;

void add_unfinished(const Report& report, std::vector<std::string>& warnings) {
  for (const ReportRun& run : report.runs) {
    const RunState state = state_now(run.row);
    if (state == RunState::complete) continue;
    warnings.push_back(fmt::format(
        "{} is not complete: it is {}. Points without a result are missing from every comparison.",
        run.label, to_string(state)));
  }
}

void add_differences(const Report& report, std::vector<std::string>& warnings) {
  if (const auto keys = differing_keys(report, "must_match"); !keys.empty()) {
    warnings.push_back(fmt::format(
        "The runs were made on different machines or with different programs ({}): compare their devices "
        "with each other, and do not take a difference for a change of the program.",
        few_of(keys, names_told)));
  }
  if (const auto keys = differing_keys(report, "should_match"); !keys.empty()) {
    warnings.push_back(
        fmt::format("The runs differ in {}, which may change times a little.", few_of(keys, names_told)));
  }
}

void add_times(const Report& report, std::vector<std::string>& warnings) {
  std::uint64_t timed = 0;
  std::uint64_t noisy = 0;
  std::uint64_t above = 0;
  std::uint64_t undecided = 0;
  std::uint64_t few = 0;
  std::vector<std::string> in_modes;
  for (const Result& row : report.rows) {
    if (!row.timed()) continue;
    ++timed;
    noisy += row.point().status == Status::unstable ? 1 : 0;
    above += is_above_roof(row) ? 1 : 0;
    undecided += row.notes.contains(audit_undecided_note) ? 1 : 0;
    few += range_of(*row.measurement).kind == TimeRange::Kind::extremes ? 1 : 0;
    if (const std::string modes = modes_text(row); !modes.empty()) {
      in_modes.push_back(fmt::format("{}, {}", row.point().label(), modes));
    }
  }
  const auto add = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) {
      warnings.push_back(fmt::format("{} of {} times {}", format_count(count), format_count(timed), what));
    }
  };
  add(noisy,
      "are noisy: half of their samples lie more than 25 % from the median. Ranks hold, the times will not "
      "repeat.");
  add(above,
      "are above the measured roof and cannot win: the roof was measured too low, or the kernel does less "
      "than the workload asks for.");
  add(undecided, "cannot win: their audits could not decide whether they are real.");
  add(static_cast<std::uint64_t>(std::ranges::count(report.places, true, &RowPlace::older)),
      "were measured again in a newer run; only the newer result is ranked.");
  add(few, "have fewer than 6 samples: their range is from the smallest to the largest.");
  add(in_modes.size(),
      fmt::format("lie around two values, and one median hides them: {}.", few_of(in_modes, names_told)));
}

/// A kernel that was changed keeps its name.
void add_changed_kernels(const Report& report, std::vector<std::string>& warnings) {
  const auto files_of = [&](std::size_t run) {
    const ReportSource& source = report.runs[run].source;
    return file_digests(*source.store, source.run);
  };
  for (const auto& [older, newer] : report.remade) {
    const std::vector<std::string> changed = changed_files(files_of(older), files_of(newer));
    if (changed.empty()) continue;
    warnings.push_back(fmt::format("Kernels of one name differ between {} and {}: {}.",
                                   report.runs[older].label, report.runs[newer].label,
                                   few_of(changed, names_told)));
  }
}

void add_shared_hardware(const Report& report, std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::string>> lanes;
  for (const Platform& platform : report.platforms) {
    if (platform.known && report.runs.size() == 1)
      lanes[hardware_of(platform.device)].push_back(platform.label);
  }
  for (const auto& [hardware, names] : lanes) {
    if (names.size() < 2) continue;
    warnings.push_back(
        fmt::format("{} are the same hardware, driven in different ways.", few_of(names, names_told)));
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
                  "them. `benchctl run peaks` measures roofs.",
                  few_of(names, names_told)));
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
    for (const EnvironmentEntry& value : run.environment) {
      Entry& entry = entries[value.key];
      entry.values.insert(value.value);
      ++entry.runs;
      entry.wanted = entry.wanted || to_string(value.entry_class) == entry_class;
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
  add_times(report, warnings);
  add_changed_kernels(report, warnings);
  add_shared_hardware(report, warnings);
  add_marked_devices(report, warnings);
  add_missing_roofs(report, warnings);
  return warnings;
}

}  // namespace benchctl
