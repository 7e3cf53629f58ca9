// Every figure that a result can carry. One table: its id is the column in exports and the key in the
// store, the rest serves tables, help and documentation.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace benchctl {

enum class Better : std::uint8_t { lower, higher, neither };

struct MetricInfo {
  std::string_view id;
  std::string_view label;  ///< for the head of a column
  std::string_view unit;   ///< empty: a plain number
  Better better;
  /// Made from times: means nothing without the time basis, and is never compared across bases.
  bool basis_dependent;
  std::string_view doc;
};

inline constexpr auto metric_table = std::to_array<MetricInfo>({
    {"median_ns", "median", "ns", Better::lower, true,
     "median time of one execution over all samples; rates are made from it"},
    {"ci_low_ns", "CI low", "ns", Better::lower, true,
     "lower end of the 95 % confidence interval of the median; none under 6 samples"},
    {"ci_high_ns", "CI high", "ns", Better::lower, true,
     "upper end of the 95 % confidence interval of the median; none under 6 samples"},
    {"min_ns", "min", "ns", Better::lower, true, "shortest sample"},
    {"max_ns", "max", "ns", Better::lower, true, "longest sample; outliers are kept"},
    {"mean_ns", "mean", "ns", Better::lower, true, "arithmetic mean of the samples"},
    {"mad_ns", "MAD", "ns", Better::lower, true,
     "spread: median absolute deviation from the median, not scaled"},
    {"p5_ns", "p5", "ns", Better::lower, true, "5 % quantile of the samples"},
    {"p25_ns", "p25", "ns", Better::lower, true, "lower quartile of the samples"},
    {"p75_ns", "p75", "ns", Better::lower, true, "upper quartile of the samples"},
    {"p95_ns", "p95", "ns", Better::lower, true, "95 % quantile of the samples"},
    {"warmup_ns", "warm-up", "ns", Better::neither, true, "time spent on warming up, in no statistic"},
    {"n_samples", "samples", "", Better::neither, false, "samples that the statistics are made from"},
    {"batch", "batch", "", Better::neither, false, "executions per sample; a sample is their mean"},
    {"time_ratio", "vs baseline", "", Better::lower, false,
     "paired rounds: the point's time over its baseline's, median over the rounds"},
    {"ratio_ci_low", "ratio low", "", Better::lower, false,
     "lower end of the 95 % confidence interval of time_ratio; none under 6 rounds"},
    {"ratio_ci_high", "ratio high", "", Better::lower, false,
     "upper end of the 95 % confidence interval of time_ratio; none under 6 rounds"},
    {"ratio_p_value", "p", "", Better::neither, false,
     "probability of ratios this far from 1 if point and baseline are the same, adjusted for the number of "
     "comparisons (sign test, Holm)"},
    {"ratio_rounds", "rounds", "", Better::neither, false, "rounds that time_ratio is made from"},
    {"replicates", "replicates", "", Better::neither, false,
     "fresh worker processes that the samples come from"},
    {"within_spread", "within", "", Better::lower, false,
     "spread inside one process: median absolute deviation over the median, the middle one of the "
     "replicates"},
    {"between_spread", "between", "", Better::lower, false,
     "spread between processes: median absolute deviation of the replicates' medians over their median"},
    {"buffer_sets", "sets", "", Better::neither, false,
     "sets of buffers that executions use in turn, with cache = cold or rotate"},
    {"gflops", "GFLOP/s", "GFLOP/s", Better::higher, true,
     "counted floating-point operations over the median time, in 10^9 per second"},
    {"gbytes_per_s", "GB/s", "GB/s", Better::higher, true,
     "bytes that must be read and written over the median time, in 10^9 per second"},
    {"ns_per_access", "ns/access", "ns", Better::lower, true,
     "median time over the accesses that follow one another: the latency of one"},
    {"predicted_ns", "predicted", "ns", Better::neither, false,
     "least time that the counted traffic and operations take under the measured ceilings of the device"},
    {"roof_fraction", "of roof", "", Better::higher, true,
     "least time that the workload's own bytes and operations take under the measured ceilings, over the "
     "median time: 1 is as fast as the device can"},
    {"sectors_per_request", "sectors/request", "", Better::lower, false,
     "counted from the access pattern: memory sectors that one instruction of a warp moves, on average"},
    {"sector_efficiency", "sector use", "", Better::higher, false,
     "counted from the access pattern: bytes asked for over bytes of the sectors that hold them, request "
     "by "
     "request"},
    {"line_efficiency", "line use", "", Better::higher, false,
     "counted from the access pattern: bytes asked for over bytes of the cache lines that hold them"},
    {"conflict_degree", "conflicts", "", Better::lower, false,
     "counted from the access pattern: the n of n-way bank conflicts in shared memory, 1 without any"},
    {"dram_bytes_read", "DRAM read", "B", Better::lower, false,
     "counted from the access pattern: distinct bytes read, in pieces that the device's memory delivers"},
    {"dram_bytes_written", "DRAM written", "B", Better::lower, false,
     "counted from the access pattern: distinct bytes written, in pieces that the device's memory takes"},
    {"cache_bytes", "cache traffic", "B", Better::lower, false,
     "counted from the access pattern: bytes of all sectors of all requests"},
    {"shared_bytes", "shared traffic", "B", Better::lower, false,
     "counted from the access pattern: cycles of shared memory, conflicts included, in bytes that it could "
     "have moved"},
    {"cycles_per_access", "cycles/access", "", Better::lower, false,
     "clock cycles of the device from one dependent load to the next, counted by the kernel itself"},
    {"spun_ns", "own clock", "ns", Better::neither, false,
     "how long the kernel ran by the device's clock, counted by the kernel itself"},
    {"error_norm", "error", "", Better::lower, false,
     "norm of the difference to the float64 reference over the norm of the reference; the larger of "
     "before and after timing"},
    {"registers", "registers", "", Better::lower, false, "registers per thread"},
    {"spill_bytes", "spills", "B", Better::lower, false, "bytes of registers spilled to memory per thread"},
    {"static_shared_bytes", "static shared", "B", Better::lower, false,
     "shared memory per block that the source declares"},
    {"dynamic_shared_bytes", "dynamic shared", "B", Better::lower, false,
     "shared memory per block that the launch asks for"},
    {"local_bytes", "local", "B", Better::lower, false,
     "thread-private memory outside registers, per thread"},
    {"constant_bytes", "constant", "B", Better::lower, false, "constant memory that the kernel uses"},
    {"max_block_threads", "max threads", "", Better::higher, false,
     "largest block that this kernel can be launched with"},
    {"occupancy", "occupancy", "", Better::higher, false,
     "resident threads over the most that a multiprocessor holds, from 0 to 1"},
    {"local_memory_bytes", "local memory", "B", Better::lower, false,
     "local memory per work-group, as the driver counts it"},
    {"private_bytes", "private", "B", Better::lower, false,
     "private memory per work-item, as the driver counts it"},
    {"preferred_multiple", "preferred multiple", "", Better::neither, false,
     "work-group sizes that are multiples of it suit the device"},
});

/// The entry of that id, or null.
[[nodiscard]] constexpr const MetricInfo* find_metric(std::string_view id) {
  for (const MetricInfo& metric : metric_table) {
    if (metric.id == id) return &metric;
  }
  return nullptr;
}

}  // namespace benchctl
