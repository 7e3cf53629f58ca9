#include "store/result.hpp"

#include "model/words.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace benchctl {

namespace {

/// Shares are shown in whole per cents: what shows as 100 % is at its roof.
constexpr double share_at_roof = 1.005;

constexpr auto measured_figures = std::to_array<std::pair<std::string_view, double Measurement::*>>({
    {"median_ns", &Measurement::median_ns},
    {"ci_low_ns", &Measurement::ci_low_ns},
    {"ci_high_ns", &Measurement::ci_high_ns},
    {"min_ns", &Measurement::min_ns},
    {"max_ns", &Measurement::max_ns},
    {"mean_ns", &Measurement::mean_ns},
    {"mad_ns", &Measurement::mad_ns},
    {"p5_ns", &Measurement::p5_ns},
    {"p25_ns", &Measurement::p25_ns},
    {"p75_ns", &Measurement::p75_ns},
    {"p95_ns", &Measurement::p95_ns},
    {"warmup_ns", &Measurement::warmup_ns},
});

constexpr auto derived_figures = std::to_array<std::pair<std::string_view, double (Result::*)() const>>({
    {"gflops", &Result::gflops},
    {"gbytes_per_s", &Result::gbytes_per_s},
    {"ns_per_access", &Result::ns_per_access},
    {"requested_gbytes_per_s", &Result::requested_gbytes_per_s},
    {"error_norm", &Result::error_norm},
});

/// Units per nanosecond are 10^9 units per second.
double rate(double units, const std::optional<Measurement>& measurement) {
  return measurement && units > 0 && measurement->median_ns > 0 ? units / measurement->median_ns
                                                                : no_number;
}

}  // namespace

double Result::metric(std::string_view id) const {
  for (const auto& [name, figure] : derived_figures) {
    if (name == id) return (this->*figure)();
  }
  for (const auto& [name, figure] : measured_figures) {
    if (name == id) return measurement ? (*measurement).*figure : no_number;
  }
  const auto found = resources.find(id);
  return found != resources.end() ? found->second : no_number;
}

double Result::gflops() const { return rate(row.cost.flops, measurement); }

double Result::intensity() const {
  const double found = row.cost.flops / row.cost.bytes();
  return found > 0 && std::isfinite(found) ? found : no_number;
}

double Result::gbytes_per_s() const { return rate(row.cost.bytes(), measurement); }

double Result::requested_gbytes_per_s() const { return rate(metric("requested_bytes"), measurement); }

double Result::ns_per_access() const {
  return row.cost.accesses > 0 && measurement ? measurement->median_ns / row.cost.accesses : no_number;
}

double Result::error_norm() const {
  double largest = no_number;
  // fmax ignores a NaN, unless both are.
  for (const auto& [phase, check] : verifications) largest = std::fmax(largest, check.error_norm);
  return largest;
}

std::optional<bool> Result::verified() const {
  if (verifications.empty()) return {};
  return std::ranges::all_of(verifications, [](const auto& check) { return check.second.ok; });
}

std::string Result::note(std::string_view key) const {
  const auto found = notes.find(key);
  return found != notes.end() ? found->second : std::string();
}

std::string Result::threads() const {
  const std::string count = note("threads");
  return count.empty() ? count : visible(count) + (count == "1" ? " thread" : " threads");
}

std::string Result::library() const {
  if (!row.vendor) return {};
  const std::string text = note("library");
  return visible(text.substr(0, text.find_first_of(" ,;\n")));
}

std::optional<double> cost_of(const Result& result, const MetricInfo& objective) {
  const double figure = result.metric(objective.id);
  const double cost = objective.better == Better::higher ? 1 / figure : figure;
  return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
}

bool has_time(Status status, const std::optional<Measurement>& measurement) {
  const StatusClass kind = info(status).status_class;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (kind == StatusClass::good || kind == StatusClass::warning);
}

bool is_above_roof(const Result& result) {
  if (!result.timed()) return false;
  if (result.notes.contains("above_roof")) return true;
  const Measurement& m = *result.measurement;
  return result.metric("roof_fraction") * m.median_ns / range_of(m).high_ns > share_at_roof;
}

bool may_win(const Result& result) {
  return result.timed() && result.row.point.expect == Expect::right &&
         !result.notes.contains(audit_undecided_note) && !result.notes.contains(measured_again_note) &&
         !is_above_roof(result);
}

}  // namespace benchctl
