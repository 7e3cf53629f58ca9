// Kernels that wait on a clock of their own device are measured; the times must be those that they waited.
//
// How the truth is known. A kernel of the variant `clock` ends when its duration is over by the device's
// clock, and leaves what it counted. Every kernel also starts and ends, which takes time that is not the
// kernel's: the empty kernel, measured in the same way, stands for that and is subtracted. That the
// device's second is the host's shows in the difference of two long durations on the host's clock, in which
// everything that surrounds a kernel cancels. Where kernels have no clock to read, the variant `loop` takes
// steps in proportion to a duration, and the host's clock tells how long a step takes.
#include "engine/audit.hpp"
#include "selftest/checks.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace benchctl::selftest {

namespace {

constexpr std::array<int, 4> durations_us{5, 50, 500, 5000};
/// Largest relative error that passes; below the timer's step nothing can be asked.
constexpr double tolerance = 0.01;
/// A kernel sees the end of its duration up to one look at its clock later. If it is more, the thread
/// was not running.
constexpr double longest_look_ns = 200;

/// One execution a sample, and samples as a run takes them by default: short executions in batches.
enum class Sampling : std::uint8_t { single, batched };

std::string durations_config(const std::string& variant, Sampling sampling, bool full) {
  const bool single = sampling == Sampling::single;
  return config_of(
      "durations",
      fmt::format("target = 0.002\nwarmup_seconds = 0.05\nspan_seconds = 0\nmax_seconds = {}\n{}",
                  full ? 4.0 : 0.4, single ? "min_sample_us = 0\nmin_timer_steps = 0" : ""),
      fmt::format(R"(workload = "spin"
variants = ["{}"]
[sweep.parameters]
duration_us = [0, {}]
basis = ["device"{}]
)",
                  variant, fmt::join(durations_us, ", "), single ? ", \"host_sync\"" : ""));
}

/// Where the median is not known well enough, or a processor's thread was interrupted again and again
/// although it came out right in between, the error says nothing of the method.
void excuse_restless(CaseResult& result, const Result& point, double expected_ns, double allowed_ns,
                     const Lane& lane) {
  if (result.outcome != Outcome::fail) return;
  const Measurement& measured = *point.measurement;
  const double half = (measured.ci_high_ns - measured.ci_low_ns) / 2;
  // Under six samples there is no interval, and nothing is below it.
  const bool vague = point.row.point.status != Status::ok && !(half <= allowed_ns);
  const bool interrupted = lane.device.type == DeviceType::cpu &&
                           measured.median_ns > expected_ns + allowed_ns &&
                           measured.min_ns <= expected_ns + allowed_ns;
  if (!vague && !interrupted) return;
  result.outcome = Outcome::not_possible;
  result.note = fmt::format("the machine is too noisy: samples from {}, the median ±{}",
                            format_duration(measured.min_ns), format_duration(half));
}

CaseResult impossible(std::string what, std::string why) {
  return not_possible(std::move(what), std::move(why), "a time");
}

/// How long a kernel of a duration of the table really runs.
class Truth {
 public:
  /// By the device's clock.
  Truth() = default;
  /// By the host's: nanoseconds of a nominal one.
  explicit Truth(double scale) : scale_(scale) {}

  [[nodiscard]] double of(const Result& point, int duration_us) const {
    const double nominal = 1e3 * duration_us;
    if (scale_ > 0) return scale_ * nominal;
    const auto spun = point.resources.find("spun_ns");
    return spun == point.resources.end() ? nominal
                                         : std::clamp(spun->second, nominal, nominal + longest_look_ns);
  }

 private:
  double scale_ = 0;
};

struct HostScale {
  double value = 0;   ///< nanoseconds of the host's clock in a nominal one of the kernels
  std::string doubt;  ///< why it is not known, or empty
};

/// From the two longest durations, in whose difference launches and waiting cancel. The shortest samples
/// are taken, since whatever interrupts a host only ever adds to its time; a quarter of all samples must
/// agree.
HostScale host_scale(const std::vector<Result>& points) {
  constexpr int shorter = durations_us[2];
  constexpr int longer = durations_us[3];
  const Result* first = find_spin(points, shorter, Basis::host_sync);
  const Result* second = find_spin(points, longer, Basis::host_sync);
  if (first == nullptr || second == nullptr) return {0, why_not(points)};
  const double difference = second->measurement->min_ns - first->measurement->min_ns;
  for (const Result* point : {first, second}) {
    const Measurement& measured = *point->measurement;
    if (measured.p25_ns - measured.min_ns <= tolerance / 2 * difference && measured.n_samples >= 6)
      continue;
    return {
        0, fmt::format(
               "the machine is too noisy: on the host's clock, samples from {}, a quarter of them up to {}",
               format_duration(measured.min_ns), format_duration(measured.p25_ns))};
  }
  return {difference / (1e3 * (longer - shorter)), {}};
}

