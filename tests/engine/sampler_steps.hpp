// A device and its answers, for tests of a point's sampler.
#pragma once

#include "engine/sampling.hpp"

namespace benchctl::test {

inline DeviceInfo device(double step_ns = 1, std::uint32_t max_batch = 1000) {
  DeviceInfo info;
  info.type = DeviceType::gpu;
  info.timer_step_ns = step_ns;
  info.max_batch = max_batch;
  return info;
}

inline SampleBlock answer(const SampleRequest& request, double ns, bool gated = true) {
  SampleBlock block;
  block.ns.assign(request.count, ns);
  block.batch = request.batch;
  block.gated = gated;
  return block;
}

inline double device_seconds(const SampleRequest& request, double ns) {
  return request.batch * request.count * ns * 1e-9;
}

/// Feeds a constant time until sampling begins.
inline void warm_up(PointSampler& sampler, double ns) {
  while (sampler.warming_up()) {
    const SampleRequest request = sampler.next();
    sampler.accept(answer(request, ns), device_seconds(request, ns));
  }
}

/// A point whose executions take so long, warmed up.
inline PointSampler warmed(double ns, const MeasureSettings& settings = {},
                           const DeviceInfo& of = device()) {
  PointSampler sampler(settings, of, false);
  sampler.executed_once(ns);
  warm_up(sampler, ns);
  return sampler;
}

}  // namespace benchctl::test
