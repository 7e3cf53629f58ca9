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
    {"variant", "implementation of the workload, with its tunables and layout"},
    {"median", "`median_ns`"},
    {"range",
     "of the samples, in the unit of the median: their middle nine tenths; of fewer than six the smallest "
     "and the largest; from three processes on the 95 % interval over them"},
    {"time (range)", "the two together"},
    {"±", "half the 95 % interval, over the figure"},
    {"GFLOP/s", "`gflops`, if the workload counts operations"},
    {"GB/s", "`gbytes_per_s`, if the workload counts fewer than 10 operations a byte"},
    {"ns/access", "`ns_per_access`, if accesses depend on each other"},
    {"requested GB/s", "`requested_gbytes_per_s`, if on-chip memory is read repeatedly"},
    {"cycles", "`cycles_per_access`"},
    {"vs best",
     "`versus_best`: time over that of the fastest of the problem and device, by common rounds: 1.00× is "
     "the fastest, above 1 is slower"},
    {"speed vs baseline", "paired rounds: `time_ratio` inverted, with its interval. Above 1 is faster"},
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
    {"remarks", "[codes](#remarks), explained below the table"},
    {"measured as", "time basis, cache mode and launch mode of the rows"},
    {"fastest", "fastest variant of the device on that problem"},
    {"ties with", "variants that are not shown slower than the fastest"},
    {"fastest non-vendor", "fastest variant that is not a vendor library"},
    {"vs best device", "median over that of the fastest device on that problem"},
    {"interval", "of the preceding figure"},
    {"95 % interval", "of the preceding figure"},
    {"application",
     "[performance portability](reports.md#what-the-figures-mean) by the efficiency against each device's "
     "fastest variant"},
    {"architectural", "performance portability by the share of the measured roof"},
    {"baseline", "the point that paired rounds compare with"},
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
    {"first", "median in the oldest of these runs"},
    {"newest", "median in the newest of these runs"},
    {"newest / first", "their ratio: above 1 is slower"},
    {"check", "which of the self-tests"},
    {"case", "what was measured"},
    {"expected", "required result"},
    {"found", "actual result"},
    {"outcome", "passed, failed, or not possible here"},
    {"measured on", "device and parameters of our points beside published figures"},
    {"published ratio", "published figure over the one at `relative_to`; comparable across hardware"},
    {"measured", "our figure of the published metric; in the table of roofs, the roof"},
    {"measured ratio", "our figure over ours at `relative_to`"},
    {"roof", "probe of the workload `peaks`: `dram_copy`, `fma_f32`, `launch`"},
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
