#include "report/rows.hpp"
#include "report/format.hpp"

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

bool ResultRow::timed() const {
  const StatusClass status_class = info(point().status).status_class;
  const auto& measurement = stored.measurement;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (status_class == StatusClass::good || status_class == StatusClass::warning);
}

double ResultRow::metric(std::string_view id) const {
  const auto found = stored.resources.find(id);
  return found != stored.resources.end() ? found->second : no_number;
}

stats::Interval ResultRow::interval() const {
  if (!stored.measurement) return {no_number, no_number};
  const stats::Interval interval{stored.measurement->ci_low_ns, stored.measurement->ci_high_ns};
  const bool finite = std::isfinite(interval.low) && std::isfinite(interval.high);
  return finite ? interval : stats::Interval{no_number, no_number};
}

bool ResultRow::dependent() const {
  constexpr std::uint64_t fewest_for_interval = 6;
  return stored.measurement && stored.measurement->n_samples >= fewest_for_interval && !interval().known();
}

std::string ResultRow::modes_text() const {
  const double share = metric("mode_high_share");
  if (std::isnan(share)) return {};
  return fmt::format("two modes: {} ({}), {} ({})", format_duration(metric("mode_low_ns")),
                     format_percent(1 - share), format_duration(metric("mode_high_ns")),
                     format_percent(share));
}

std::string ResultRow::threads() const {
  const auto note = stored.notes.find("threads");
  if (note == stored.notes.end()) return {};
  return first_line(note->second) + (note->second == "1" ? " thread" : " threads");
}

double ResultRow::relative_half_width() const {
  if (!interval().known()) return no_number;
  return (interval().high - interval().low) / 2 / stored.measurement->median_ns;
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
