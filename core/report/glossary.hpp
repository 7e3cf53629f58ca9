// Every column of every table that people read. A table cannot be made with a column that is not in here
// (core/report/text_table.hpp), and docs/measurement.md explains them all; a test compares the two.
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
    {"#", "number of the point in its run, for `benchctl explain` and `benchctl replay`"},
    {"device", "backend and device: the lane"},
    {"problem", "problem parameters in which the rows of a table differ"},
    {"variant", "which implementation"},
    {"parameters", "the variant's tunables, and the layout"},
    {"median", "median time of one execution"},
    {"±", "half the 95 % confidence interval of the median, relative to it"},
    {"GFLOP/s", "counted floating-point operations over the median time"},
    {"GB/s", "bytes that must be read and written over the median time"},
    {"ns/access", "median time over the accesses that depend on one another"},
    {"GB/s asked for", "bytes that threads ask for over the median time"},
    {"GB asked for",
     "bytes that threads ask for, each as often as they do, of workloads that count operations"},
    {"cycles", "clock cycles of the device from one dependent access to the next"},
    {"vs best", "median over the smallest median of the same problem on the same device"},
    {"speed vs baseline", "paired rounds: the baseline's time over the point's, with its 95 % interval"},
    {"verdict", "what the paired rounds say of the point against its baseline"},
    {"of roof", "share of the measured roof that the workload's own bytes and operations reach"},
    {"of datasheet",
     "share of the vendor's own peak that the workload's own bytes and operations reach; empty where no "
     "peak "
     "is known or none applies"},
    {"predicted", "time that the counted traffic takes under the measured roofs"},
    {"vs predicted", "measured over predicted time"},
    {"sector use", "bytes asked for over bytes of the memory sectors that hold them"},
    {"conflicts", "how many ways accesses to shared memory conflict"},
    {"remarks", "what else must be known of the row"},
    {"measured as", "time basis, cache mode and launch mode that the rows have in common"},
    {"fastest", "the fastest variant of the device on that problem"},
    {"as fast as it", "what cannot be told apart from the fastest"},
    {"fastest that is no vendor's", "the fastest variant that no vendor's library computes"},
    {"vs fastest device", "median over that of the device that is fastest on the same problem"},
    {"95 % interval", "of the figure before it"},
    {"application",
     "performance portability: harmonic mean over the devices of the efficiency against the fastest "
     "variant of each"},
    {"architectural",
     "performance portability: harmonic mean over the devices of the share of the measured roof"},
    {"base", "of the run that is compared with: its median, or the metric"},
    {"new", "the same of the run that is judged"},
    {"new / base", "ratio of the two: of times, above 1 is slower"},
    {"change", "what a comparison says of the point ([outcomes](reference.md)); (!) counts as failure"},
    {"metric", "which figure is compared beside the time"},
    {"pairs", "how many ratios of times there are"},
    {"geometric mean", "of the ratios new / base"},
    {"replicates", "fresh worker processes that the samples come from"},
    {"within", "spread inside one process"},
    {"between", "spread between processes"},
    {"runs", "how many runs have a time of the point"},
    {"processes", "how many processes have a time of the point"},
    {"executions vary", "standard deviation of the samples of one round, as a share"},
    {"blocks", "what rounds of one process vary by beyond that"},
    {"between processes", "what processes of one run vary by beyond that"},
    {"between runs", "what runs vary by beyond that; also what processes do, where each run has one"},
    {"samples worth while", "samples in a process after which another process tells more for its time"},
    {"processes for each side", "fresh processes that find the difference in 95 % of cases"},
    {"seconds", "that the processes of both sides take for the point"},
    {"first", "median in the oldest of these runs"},
    {"newest", "median in the newest of these runs"},
    {"newest / first", "ratio of the two, with its 95 % interval"},
    {"trend",
     "the medians from the oldest run to the newest, the lowest and the highest at the ends of the scale"},
    {"changes", "steps with run and factor, a drift with its factor, and runs far from their level"},
    {"check", "which of the self-tests"},
    {"case", "what was measured"},
    {"expected", "what must come out"},
    {"found", "what came out"},
    {"outcome", "passed, failed, or not possible here"},
    {"measured on", "whose figures stand beside the published ones"},
    {"published ratio", "published figure over the published figure that ratios are taken to"},
    {"predicted there",
     "least time of the counted traffic and operations on the published hardware, by its data sheet"},
    {"predicted ratio", "that time over the one at the place that ratios are taken to"},
    {"measured", "our figure of the same metric"},
    {"measured ratio", "our figure over ours at the same place"},
    {"roof", "probe of the workload `peaks` that measured it"},
    {"clock", "of the device while the roof was measured"},
    {"baseline", "name by which a run can be called"},
    {"run", "number of the run in the store"},
    {"name", "name of the experiment"},
    {"state", "running, interrupted or complete"},
    {"begun", "when the run was created, UTC"},
    {"points", "how many points there are, by status"},
    {"title", "title of the experiment"},
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
