#include "engine/audit.hpp"

#include "model/figures.hpp"
#include "model/published.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

constexpr double launch_slack_ns = 10'000;
constexpr double processor_slack_ns = 100'000;
constexpr double waking_ns_per_core = 50'000;
constexpr double queueing_ns_per_launch = 20'000;
/// One or two samples may be short by chance: beside them an audited execution may take so many times the
/// slack.
constexpr std::size_t few_samples = 3;
constexpr double slack_of_few = 10;
/// Times nearer to each other, as a share, differ by rounding alone.
constexpr double same_time = 1e-9;
/// What lasts so long is told by the host's clock, whatever a launch costs beside it.
constexpr double least_host_ns = 1e6;
/// Working sets up to this multiple of the last-level cache may stay in it for the most part.
constexpr std::uint64_t memory_multiple = 4;

/// What a further execution takes the host beyond the plugin's time, at most.
double most_left_out(const HostTimes& host) { return std::max(host.left_out_ns, host.unwaited_ns); }

Contradiction held_up(std::string_view what) {
  return {Status::unstable,
          fmt::format("audit inconclusive: other processes are using the CPU, and {}. Repeat "
                      "on an idle machine",
                      what)};
}

}  // namespace

double finest_step(double step_ns, std::span<const double> samples, std::uint32_t batch) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double apart = sorted[i] - sorted[i - 1];
    if (apart > same_time * sorted[i]) step_ns = std::min(step_ns, apart * batch);
  }
  return step_ns;
}

AuditBounds AuditBounds::of(const DeviceInfo& device, std::span<const double> samples, std::uint32_t batch,
                            std::size_t launches) {
  double least = device.type == DeviceType::cpu ? processor_slack_ns : launch_slack_ns;
  if (samples.size() < few_samples) least *= slack_of_few;
  AuditBounds bounds;
  bounds.slack_ns = std::max(least, least_timer_steps * finest_step(device.timer_step_ns, samples, batch));
  if (launches > 1) bounds.host_slack_ns += queueing_ns_per_launch * static_cast<double>(launches - 1);
  if (device.type == DeviceType::cpu) bounds.waking_ns = waking_ns_per_core * device.compute_units;
  return bounds;
}

void Auditor::Shortest::add(const AuditedExecution& execution) {
  if (ns == 0 || execution.ns < ns) ns = execution.ns;
  held_up = held_up && execution.held_up;
}

void Auditor::add(const AuditReply& reply) {
  for (const AuditedExecution& execution : reply.executions) {
    if (execution.left_out_ns > 0 && (alone_.ns == 0 || execution.left_out_ns < alone_.left_out_ns))
      alone_ = execution;
    if (execution.kind == AuditKind::again)
      continue;  // what it keeps in scratch memory may have been at hand
    Shortest& shortest = execution.kind == AuditKind::fresh       ? fresh_
                         : execution.kind == AuditKind::kept      ? kept_
                         : execution.kind == AuditKind::repeated  ? repeated_
                         : execution.kind == AuditKind::rewritten ? rewritten_
                                                                  : known_;
    shortest.add(execution);
  }
  if (!reply.host || reply.host->claimed_ns == 0) return;
  if (!saw_host() || most_left_out(*reply.host) < most_left_out(host_)) host_ = *reply.host;
}

double Auditor::prepares_ns(double reported_ns) const {
  const bool found_something = kept_.ns > 0 && !too_long(kept_.ns, reported_ns);
  return found_something && too_long(known_.ns, reported_ns) ? known_.ns - kept_.ns : 0;
}

