// Every column of every table that people read. A table cannot be made with a column that is not in here
// (core/report/text_table.hpp). The reference prints these texts, so they may hold links.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace benchctl {

struct ColumnInfo {
  std::string_view title;
  std::string_view doc;  ///< one sentence
};

inline constexpr auto column_table = std::to_array<ColumnInfo>({
    {"#", "number of the point in its run, from 0, in the order of the config; for `explain` and `replay`"},
    {"device", "the lane: backend and device. One GPU can be two lanes"},
    {"problem", "problem parameters that differ between rows; shared ones stand above the table"},
    {"variant", "implementation of the workload"},
    {"parameters", "the variant's tunables and, if there are several, the layout"},
    {"median", "`median_ns`"},
    {"±",
     "half the 95 % confidence interval of the median, over the median; not the scatter of samples. Empty "
     "if there is no interval"},
    {"GFLOP/s", "`gflops`, if the workload counts operations"},
    {"GB/s", "`gbytes_per_s`, if the workload counts only bytes"},
    {"ns/access", "`ns_per_access`, if accesses depend on each other"},
    {"GB/s asked for", "`requested_gbytes_per_s`, if on-chip memory is read repeatedly"},
    {"GB asked for", "`requested_bytes` in 10^9, if the workload counts operations"},
    {"cycles", "`cycles_per_access`"},
    {"vs best", "median over the smallest median of that problem and device: 1.00× is the fastest"},
    {"speed vs baseline",
     "paired rounds: `time_ratio` inverted, with its 95 % interval. Above 1 is faster"},
    {"verdict",
     "`faster`, `slower`, `same` (difference within `threshold`) or `not resolved`; all verdicts of one "
     "problem together hold at 95 %, those of a table with many problems do not"},
    {"of roof", "`roof_fraction`"},
    {"of datasheet",
     "the same with the vendor's stated peaks ([reports](reports.md#what-the-figures-mean))"},
    {"predicted", "`predicted_ns`"},
    {"vs predicted",
     "measured over predicted time. Well above 1: uncounted costs (latency, launching, instructions). "
     "Below 1: a cache served counted traffic"},
    {"sector use", "`sector_efficiency`"},
    {"conflicts", "`conflict_degree`"},
    {"remarks",
     "`vendor` (library tuned by others: the yardstick), `16 threads` (if rows of the device ran on "
     "different numbers of threads), `unstable`, `wrong, as expected` (shows a "
     "mistake), `n=3` (too few samples for an interval), `dependent: no interval claimed` (samples depend "
     "too much on those before them), `two modes: …` (samples lie around two values; both with their "
     "shares), `reused` (from an older run), `at its roof` (above 100 %, within the interval of the time), "
     "`above its roof` (`explain` says why), `not resolved, allow more time` (its interval overlaps that "
     "of the fastest, and one of the two is wider than ±10 %)"},
    {"measured as", "time basis, cache mode and launch mode of the rows"},
    {"fastest", "fastest variant of the device on that problem"},
    {"as fast as it", "variants tied with the fastest"},
    {"fastest that is no vendor's", "fastest variant outside vendor libraries"},
    {"vs fastest device", "median over that of the fastest device on that problem"},
    {"95 % interval", "of the preceding figure"},
    {"application",
     "[performance portability](reports.md#what-the-figures-mean) by the efficiency against each device's "
     "fastest variant"},
    {"architectural", "performance portability by the share of the measured roof"},
    {"base", "median or metric of the base run"},
    {"new", "the same of the judged run"},
    {"new / base", "their ratio; for times, above 1 is slower"},
    {"change", "[outcome](#outcomes) of the comparison; (!) counts as failure"},
    {"metric", "the figure compared beside the time"},
    {"pairs", "number of time ratios"},
    {"geometric mean", "of the ratios new / base"},
    {"replicates", "fresh worker processes that gave samples"},
    {"within", "spread inside one process"},
    {"between", "spread between processes"},
    {"runs", "runs with a time of the point"},
    {"processes", "processes with a time of the point, of all runs"},
    {"executions vary", "standard deviation of the samples of one round, over the median"},
    {"blocks", "what rounds of one process vary by beyond that"},
    {"between processes", "what processes of one run vary by beyond that"},
    {"between runs", "what runs vary by beyond that. Includes the processes if each run has one"},
    {"samples worth while", "samples in a process after which another process tells more for its time"},
    {"processes for each side", "fresh processes that find the difference in 95 % of cases"},
    {"seconds", "time of the processes of both sides"},
    {"first", "median in the oldest of these runs"},
    {"newest", "median in the newest of these runs"},
    {"node", "host of the device"},
    {"control problem", "the problem that every device of the fleet measured, for comparison"},
    {"vs fleet", "the device's median over the median of all devices of its class: above 1 is slower"},
    {"last / first run", "the device's time in its last control run over that in its first"},
    {"newest / first", "their ratio, with its 95 % interval"},
    {"trend", "medians from oldest to newest run, scaled from lowest to highest"},
    {"changes",
     "steps: run and factor; drift: last over first on the line; disturbed: runs far from their level"},
    {"check", "which of the self-tests"},
    {"case", "what was measured"},
    {"expected", "required result"},
    {"found", "actual result"},
    {"outcome", "passed, failed, or not possible here"},
    {"measured on", "device and parameters of our points beside published figures"},
    {"published ratio", "published figure over the one at `relative_to`; comparable across hardware"},
    {"predicted there",
     "least time of the counted traffic and operations on the published hardware, which "
     "`[reference.device]` describes"},
    {"predicted ratio", "that time over the one at `relative_to`"},
    {"measured", "our figure of the published metric; in the table of roofs, the roof"},
    {"measured ratio", "our figure over ours at `relative_to`"},
    {"roof", "probe of the workload `peaks`: `dram_copy`, `fma_f32`, `launch`"},
    {"baseline", "name of a run"},
    {"clock", "of the device while the roof was measured"},
    {"run", "number of the run in the store"},
    {"name", "`name` in `[experiment]`"},
    {"state", "`running`, `interrupted` (the same command resumes) or `complete`"},
    {"begun", "creation time of the run, UTC"},
    {"points", "number of points by [status](#statuses-of-a-point)"},
    {"title", "`title` in `[experiment]`"},
    {"workload", "what is computed"},
});

/// Is there an entry of that title?
[[nodiscard]] constexpr bool in_glossary(std::string_view title) {
  // By index: with the undefined-behaviour sanitizer, GCC 12 takes no addresses here at compile time.
  for (std::size_t i = 0; i < column_table.size(); ++i) {
    if (column_table[i].title == title) return true;
  }
  return false;
}

}  // namespace benchctl
