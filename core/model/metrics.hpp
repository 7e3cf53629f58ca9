// Every figure that a result can carry. One table: its id is the column in exports and the key in the
// store, the rest serves tables, help and documentation.
#pragma once

#include <array>
#include <cstdint>
#include <string>
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
  bool observed = false;  ///< read by an observer: `observe` in a config may name it
};

inline constexpr auto metric_table = std::to_array<MetricInfo>({
    {"median_ns", "median", "ns", Better::lower, true,
     "median time of one execution over all samples; rates are made from it"},
    {"ci_low_ns", "CI low", "ns", Better::lower, true,
     "lower end of the 95 % confidence interval of the median; none under 6 samples, or where samples "
     "depend too much on each other to claim one"},
    {"ci_high_ns", "CI high", "ns", Better::lower, true,
     "upper end of the 95 % confidence interval of the median; none where there is no lower one"},
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
    {"mode_low_ns", "lower mode", "ns", Better::lower, true,
     "median of the samples in the lower of two modes, where samples lie around two values: the median of "
     "all hides them"},
    {"mode_high_ns", "upper mode", "ns", Better::lower, true,
     "median of the samples in the upper of two modes"},
    {"mode_high_share", "in upper mode", "", Better::lower, false,
     "share of the samples that are in the upper of two modes"},
    {"buffer_sets", "sets", "", Better::neither, false,
     "sets of buffers that executions use in turn, with cache = cold or rotate"},
    {"audit_known", "audit", "", Better::neither, false,
     "audit: the shortest single execution on poisoned outputs over the median; a kernel that skips work "
     "stands out"},
    {"audit_fresh", "audit, new inputs", "", Better::neither, false,
     "audit: an execution on inputs that the kernel had never been given over one on known inputs"},
    {"audit_host", "audit, host clock", "", Better::neither, false,
     "audit: the time of a further execution in a sample by the host's clock over what the plugin says"},
    {"gflops", "GFLOP/s", "GFLOP/s", Better::higher, true,
     "counted floating-point operations over the median time, in 10^9 per second"},
    {"gbytes_per_s", "GB/s", "GB/s", Better::higher, true,
     "bytes that must be read and written over the median time, in 10^9 per second"},
    {"ns_per_access", "ns/access", "ns", Better::lower, true,
     "median time over the accesses that follow one another: the latency of one"},
    {"predicted_ns", "predicted", "ns", Better::neither, false,
     "least time that the counted traffic and operations take under the measured roofs of the device, "
     "and its launches"},
    {"roof_fraction", "of roof", "", Better::higher, true,
     "least time that the workload's own bytes and operations take under the measured roofs, over the "
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
     "counted from the access pattern: the n of n-way conflicts in the banks of shared memory, or the "
     "addresses in a request to constant memory; 1 without conflicts"},
    {"dram_bytes_read", "DRAM read", "B", Better::lower, false,
     "counted from the access pattern: distinct bytes read, in pieces that the device's memory delivers, "
     "those included that stores make it read by filling sectors only in part"},
    {"dram_bytes_apart", "DRAM alone", "B", Better::lower, false,
     "counted from the access pattern: of the bytes read, those in pieces whose neighbours in their cache "
     "line nobody reads; memory delivers them more slowly"},
    {"dram_bytes_written", "DRAM written", "B", Better::lower, false,
     "counted from the access pattern: distinct bytes written, in pieces that the device's memory takes"},
    {"cache_bytes", "cache traffic", "B", Better::lower, false,
     "counted from the access pattern: bytes of the sectors that each block loads, each once, and of those "
     "of all stores"},
    {"shared_bytes", "shared traffic", "B", Better::lower, false,
     "counted from the access pattern: cycles of shared memory, conflicts included, in bytes that it could "
     "have moved"},
    {"requested_bytes", "asked for", "B", Better::neither, false,
     "counted from the access pattern: bytes that all threads ask for, each as often as it is asked for, "
     "from "
     "memory of any kind"},
    {"requested_gbytes_per_s", "GB/s asked for", "GB/s", Better::higher, true,
     "bytes that threads ask for over the median time, in 10^9 per second: the rate where memory on the "
     "chip "
     "is read over and over"},
    {"cycles_per_access", "cycles/access", "", Better::lower, false,
     "clock cycles of the device from one dependent load to the next, counted by the kernel itself in the "
     "last "
     "execution, where times are medians over all"},
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
    {"device_bytes", "device memory", "B", Better::lower, false,
     "device memory of the problem's buffers with all their sets and guards, as benchctl allocated it"},
    {"sm_clock", "SM clock", "MHz", Better::neither, false,
     "clock of the multiprocessors right after the samples of a block: median over the blocks", true},
    {"memory_clock", "memory clock", "MHz", Better::neither, false,
     "clock of the device's memory right after the samples of a block: median over the blocks", true},
    {"power", "power", "W", Better::lower, false,
     "power that the whole card draws right after the samples of a block: mean over the blocks", true},
    {"temperature", "temperature", "°C", Better::lower, false,
     "temperature of the device: the highest that was read after a block", true},
    {"throttled_samples", "throttled", "", Better::lower, false,
     "samples taken while the hardware or its driver slowed the device down because of heat or of a power "
     "brake; most of them are put aside and taken again",
     true},
    {"power_capped_samples", "power-capped", "", Better::lower, false,
     "samples taken while the device kept its clock down to stay within its power limit; they count, since "
     "this is how a loaded device runs",
     true},
    {"energy", "energy", "J", Better::lower, false,
     "energy of one execution, idle power included, from the device's energy counter over a pass of its "
     "own "
     "after timing",
     true},
    {"dram_bytes", "DRAM traffic", "B", Better::lower, false,
     "bytes that one execution moves between the device's memory and its caches, by the device's own "
     "counters in a pass of its own after timing",
     true},
    {"measured_sectors_per_request", "sectors/request measured", "", Better::lower, false,
     "memory sectors that one load or store of a warp moves on average, by the device's own counters in a "
     "pass of its own after timing: `observe` calls it sectors_per_request",
     true},
    {"cycles", "cycles", "", Better::lower, false,
     "processor cycles of one execution over all threads: median over the samples", true},
    {"instructions", "instructions", "", Better::lower, false,
     "instructions of one execution over all threads: median over the samples", true},
    {"cache_misses", "cache misses", "", Better::lower, false,
     "misses of the last-level cache in one execution over all threads: median over the samples", true},
    {"branch_misses", "branch misses", "", Better::lower, false,
     "mispredicted branches of one execution over all threads: median over the samples", true},
    {"dtlb_misses", "dTLB misses", "", Better::lower, false,
     "loads that missed the data TLB in one execution over all threads: median over the samples", true},
    {"page_faults", "page faults", "", Better::lower, false,
     "page faults of the worker process during all samples together", true},
    {"context_switches", "context switches", "", Better::lower, false,
     "context switches of the worker process during all samples together", true},
    {"steal_ns", "stolen", "ns", Better::lower, false,
     "time that the hypervisor took from the worker's processors during all samples together", true},
    {"peak_host_bytes", "peak host memory", "B", Better::lower, false,
     "largest resident memory of the worker process during the samples", true},
});

/// The entry of that id, or null.
[[nodiscard]] constexpr const MetricInfo* find_metric(std::string_view id) {
  for (const MetricInfo& metric : metric_table) {
    if (metric.id == id) return &metric;
  }
  return nullptr;
}

/// The figure that a reading becomes. Where the same thing is also counted from access patterns, which has
/// the plain name, the reading is `measured_…`.
[[nodiscard]] inline std::string metric_of_reading(std::string_view reading) {
  std::string measured = "measured_" + std::string(reading);
  return find_metric(measured) != nullptr ? measured : std::string(reading);
}

}  // namespace benchctl
