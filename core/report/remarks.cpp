#include "report/remarks.hpp"

#include "report/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace benchctl
