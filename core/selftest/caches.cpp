// Does `cache = "hot"` find its working set in a cache, and does `cache = "cold"` not? A set that fits well
// into the last cache is read, hot in several passes, cold in one. Hot, that must be faster than memory
// could deliver; cold, it must be nearer to the memory's rate than to the hot one. What the same kernel
// takes for fewer passes, or for a quarter of the set, is subtracted, and with it the launch, the first
// access and the end, which matter on a GPU, where reading a cache's worth takes hardly longer. Both are
// times of one launch configuration: the difference of the fastest of each, which may be two, can be
// anything.
#include "selftest/checks.hpp"

#include "report/datasheet_share.hpp"
#include "report/format.hpp"
#include "sweep/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl::selftest {

namespace {

constexpr std::uint64_t segment = 65536;
constexpr std::uint64_t least_memory_set = std::uint64_t{256} << 20;
constexpr std::uint64_t largest_memory_set = std::uint64_t{1} << 29;
/// So often an execution reads a hot set.
constexpr int few_passes = 4;
constexpr int many_passes = 16;
/// What an API of a card may be slower than the card's fastest, as a share.
constexpr double between_apis = 0.1;

constexpr std::string_view hot_case = "hot: a set of 3/8 of the last cache";
constexpr std::string_view cold_case = "cold: the same set";

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
  for (const Choice& choice : {Choice{"block", "[1]", "[256]"}, Choice{"width", "[16]", "[4]"},
                               Choice{"unroll", "[4]", "[1, 4]"}}) {
    if (!bench.has_tunable(lane, roof_workload().name(), choice.name)) continue;
    text += fmt::format("{} = {}\n", choice.name,
                        lane.device.type == DeviceType::cpu ? choice.on_cpu : choice.elsewhere);
  }
  return text;
}

/// `variant`: all if it is empty.
std::string caches_config(const Bench& bench, const Lane& lane, const std::string& variant) {
  return config_of(
      "caches",
      fmt::format("precision = \"all\"\ntarget = 0.02\nwarmup_seconds = 0.05\nmax_seconds = {}",
                  bench.full() ? 4.0 : 0.5),
      fmt::format(R"(name = "memory"
workload = "{7}"
{6}[sweep.parameters]
probe = ["dram_read"]
bytes = [{2}, {0}]
{1}
[[sweep]]
name = "cold"
workload = "{7}"
{6}[sweep.parameters]
probe = ["dram_read"]
bytes = [{2}, {3}]
cache = ["cold"]
{1}
[[sweep]]
name = "hot"
workload = "{7}"
{6}[sweep.parameters]
probe = ["cache_read"]
bytes = [{3}]
rounds = [{4}, {5}]
{1}
)",
                  memory_set(lane.device), tunables(bench, lane), least_set(lane.device),
                  cached_set(lane.device), few_passes, many_passes,
                  variant.empty() ? "" : fmt::format("variants = [\"{}\"]\n", variant),
                  roof_workload().name()));
}

/// What is compared differs by factors, so that this much doubt does no harm.
constexpr double largest_doubt = 0.2;

bool is_known(const Result& point) {
  if (!point.measurement) return false;
  const Measurement& measured = *point.measurement;
  return measured.ci_high_ns - measured.ci_low_ns <= 2 * largest_doubt * measured.median_ns;
}

struct Time {
  double median_ns = 0;
  double doubt_ns = 0;  ///< half of the median's interval
};

/// Times of one launch configuration, by bytes read and cache.
using Times = std::map<std::pair<double, CacheMode>, Time>;

/// The medians of points that are known well enough, by launch configuration.
std::map<Parameters, Times> times_of(const std::vector<Result>& points) {
  std::map<Parameters, Times> times;
  for (const Result& point : points) {
    if (!is_known(point)) continue;
    const double read = number_of(point, "bytes") * number_of(point, "rounds");
    const Measurement& measured = *point.measurement;
    times[point.row.point.tunables][{read, point.row.point.measure.cache}] = {
        measured.median_ns, (measured.ci_high_ns - measured.ci_low_ns) / 2};
  }
  return times;
}

struct Rate {
  double gbytes_per_s = 0;
  double doubt = 0;  ///< share of it
  Parameters launch;
};

/// What is read beyond a smaller amount, over what that takes longer. Nothing where it takes no longer.
std::optional<Rate> rate_of(const Parameters& launch, const Times& ns, double bytes, double than,
                            CacheMode cache) {
  const auto more = ns.find({bytes, cache});
  const auto less = ns.find({than, cache});
  if (more == ns.end() || less == ns.end()) return std::nullopt;
  const double longer_ns = more->second.median_ns - less->second.median_ns;
  if (longer_ns <= 0) return std::nullopt;
  return Rate{(bytes - than) / longer_ns,
              std::hypot(more->second.doubt_ns, less->second.doubt_ns) / longer_ns, launch};
}

/// The launch configuration of the highest rate.
std::optional<Rate> best_rate(const std::map<Parameters, Times>& times, double bytes, double than,
                              CacheMode cache) {
  std::optional<Rate> best;
  for (const auto& [launch, ns] : times) {
    const auto rate = rate_of(launch, ns, bytes, than, cache);
    if (rate && (!best || rate->gbytes_per_s > best->gbytes_per_s)) best = rate;
  }
  return best;
}

/// `4718592 bytes hot: 3.2 µs`, the shortest.
std::string shortest(const std::map<Parameters, Times>& times, double bytes, CacheMode cache) {
  double ns = std::numeric_limits<double>::infinity();
  for (const auto& [launch, all] : times) {
    if (const auto found = all.find({bytes, cache}); found != all.end())
      ns = std::min(ns, found->second.median_ns);
  }
  return fmt::format("{:.0f} bytes {}: {}", bytes, to_string(cache), format_duration(ns));
}

