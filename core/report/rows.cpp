#include "report/rows.hpp"
#include "report/format.hpp"
#include "store/may_win.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace benchctl {

namespace {

/// Units per nanosecond are 10^9 units per second.
double rate(double units, const std::optional<Measurement>& measurement) {
  return measurement && units > 0 && measurement->median_ns > 0 ? units / measurement->median_ns
                                                                : no_number;
}

}  // namespace

bool ResultRow::timed() const { return has_time(stored); }

double ResultRow::metric(std::string_view id) const {
  const auto found = stored.resources.find(id);
  return found != stored.resources.end() ? found->second : no_number;
}

std::string ResultRow::modes_text() const {
  if (std::isnan(metric("mode_high_share"))) return {};
  const double high = metric("mode_high_ns");
  return fmt::format("bimodal {}/{}", in_unit_of(high, metric("mode_low_ns"), 3), format_duration(high, 3));
}

std::string ResultRow::note(std::string_view key) const {
  const auto found = stored.notes.find(key);
  return found != stored.notes.end() ? found->second : std::string();
}

std::string ResultRow::library() const {
  if (!stored.row.vendor) return {};
  const std::string text = note("library");
  return first_line(text.substr(0, text.find_first_of(" ,;\n")));
}

std::string ResultRow::threads() const {
  const std::string count = note("threads");
  return count.empty() ? count : first_line(count) + (count == "1" ? " thread" : " threads");
}

ResultRow make_row(StoredPoint stored) {
  ResultRow row;
  const Cost& cost = stored.row.cost;
  row.gflops = rate(cost.flops, stored.measurement);
  row.gbytes_per_s = rate(cost.bytes_read + cost.bytes_written, stored.measurement);
  row.ns_per_access =
      cost.accesses > 0 && stored.measurement ? stored.measurement->median_ns / cost.accesses : no_number;
  row.error_norm = no_number;
  for (const auto& [phase, verification] : stored.verifications) {
    row.verified = row.verified.value_or(true) && verification.ok;
    // fmax ignores a NaN, unless both are.
    row.error_norm = std::fmax(row.error_norm, verification.error_norm);
  }
  row.stored = std::move(stored);
  row.requested_gbytes_per_s = rate(row.metric("requested_bytes"), row.stored.measurement);
  return row;
}

std::vector<ResultRow> result_rows(const Store& store, RunId run) {
  std::vector<ResultRow> rows;
  rows.reserve(store.point_count(run));
  store.each_result(run, [&](StoredPoint&& stored) { rows.push_back(make_row(std::move(stored))); });
  return rows;
}

}  // namespace benchctl
