#include "model/measure.hpp"

namespace benchctl {

namespace {

constexpr std::uint64_t fewest_for_middle = 6;
constexpr std::uint32_t fewest_processes = 3;

}  // namespace

TimeRange range_of(const Measurement& m) {
  if (m.processes >= fewest_processes) return {TimeRange::Kind::processes, m.ci_low_ns, m.ci_high_ns};
  if (m.n_samples >= fewest_for_middle) return {TimeRange::Kind::middle, m.p5_ns, m.p95_ns};
  return {TimeRange::Kind::extremes, m.min_ns, m.max_ns};
}

double precision_of(const Measurement& m) { return (m.ci_high_ns - m.ci_low_ns) / 2 / m.median_ns; }

}  // namespace benchctl