/// Did a processor's samples scatter so much that something else must have run in between?
bool is_restless(const std::vector<Result>& points, const Lane& lane) {
  if (lane.device.type != DeviceType::cpu) return false;
  return find_point(points, [](const Result& point) {
           return is_known(point) && number_of(point, "bytes") > segment &&
                  point.measurement->median_ns > (1 + largest_doubt) * point.measurement->min_ns;
         }) != nullptr;
}

CaseResult compare_rates(std::string what, std::string expected, double found, bool holds, double memory) {
  CaseResult result;
  result.what = std::move(what);
  result.expected = std::move(expected);
  result.found = format_significant(found) + " GB/s";
  result.outcome = holds ? Outcome::pass : Outcome::fail;
  result.figures = {{"memory_gbytes_per_s", memory}, {"found_gbytes_per_s", found}};
  return result;
}

}  // namespace

std::vector<CaseResult> check_caches(Bench& bench, const Lane& asked) {
  Lane lane = asked;
  lane.device.last_level_cache_bytes = datasheet_device(asked, bench.lanes()).last_level_cache_bytes;
  CaseResult impossible = not_possible("a working set inside the last cache",
                                       "the device does not report the size of its cache");
  if (lane.device.last_level_cache_bytes == 0) return {impossible};
  const std::string widest = bench.last_variant(caches_config(bench, lane, ""), asked);
  const std::vector<Result> points = bench.measure(caches_config(bench, lane, widest), asked);
  const auto small = static_cast<double>(cached_set(lane.device));
  const auto large = static_cast<double>(memory_set(lane.device));
  const auto least = static_cast<double>(least_set(lane.device));
  const std::map<Parameters, Times> times = times_of(points);
  const auto memory_rate = best_rate(times, large, least, CacheMode::hot);
  const auto hot_rate = best_rate(times, many_passes * small, few_passes * small, CacheMode::hot);
  // In the launch configuration that is the fastest when hot.
  std::optional<Rate> cold_rate;
  if (hot_rate)
    cold_rate = rate_of(hot_rate->launch, times.at(hot_rate->launch), small, least, CacheMode::cold);
  if (!memory_rate || !hot_rate || !cold_rate) {
    impossible.note = fmt::format(
        "{}, {}, {}, {}, {}; inf: the time is not known to ±{:g} %. {}",
        shortest(times, least, CacheMode::hot), shortest(times, least, CacheMode::cold),
        shortest(times, few_passes * small, CacheMode::hot), shortest(times, small, CacheMode::cold),
        shortest(times, large, CacheMode::hot), 100 * largest_doubt, why_not(points));
    return {impossible};
  }
  const double memory = memory_rate->gbytes_per_s;
  const double hot = hot_rate->gbytes_per_s;
  const double cold = cold_rate->gbytes_per_s;
  // A cold set is read at the memory's rate, so that nothing lies between the two; but it must be far from
  // hot.
  const double middle = std::sqrt(memory * hot);
  std::vector<CaseResult> results{
      compare_rates(std::string(hot_case),
                    fmt::format("above the memory's {} GB/s", format_significant(memory)), hot,
                    hot > memory, memory),
      compare_rates(std::string(cold_case),
                    fmt::format("below {} GB/s, the mean of hot and memory", format_significant(middle)),
                    cold, cold < middle, memory)};
  results[0].figures["doubt"] = hot_rate->doubt;
  results[1].figures["doubt"] = cold_rate->doubt;
  results[1].figures["hot_gbytes_per_s"] = hot;
  for (CaseResult& result : results) {
    if (result.outcome != Outcome::fail || !is_restless(points, lane)) continue;
    result.outcome = Outcome::not_possible;
    result.note = "the machine is too noisy: medians lie far above the shortest samples";
  }
  return results;
}

std::vector<CaseResult> compare_caches(std::span<const Lane> lanes, std::span<const CaseResult> results) {
  std::vector<CaseResult> compared;
  for (const std::string_view cases : {hot_case, cold_case}) {
    std::map<std::string, std::vector<const CaseResult*>> of_card;
    for (const Lane& lane : lanes) {
      const auto found = std::ranges::find_if(results, [&](const CaseResult& result) {
        return result.lane == lane.name() && result.what == cases;
      });
      const std::string card = card_of(lane);
      if (!card.empty() && found != results.end() && found->outcome != Outcome::not_possible)
        of_card[card].push_back(&*found);
    }
    const auto rate = [](const CaseResult* result) { return result->figures.at("found_gbytes_per_s"); };
    // As far as the two rates are known.
    const auto is_slower = [&](const CaseResult* api, const CaseResult* fastest) {
      return rate(api) * (1 + api->figures.at("doubt")) <
             (1 - between_apis) * rate(fastest) * (1 - fastest->figures.at("doubt"));
    };
    for (const auto& [card, apis] : of_card) {
      const CaseResult* fastest = *std::ranges::max_element(apis, {}, rate);
      for (const CaseResult* api : apis) {
        if (api == fastest) continue;
        CaseResult& result = compared.emplace_back(
            compare_rates(fmt::format("{}, beside {}", cases, fastest->lane),
                          fmt::format("at most {:g} % below {} GB/s", 100 * between_apis,
                                      format_significant(rate(fastest))),
                          rate(api), !is_slower(api, fastest), fastest->figures.at("memory_gbytes_per_s")));
        result.lane = api->lane;
      }
    }
  }
  return compared;
}

}  // namespace benchctl::selftest
