// Does `cache = "hot"` find its working set in a cache, and does `cache = "cold"` not? A set that fits well
// into the last cache is read once per execution. Hot, that must be faster than memory could deliver; cold,
// it must be nearer to the memory's rate than to the hot one. What the same kernel takes for a quarter of
// the set is subtracted, and with it the launch, the first access and the end, which matter on a GPU, where
// reading a cache's worth takes hardly longer.
#include "selftest/checks.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl::selftest {

namespace {

constexpr std::uint64_t segment = 65536;
constexpr std::uint64_t least_memory_set = std::uint64_t{256} << 20;
constexpr std::uint64_t largest_memory_set = std::uint64_t{1} << 30;

/// Three eighths of the last cache, in whole segments: a GPU's is made of two parts, and a set of half its
/// size may already be kept twice.
std::uint64_t cached_set(const DeviceInfo& device) {
  return std::max(device.last_level_cache_bytes * 3 / 8 / segment, std::uint64_t{1}) * segment;
}

/// What is subtracted: still spread over the whole device.
std::uint64_t least_set(const DeviceInfo& device) {
  return std::max(cached_set(device) / 4 / segment, std::uint64_t{1}) * segment;
}

/// So large that next to nothing of it can be left in a cache, as far as one buffer can be as large (with
/// its guards).
std::uint64_t memory_set(const DeviceInfo& device) {
  const std::uint64_t wanted =
      std::clamp(8 * device.last_level_cache_bytes, least_memory_set, largest_memory_set);
  const std::uint64_t limit = device.limits.max_allocation_bytes;
  return (limit == 0 ? wanted : std::min(wanted, limit - limit / 8)) / segment * segment;
}

/// Launches among which the fastest stands for the device, as far as its variants can be told so.
std::string tunables(const Bench& bench, const Lane& lane) {
  struct Choice {
    const char* name;
    const char* on_cpu;
    const char* elsewhere;
  };
  std::string text;
  for (const Choice& choice : {Choice{"block", "[1]", "[512, 1024]"}, Choice{"width", "[16]", "[4]"},
                               Choice{"unroll", "[4]", "[4, 8]"}}) {
    if (!bench.has_tunable(lane, "peaks", choice.name)) continue;
    text += fmt::format("{} = {}\n", choice.name,
                        lane.device.type == DeviceType::cpu ? choice.on_cpu : choice.elsewhere);
  }
  return text;
}

std::string caches_config(const Bench& bench, const Lane& lane) {
  return config_of(
      "caches",
      fmt::format("target = 0.05\nwarmup_seconds = 0.1\nmax_seconds = {}", bench.full() ? 4.0 : 1.0),
      fmt::format(R"(name = "memory"
workload = "peaks"
[sweep.parameters]
probe = ["dram_read"]
bytes = [{0}]
{1}
[[sweep]]
name = "cached"
workload = "peaks"
[sweep.parameters]
probe = ["dram_read"]
bytes = [{2}, {3}]
cache = ["hot", "cold"]
{1}
)",
                  memory_set(lane.device), tunables(bench, lane), least_set(lane.device),
                  cached_set(lane.device)));
}

/// What is compared differs by factors, so that this much doubt does no harm.
constexpr double largest_doubt = 0.2;

bool is_known(const Result& point) {
  if (!point.measurement) return false;
  const Measurement& measured = *point.measurement;
  return measured.ci_high_ns - measured.ci_low_ns <= 2 * largest_doubt * measured.median_ns;
}

/// Shortest median of a set's points that are known well enough; infinity without any.
double shortest_ns(const std::vector<Result>& points, double bytes, CacheMode cache) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const Result& point : points) {
    if (!is_known(point) || point.row.point.measure.cache != cache || number_of(point, "bytes") != bytes)
      continue;
    shortest = std::min(shortest, point.measurement->median_ns);
  }
  return shortest;
}

/// Did a processor's samples scatter so much that something else must have run in between?
bool is_restless(const std::vector<Result>& points, const Lane& lane) {
  if (lane.device.type != DeviceType::cpu) return false;
  return find_point(points, [](const Result& point) {
           return is_known(point) && number_of(point, "bytes") > segment &&
                  point.measurement->median_ns > (1 + largest_doubt) * point.measurement->min_ns;
         }) != nullptr;
}

Finding compare_rates(std::string what, std::string expected, double found, bool holds, double memory) {
  Finding finding;
  finding.what = std::move(what);
  finding.expected = std::move(expected);
  finding.found = format_significant(found) + " GB/s";
  finding.outcome = holds ? Outcome::pass : Outcome::fail;
  finding.figures = {{"memory_gbytes_per_s", memory}, {"found_gbytes_per_s", found}};
  return finding;
}

}  // namespace

std::vector<Finding> check_caches(Bench& bench, const Lane& lane) {
  Finding impossible = not_possible("a working set inside the last cache",
                                    "the device does not report the size of its cache");
  if (lane.device.last_level_cache_bytes == 0) return {impossible};
  const std::vector<Result> points = bench.measure(caches_config(bench, lane), lane);
  const auto small = static_cast<double>(cached_set(lane.device));
  const auto large = static_cast<double>(memory_set(lane.device));
  const auto least = static_cast<double>(least_set(lane.device));
  const auto rate = [&](double bytes, CacheMode cache) {
    return (bytes - least) / (shortest_ns(points, bytes, cache) - shortest_ns(points, least, cache));
  };
  // In bytes per ns, which is GB/s.
  const double memory = rate(large, CacheMode::hot);
  const double hot = rate(small, CacheMode::hot);
  const double cold = rate(small, CacheMode::cold);
  if (!(memory > 0) || !(hot > 0) || !(cold > 0)) {
    impossible.note.clear();
    for (const auto& [bytes, cache] : {std::pair(least, CacheMode::hot), std::pair(least, CacheMode::cold),
                                       std::pair(small, CacheMode::hot), std::pair(small, CacheMode::cold),
                                       std::pair(large, CacheMode::hot)}) {
      impossible.note += fmt::format("{}{:.0f} bytes {}: {}", impossible.note.empty() ? "" : ", ", bytes,
                                     to_string(cache), format_duration(shortest_ns(points, bytes, cache)));
    }
    impossible.note +=
        fmt::format("; inf: the time is not known to ±{:g} %. {}", 100 * largest_doubt, why_not(points));
    return {impossible};
  }
  // A cold set is read at the memory's rate, so that nothing lies between the two; but it must be far from
  // hot.
  const double middle = std::sqrt(memory * hot);
  std::vector<Finding> findings{
      compare_rates("hot: a set of 3/8 of the last cache",
                    fmt::format("above the memory's {} GB/s", format_significant(memory)), hot,
                    hot > memory, memory),
      compare_rates("cold: the same set",
                    fmt::format("below {} GB/s, the mean of hot and memory", format_significant(middle)),
                    cold, cold < middle, memory)};
  findings[1].figures["hot_gbytes_per_s"] = hot;
  for (Finding& finding : findings) {
    if (finding.outcome != Outcome::fail || !is_restless(points, lane)) continue;
    finding.outcome = Outcome::not_possible;
    finding.note = "the machine is too noisy: medians lie far above the shortest samples";
  }
  return findings;
}

}  // namespace benchctl::selftest
