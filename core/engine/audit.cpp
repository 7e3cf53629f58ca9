#include "engine/audit.hpp"

#include "engine/finals.hpp"
#include "model/datasheet.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

constexpr double launch_slack_ns = 10'000;
constexpr double processor_slack_ns = 100'000;
/// Working sets up to this multiple of the last-level cache may stay in it for the most part.
constexpr std::uint64_t memory_multiple = 4;

void keep_shorter(double& shortest, double ns) {
  if (shortest == 0 || ns < shortest) shortest = ns;
}

double host_ns_per_execution(const HostTimes& host) {
  return (host.many_ns - host.few_ns) / (host.many - host.few);
}

}  // namespace

AuditBounds AuditBounds::of(const DeviceInfo& device) {
  const double least = device.type == DeviceType::cpu ? processor_slack_ns : launch_slack_ns;
  return {.slack_ns = std::max(least, least_timer_steps * device.timer_step_ns)};
}

void AuditJudge::add(const AuditAnswer& answer) {
  for (const AuditedExecution& execution : answer.executions) {
    if (execution.kind == AuditKind::again)
      continue;  // what it keeps in scratch memory may have been at hand
    keep_shorter(execution.kind == AuditKind::fresh ? fresh_ns_ : known_ns_, execution.ns);
  }
  if (answer.host.few == 0) return;
  const auto excess = [](const HostTimes& host) { return host_ns_per_execution(host) - host.claimed_ns; };
  if (host_.few == 0 || excess(answer.host) < excess(host_)) host_ = answer.host;
}

std::string AuditJudge::contradiction(double reported_ns) const {
  const auto too_long = [&](double ns, double than) {
    return ns > bounds_.factor * than + bounds_.slack_ns;
  };
  if (too_long(known_ns_, reported_ns)) {
    return fmt::format(
        "an execution on poisoned outputs took {}, {:.3g} times the reported {}: the kernel does less when "
        "its results "
        "are there already, or when it is executed again and again",
        duration(known_ns_), known_ns_ / reported_ns, duration(reported_ns));
  }
  const double known = std::max(known_ns_, reported_ns);
  if (too_long(fresh_ns_, known)) {
    if (known_ns_ == 0) {
      return fmt::format(
          "an execution on new inputs and poisoned outputs took {}, {:.3g} times the reported {}: the "
          "kernel keeps "
          "results, or does less when they are there already",
          duration(fresh_ns_), fresh_ns_ / reported_ns, duration(reported_ns));
    }
    return fmt::format(
        "an execution on new inputs took {}, {:.3g} times the {} on inputs that it had been given before: "
        "the kernel keeps results",
        duration(fresh_ns_), fresh_ns_ / known, duration(known));
  }
  if (host_.few == 0) return {};
  const double host_ns = host_ns_per_execution(host_);
  if (host_ns > bounds_.host_factor * host_.claimed_ns + bounds_.host_slack_ns) {
    return fmt::format(
        "by the host's clock each further execution in a sample took {}, the plugin says {}: its timer "
        "leaves out {:.3g} % of the time",
        duration(host_ns), duration(host_.claimed_ns), 100 * (1 - host_.claimed_ns / host_ns));
  }
  return {};
}

Resources AuditJudge::metrics(double reported_ns) const {
  Resources metrics;
  if (known_ns_ > 0) metrics["audit_known"] = known_ns_ / reported_ns;
  if (fresh_ns_ > 0) metrics["audit_fresh"] = fresh_ns_ / std::max(known_ns_, reported_ns);
  if (host_.few > 0) metrics["audit_host"] = host_ns_per_execution(host_) / host_.claimed_ns;
  return metrics;
}

std::string beyond_datasheet(double flops, double bytes, std::uint64_t working_set, double median_ns,
                             const DeviceInfo& device) {
  const DatasheetPeaks peaks = datasheet_peaks(device);
  const auto peak = [&](std::string_view name) {
    const auto found = peaks.find(name);
    return found == peaks.end() ? 0.0 : found->second;
  };
  const auto exceeded = [&](double units, double most, std::string_view what) -> std::string {
    const double rate = units / median_ns * 1e9;
    if (most <= 0 || rate <= most) return {};
    return fmt::format("{:.4g} {} per second are {:.3g} times what the device's datasheet allows ({:.4g})",
                       rate, what, rate / most, most);
  };
  if (std::string reason = exceeded(flops, peak("any"), "operations"); !reason.empty()) return reason;
  if (working_set <= memory_multiple * device.last_level_cache_bytes) return {};
  return exceeded(bytes, peak("dram"), "bytes of memory");
}

}  // namespace benchctl
