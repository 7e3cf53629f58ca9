// Measurements from several processes, and the sets of buffers that cache modes want.
#include "engine/replicates.hpp"
#include "engine/sampling.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

Replicate replicate(double centre) {
  Replicate made;
  for (int i = -10; i <= 10; ++i) made.samples.push_back(centre + 0.01 * i);
  summarize_into(made.measurement, made.samples);
  made.measurement.gated = true;
  made.measurement.warmup_ns = 5;
  return made;
}

constexpr std::uint64_t mebibyte = 1ULL << 20;

DeviceInfo device_with(std::uint64_t cache, std::uint64_t memory) {
  DeviceInfo made;
  made.last_level_cache_bytes = cache;
  made.limits.memory_bytes = memory;
  return made;
}

}  // namespace

TEST_CASE("one replicate is its own measurement") {
  const std::vector<Replicate> one{replicate(100)};
  CHECK(combine(one).median_ns == 100);
  CHECK(combine(one).ci_low_ns == one[0].measurement.ci_low_ns);
  CHECK(replicate_metrics(one).empty());
}

TEST_CASE("scatter between processes widens the interval") {
  const std::vector<Replicate> replicates{replicate(98), replicate(100), replicate(102)};
  const Measurement all = combine(replicates);
  CHECK(all.n_samples == 63);
  CHECK(all.processes == 3);
  CHECK(all.median_ns == 100);
  CHECK(all.warmup_ns == 15);
  CHECK(all.gated);
  // ln 0.98, 0 and ln 1.02 scatter by 0.0200; t(2) = 4.303: half = 4.303 * 0.0200 / sqrt(3) = 4.97 %
  CHECK(all.ci_low_ns == Approx(95.15).epsilon(0.001));
  CHECK(all.ci_high_ns == Approx(105.1).epsilon(0.001));
  const Resources metrics = replicate_metrics(replicates);
  CHECK(metrics.at("replicates") == 3);
  CHECK(metrics.at("between_spread") == Approx(0.02));
  CHECK(metrics.at("within_spread") == Approx(0.05 / 100).epsilon(0.05));
}

TEST_CASE("what is noted of one process is not said of all") {
  std::vector<Replicate> replicates{replicate(98), replicate(100)};
  replicates[1].measurement.note = "the interval counts 7 of 21";
  CHECK(combine(replicates).note == "in the last process: the interval counts 7 of 21");
  CHECK(combine(std::span(replicates).last(1)).note == "the interval counts 7 of 21");
}

TEST_CASE("sets fill three times the cache, within 16 and a quarter of the memory") {
  const DeviceInfo gpu = device_with(50 * mebibyte, 80ULL << 30);
  CHECK(cache_sets(CacheMode::hot, gpu, mebibyte) == 1);
  CHECK(cache_sets(CacheMode::rotate, gpu, mebibyte) == 16);
  CHECK(cache_sets(CacheMode::cold, gpu, 20 * mebibyte) == 8);  // 150 / 20, rounded up
  CHECK(cache_sets(CacheMode::rotate, gpu, 150 * mebibyte) == 1);
  CHECK(cache_sets(CacheMode::rotate, device_with(50 * mebibyte, 200 * mebibyte), 10 * mebibyte) == 5);
  CHECK(cache_sets(CacheMode::rotate, device_with(0, 0), mebibyte) == 1);
  CHECK(cache_sets(CacheMode::rotate, device_with(50 * mebibyte, mebibyte), mebibyte) == 1);
}

TEST_CASE("two modes of all processes together are named with their shares") {
  const auto around = [](double median, std::size_t count) {
    Replicate replicate;
    for (std::size_t i = 0; i < count; ++i)
      replicate.samples.push_back(median + 0.01 * static_cast<double>((i * 7) % count));
    return replicate;
  };
  const std::vector<Replicate> apart{around(19, 30), around(31, 20), around(19, 30)};
  const Resources modes = mode_metrics(apart);
  CHECK(modes.at("mode_low_ns") == Approx(19.15).margin(0.1));
  CHECK(modes.at("mode_high_ns") == Approx(31.1).margin(0.1));
  CHECK(modes.at("mode_high_share") == Approx(0.25));
  CHECK(mode_metrics(std::vector<Replicate>{around(19, 80)}).empty());
}
