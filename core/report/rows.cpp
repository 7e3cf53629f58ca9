#include "report/rows.hpp"

#include "report/format.hpp"
#include "store/records.hpp"

#include <fmt/format.h>

#include <algorithm>
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

namespace {

/// The note by which a point tells the compute path of its operations.
constexpr std::string_view path_note = "compute_path";

/// Seconds of the point's operations by the slowest roof of arithmetic: an upper bound whatever path
/// they take. Infinite where no such roof was measured.
double longest_arithmetic(double flops, const std::map<std::string, double>& roofs) {
  if (!(flops > 0)) return 0;
  double slowest = std::numeric_limits<double>::infinity();
  for (const auto& [probe, per_second] : roofs) {
    if (is_arithmetic(probe) && per_second > 0) slowest = std::min(slowest, per_second);
  }
  return std::isinf(slowest) ? slowest : flops / slowest;
}

bool in_cache(const ResultRow& row, const DatasheetDevice& device) {
  if (row.point().measure.cache != CacheMode::hot) return false;
  const Cost& cost = row.stored.row.cost;
  const double allocated = row.metric("device_bytes");
  const double working_set = std::isnan(allocated) ? cost.bytes_read + cost.bytes_written : allocated;
  return working_set <= static_cast<double>(device.last_level_cache_bytes);
}

}  // namespace

bool is_arithmetic(std::string_view probe) {
  return probe.starts_with("fma_") || probe.starts_with("mma_");
}

DatasheetDevice datasheet_device(const Lane& lane, std::span<const Lane> lanes_of_run) {
  DatasheetDevice device{datasheet_peaks(lane.device), lane.device.last_level_cache_bytes};
  if (lane.device.physical.empty()) return device;
  for (const Lane& other : lanes_of_run) {
    if (other.device.physical != lane.device.physical) continue;
    device.peaks.merge(datasheet_peaks(other.device));
    device.last_level_cache_bytes =
        std::max(device.last_level_cache_bytes, other.device.last_level_cache_bytes);
  }
  return device;
}

double datasheet_share(const ResultRow& row, const DatasheetDevice& device,
                       const std::map<std::string, double>& roofs) {
  if (!row.timed() || std::isnan(row.metric("roof_fraction"))) return no_number;
  const Cost& cost = row.stored.row.cost;
  const auto peak = [&](std::string_view name) {
    const auto found = device.peaks.find(name);
    return found != device.peaks.end() ? found->second : no_number;
  };
  const double memory = (cost.bytes_read + cost.bytes_written) / peak("dram");
  const auto path = row.stored.notes.find(path_note);
  const double arithmetic = path != row.stored.notes.end() ? cost.flops / peak(path->second) : no_number;
  const double longest = std::isnan(arithmetic) ? longest_arithmetic(cost.flops, roofs) : arithmetic;
  // The longer part decides, and must be known.
  const bool memory_decides = memory >= longest;
  const double seconds = std::isnan(memory)      ? no_number
                         : !memory_decides       ? arithmetic
                         : in_cache(row, device) ? no_number
                                                 : memory;
  return seconds > 0 ? seconds * 1e9 / row.stored.measurement->median_ns : no_number;
}

}  // namespace benchctl