std::vector<CaseResult> check_single(const std::vector<Result>& points, const Lane& lane,
                                     const Truth& truth) {
  const Result* empty = find_spin(points, 0, Basis::device);
  if (empty == nullptr) return {impossible("the empty kernel", why_not(points))};
  std::vector<CaseResult> results;
  for (const int duration : durations_us) {
    const std::string what = format_duration(1e3 * duration);
    const Result* point = find_spin(points, duration, Basis::device);
    if (point == nullptr) {
      results.push_back(impossible(what, why_not(points)));
      continue;
    }
    const double expected = truth.of(*point, duration);
    const double allowed = std::max(tolerance * expected, lane.device.timer_step_ns);
    CaseResult result = compare_times(what, expected, allowed,
                                      point->measurement->median_ns - empty->measurement->median_ns);
    result.note =
        fmt::format("after {} of the empty kernel", format_duration(empty->measurement->median_ns));
    result.figures["empty_ns"] = empty->measurement->median_ns;
    excuse_restless(result, *point, expected + empty->measurement->median_ns, allowed, lane);
    excuse_restless(result, *empty, empty->measurement->min_ns, allowed, lane);
    results.push_back(std::move(result));
  }
  return results;
}

/// The mean of a batch holds the kernel, what lies between two of them, which is no more than an empty
/// kernel takes in a batch, and once what comes before the first and after the last, which is no more than
/// an empty kernel takes by itself.
std::vector<CaseResult> check_batched(const std::vector<Result>& points, double alone_ns, const Lane& lane,
                                      const Truth& truth) {
  const Result* empty = find_spin(points, 0, Basis::device);
  if (empty == nullptr) return {impossible("the empty kernel in batches", why_not(points))};
  std::vector<CaseResult> results;
  for (const int duration : durations_us) {
    const Result* point = find_spin(points, duration, Basis::device);
    if (point == nullptr || point->measurement->batch == 1) continue;
    const double least = truth.of(*point, duration);
    const double batch = point->measurement->batch;
    const double most = least + ((batch - 1) * empty->measurement->median_ns + alone_ns) / batch;
    const double found = point->measurement->median_ns;
    const double allowed = std::max(tolerance * least, lane.device.timer_step_ns);
    CaseResult result;
    result.what =
        fmt::format("{} in batches of {}", format_duration(1e3 * duration), point->measurement->batch);
    result.expected = fmt::format("{} to {} ± {}", format_duration(least), format_duration(most),
                                  format_duration(allowed));
    result.found = format_duration(found);
    result.outcome = found >= least - allowed && found <= most + allowed ? Outcome::pass : Outcome::fail;
    result.figures = {{"least_ns", least}, {"most_ns", most}, {"allowed_ns", allowed}, {"found_ns", found}};
    excuse_restless(result, *point, most, allowed, lane);
    results.push_back(std::move(result));
  }
  return results;
}

/// What a further execution in a sample takes by the host's clock, beyond what the plugin says: audits
/// grant so much before they call a time implausible.
CaseResult check_queueing(const std::vector<Result>& points) {
  const double granted = AuditBounds().host_slack_ns;
  CaseResult result;
  result.what = "a further execution on the host's clock, beyond the plugin's time";
  result.expected = fmt::format("at most {}", format_duration(granted));
  const Result* refused =
      find_point(points, [](const Result& point) { return point.row.point.status == Status::implausible; });
  if (refused != nullptr) {
    result.found = why_not({*refused});
    return result;
  }
  std::optional<double> most;
  for (const Result& point : points) {
    const auto ratio = point.resources.find("audit_host");
    if (!point.measurement || ratio == point.resources.end()) continue;
    const double beyond = (ratio->second - 1) * point.measurement->median_ns;
    most = std::max(most.value_or(beyond), beyond);
  }
  if (!most) return impossible(result.what, why_not(points));
  result.found = format_duration(std::max(0.0, *most));
  result.outcome = *most <= granted ? Outcome::pass : Outcome::fail;
  result.figures = {{"granted_ns", granted}, {"found_ns", *most}};
  return result;
}

CaseResult check_scale(const HostScale& scale) {
  const std::string what = "a second of the device on the host's clock";
  if (!scale.doubt.empty()) return impossible(what, scale.doubt);
  CaseResult result;
  result.what = what;
  result.expected = fmt::format("1 ± {:g} %", 100 * tolerance);
  result.found = fmt::format("{:.5f}", scale.value);
  result.outcome = std::abs(scale.value - 1) <= tolerance ? Outcome::pass : Outcome::fail;
  result.figures = {{"host_seconds_per_device_second", scale.value}};
  return result;
}

}  // namespace

std::vector<CaseResult> check_durations(Bench& bench, const Lane& lane) {
  const auto& [variant, single] = bench.spin(
      lane, [&](const std::string& name) { return durations_config(name, Sampling::single, bench.full()); },
      [](const auto& points) { return find_spin(points, durations_us[0], Basis::device) != nullptr; });
  if (find_spin(single, durations_us[0], Basis::device) == nullptr)
    return {impossible("a kernel of known duration", why_not(single))};

  std::vector<CaseResult> results;
  const HostScale scale = host_scale(single);
  if (variant == "loop" && !scale.doubt.empty()) {
    return {impossible("a kernel of known duration", scale.doubt)};
  }
  if (variant == "clock") results.push_back(check_scale(scale));
  const Truth truth = variant == "loop" ? Truth(scale.value) : Truth();
  for (CaseResult& result : check_single(single, lane, truth)) results.push_back(std::move(result));
  const std::vector<Result> batched =
      bench.measure(durations_config(variant, Sampling::batched, bench.full()), lane);
  const Result* empty = find_spin(single, 0, Basis::device);
  if (empty == nullptr) return results;
  const double alone_ns = empty->measurement->median_ns;
  for (CaseResult& result : check_batched(batched, alone_ns, lane, truth)) {
    results.push_back(std::move(result));
  }
  results.push_back(check_queueing(batched));
  return results;
}

}  // namespace benchctl::selftest
