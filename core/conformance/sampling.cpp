#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace benchctl::conformance {

namespace {

class CountingHook final : public SampleHook {
 public:
  void begin() override { ++begun; }
  void end() override { ++ended; }
  std::size_t begun = 0;
  std::size_t ended = 0;
};

/// What every backend must be able to do.
bool is_plain(const SampleRequest& request) {
  return request.cache == CacheMode::hot && request.launch == LaunchMode::stream &&
         request.basis == Basis::device;
}

void judge(const SampleBlock& block, const SampleRequest& request, const CountingHook& hook) {
  const auto wants = [](bool holds, const std::string& broken) {
    if (!holds) throw Broken(broken);
  };
  wants(block.ns.size() == request.count,
        fmt::format("{} samples were asked for, {} came", request.count, block.ns.size()));
  wants(block.batch == request.batch,
        fmt::format("a batch of {} was asked for, the block says {}", request.batch, block.batch));
  for (const double ns : block.ns) {
    wants(std::isfinite(ns) && ns > 0, fmt::format("a sample is {} ns", ns));
  }
  for (const auto& [name, values] : block.readings) {
    wants(values.size() == 1 || values.size() == block.ns.size(),
          fmt::format("reading '{}' has {} values for {} samples; one a sample, or a single one", name,
                      values.size(), block.ns.size()));
  }
  wants(!block.gated || request.basis == Basis::device,
        "it says `gated` for times of the host's clock, which always include launches");
  wants(hook.begun == hook.ended && (hook.begun == 0 || hook.begun == request.count),
        fmt::format("the hook was called for {} beginnings and {} ends of {} samples; call it for every "
                    "sample or for none",
                    hook.begun, hook.ended, request.count));
}

void take(Subject& subject, const Case& one, SampleRequest request) {
  Bench bench(subject.session(), one.problem, 2);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  bench.ready(0);
  bench.ready(1);
  static_cast<void>(prepared->run(0));
  request.sets = 2;
  CountingHook hook;
  request.hook = &hook;
  SampleBlock block;
  bool refused = false;
  std::string why;
  try {
    block = prepared->sample(request);
  } catch (const Failure& failure) {
    if (failure.kind() != FailureKind::unsupported || is_plain(request)) throw;
    refused = true;
    why = failure.what();
  }
  if (!refused) judge(block, request, hook);
  bench.ready(0);
  static_cast<void>(prepared->run(0));
  bench.judge(*one.variant, 0, refused ? "after samples were refused" : "after samples were taken");
  if (refused) throw NotPossible("refused: " + why);
}

}  // namespace

void check_sampling(Subject& subject, Trials& trials) {
  for (const Case& one : subject.typical()) {
    const std::uint32_t batch = in_place(one.problem) || subject.lane().device.max_batch < 2 ? 1 : 2;
    const auto sample = [&](CacheMode cache, LaunchMode launch, Basis basis) {
      SampleRequest request;
      request.cache = cache;
      request.launch = launch;
      request.basis = basis;
      request.batch = batch;
      request.count = in_place(one.problem) ? 1 : 3;
      trials.run(
          fmt::format("{}, {} {} {}", one.label(), to_string(cache), to_string(launch), to_string(basis)),
          [&] { take(subject, one, request); });
    };
    using enum CacheMode;
    using enum Basis;
    for (const Basis basis : {device, host_sync, end_to_end}) sample(hot, LaunchMode::stream, basis);
    for (const CacheMode cache : {cold, rotate}) sample(cache, LaunchMode::stream, device);
    for (const CacheMode cache : {hot, cold}) sample(cache, LaunchMode::graph, device);
    if (!subject.full()) break;
  }
}

}  // namespace benchctl::conformance