std::optional<Contradiction> Auditor::contradiction(double reported_ns) const {
  const std::string reported = "reported " + format_duration(reported_ns);
  const auto against = [&](const Shortest& shortest, std::string_view inputs, double than_ns,
                           std::string_view than, std::string_view so) -> Contradiction {
    const std::string times = fmt::format("an execution on {} took {}, {:.3g} times the {}", inputs,
                                          format_duration(shortest.ns), shortest.ns / than_ns, than);
    if (shortest.held_up) return held_up(times);
    if (shortest.ns > bounds_.factor * than_ns + bounds_.waking_ns)
      return {Status::implausible, fmt::format("{}: {}", times, so)};
    return {Status::unstable,
            fmt::format("audit inconclusive: {}, and waking the processor's threads may take up to {}. "
                        "Repeat with a larger problem",
                        times, format_duration(bounds_.waking_ns))};
  };
  if (too_long(known_.ns, reported_ns) && prepares_ns(reported_ns) == 0) {
    return against(known_, "poisoned outputs", reported_ns, reported,
                   "the kernel does less when its results are there already, when it is executed again and "
                   "again, or when it finds in scratch memory what it made from the same inputs");
  }
  const double known_ns = std::max(known_.ns, reported_ns);
  if (too_long(fresh_.ns, known_ns)) {
    if (!fresh_.held_up && too_long(repeated_.ns, known_ns)) {
      return Contradiction{
          Status::unstable,
          fmt::format("its time depends on its inputs: {} on those of its samples, {} on others",
                      format_duration(known_ns), format_duration(std::min(fresh_.ns, repeated_.ns)))};
    }
    if (too_long(rewritten_.ns, known_ns)) {
      return Contradiction{
          Status::unstable,
          fmt::format(
              "audit inconclusive: {}, on the same inputs just written {}, on new ones {}: they may "
              "have left its caches. Repeat with data that caches do not hold",
              format_duration(known_ns), format_duration(rewritten_.ns), format_duration(fresh_.ns))};
    }
    if (known_.ns == 0) {
      return against(fresh_, "new inputs and poisoned outputs", reported_ns, reported,
                     "the kernel keeps results, or does less when they are there already");
    }
    return against(fresh_, "new inputs", known_ns,
                   format_duration(known_ns) + " on inputs that it had been given before",
                   "the kernel keeps results");
  }
  return contradiction_of_host();
}

/// Waits fall into samples of few executions, too, and then hide what a timer leaves out of many.
std::optional<Contradiction> Auditor::contradiction_of_host() const {
  const auto leaves_out = [](const std::string& times, double ns, double host_ns) {
    return Contradiction{Status::implausible, fmt::format("{}: its timer leaves out {:.3g} % of the time",
                                                          times, 100 * (host_ns - ns) / host_ns)};
  };
  if (!saw_host()) {
    if (bounds_.needs_host) {
      return Contradiction{Status::unstable,
                           "audit inconclusive: there was no time to hold its timer against the host's "
                           "clock. Repeat on an idle machine, or with a larger max_seconds"};
    }
    const double host_ns = alone_.ns + alone_.left_out_ns;
    const double most_ns = bounds_.host_factor * alone_.ns + bounds_.alone_slack_ns;
    if (host_ns <= most_ns) return std::nullopt;
    const std::string times = fmt::format("by the host's clock an execution took {}, the plugin says {}",
                                          format_duration(host_ns), format_duration(alone_.ns));
    if (host_ns - alone_.waited_ns <= most_ns) return held_up(times);
    return leaves_out(times, alone_.ns, host_ns);
  }
  const double host_ns = host_.claimed_ns + most_left_out(host_);
  const double most_ns = bounds_.host_factor * host_.claimed_ns + bounds_.host_slack_ns;
  if (host_ns <= most_ns) return std::nullopt;
  const std::string times =
      fmt::format("by the host's clock each further execution in a sample took {}, the plugin says {}",
                  format_duration(host_ns), format_duration(host_.claimed_ns));
  if (host_.claimed_ns + host_.left_out_ns - host_.waited_ns <= most_ns) return held_up(times);
  if (host_.read_ns > host_.left_out_ns / 2) {
    return Contradiction{
        Status::implausible,
        fmt::format("{}: most of it passed in reading a result, so the plugin reads its timer "
                    "before the kernel has finished",
                    times)};
  }
  return leaves_out(times, host_.claimed_ns, host_ns);
}

bool Auditor::too_long(double ns, double than_ns) const {
  return ns > bounds_.factor * than_ns + bounds_.slack_ns;
}

bool Auditor::agrees(double host_ns, double reported_ns) const {
  return reported_ns >= least_host_ns && host_ns >= reported_ns / 2 &&
         host_ns <= bounds_.factor * reported_ns + bounds_.slack_ns;
}

Resources Auditor::metrics(double reported_ns) const {
  Resources metrics;
  if (known_.ns > 0) metrics["audit_known"] = known_.ns / reported_ns;
  if (fresh_.ns > 0) metrics["audit_fresh"] = fresh_.ns / std::max(known_.ns, reported_ns);
  if (host_.claimed_ns > 0) metrics["audit_host"] = 1 + host_.left_out_ns / host_.claimed_ns;
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
