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
     "median of the samples: the reported time of one execution; all rates use it"},
    {"ci_low_ns", "CI low", "ns", Better::lower, true,
     "lower end of the 95 % interval of the median: from blocks of the samples of one process, from three "
     "processes on over their medians. Another process may differ by more"},
    {"ci_high_ns", "CI high", "ns", Better::lower, true, "upper end of it"},
    {"range_low_ns", "range low", "ns", Better::lower, true,
     "lower end of what the time is shown with: the 5 % quantile; of fewer than 6 samples the shortest; "
     "from "
     "three processes on the lower end of the interval"},
    {"range_high_ns", "range high", "ns", Better::lower, true, "upper end of it"},
    {"versus_best", "vs best", "", Better::lower, false,
     "time over that of the fastest of the problem and device, at least 1: median over the common rounds; "
     "of "
     "what was not measured together over the medians"},
    {"min_ns", "min", "ns", Better::lower, true, "shortest sample"},
    {"max_ns", "max", "ns", Better::lower, true, "longest sample; no sample is removed"},
    {"mean_ns", "mean", "ns", Better::lower, true,
     "arithmetic mean; well above the median if a few samples took long"},
    {"mad_ns", "MAD", "ns", Better::lower, true, "median absolute deviation from the median, unscaled"},
    {"p5_ns", "p5", "ns", Better::lower, true, "5 % quantile"},
    {"p25_ns", "p25", "ns", Better::lower, true, "lower quartile"},
    {"p75_ns", "p75", "ns", Better::lower, true, "upper quartile"},
    {"p95_ns", "p95", "ns", Better::lower, true, "95 % quantile"},
    {"warmup_ns", "warm-up", "ns", Better::neither, true, "warm-up time; its samples are in no statistic"},
    {"n_samples", "samples", "", Better::neither, false, "samples in the statistics"},
    {"batch", "batch", "", Better::neither, false, "executions per sample; a sample is their mean"},
    {"time_ratio", "vs baseline", "", Better::lower, false,
     "paired rounds: point time over baseline time, median over rounds"},
    {"ratio_ci_low", "ratio low", "", Better::lower, false,
     "lower end of the interval of time_ratio, which holds for all comparisons of the problem together"},
    {"ratio_ci_high", "ratio high", "", Better::lower, false, "upper end of it"},
    {"ratio_rounds", "rounds", "", Better::neither, false, "rounds in time_ratio"},
    {"replicates", "replicates", "", Better::neither, false, "fresh worker processes that gave samples"},
    {"within_spread", "within", "", Better::lower, false,
     "spread inside one process: median absolute deviation over median, median of the replicates"},
    {"between_spread", "between", "", Better::lower, false,
     "spread between processes: median absolute deviation of the replicates' medians over their median"},
    {"mode_low_ns", "lower mode", "ns", Better::lower, true,
     "median of the samples in the lower mode, if samples lie around two values"},
    {"mode_high_ns", "upper mode", "ns", Better::lower, true, "median of the samples in the upper mode"},
    {"mode_high_share", "in upper mode", "", Better::lower, false,
     "share of the samples in the upper mode"},
    {"buffer_sets", "sets", "", Better::neither, false,
     "sets of buffers that executions use in turn, with cache = cold or rotate"},
    {"audit_known", "audit", "", Better::neither, false,
     "audit: shortest single execution on poisoned outputs over the median; high if a kernel skips work"},
    {"audit_fresh", "audit, new inputs", "", Better::neither, false,
     "audit: execution on inputs new to the kernel over one on known inputs"},
    {"audit_host", "audit, host clock", "", Better::neither, false,
     "audit: a further execution in a sample by the host's clock over the plugin's time"},
    {"gflops", "GFLOP/s", "GFLOP/s", Better::higher, true,
     "operations that the workload counts (the textbook's), over the median. A variant that does fewer "
     "shows a higher rate"},
    {"gbytes_per_s", "GB/s", "GB/s", Better::higher, true,
     "least bytes to read and write, over the median. A variant that moves more shows a lower rate"},
    {"ns_per_access", "ns/access", "ns", Better::lower, true,
     "median over the number of dependent accesses: the latency of one"},
    {"predicted_ns", "predicted", "ns", Better::neither, false,
     "lower bound: the slower of memory traffic and arithmetic at the measured roofs, plus launch "
     "overhead. "
     "None where a roof that may bind was not measured"},
    {"roof_fraction", "of roof", "", Better::higher, true,
     "least time of the workload's own bytes and operations under the measured roofs, over the median: 1 "
     "is the limit. The memory roof is the cache's if the working set fits and `cache` is `hot`. None "
     "where a "
     "roof that may bind was not measured"},
    {"sectors_per_request", "sectors/request", "", Better::lower, false,
     "counted: mean memory sectors per warp instruction"},
    {"sector_efficiency", "sector use", "", Better::higher, false,
     "counted: requested bytes over bytes of their sectors; 1 if neighbouring threads access neighbouring "
     "places"},
    {"line_efficiency", "line use", "", Better::higher, false, "counted: the same for whole cache lines"},
    {"conflict_degree", "conflicts", "", Better::lower, false,
     "counted: the n of n-way bank conflicts in shared memory, or the addresses in one request to constant "
     "memory; 1 without conflicts"},
    {"dram_bytes_read", "DRAM read", "B", Better::lower, false,
     "counted: distinct bytes read, in pieces that the memory delivers, and bytes read because stores fill "
     "sectors only in part"},
    {"dram_bytes_apart", "DRAM alone", "B", Better::lower, false,
     "counted: of these, pieces whose cache-line neighbours nobody reads: memory delivers them more "
     "slowly"},
    {"dram_bytes_written", "DRAM written", "B", Better::lower, false,
     "counted: distinct bytes written, in the same pieces"},
    {"cache_bytes", "cache traffic", "B", Better::lower, false,
     "counted: bytes of the sectors that each block loads, each once per block, and of the sectors of all "
     "stores"},
    {"shared_bytes", "shared traffic", "B", Better::lower, false,
     "counted: cycles of shared memory, with conflicts, as bytes it could have moved"},
    {"requested_bytes", "requested", "B", Better::neither, false,
     "counted: bytes that all threads of one execution request"},
    {"requested_gbytes_per_s", "requested GB/s", "GB/s", Better::higher, true,
     "requested bytes over the median: the rate where on-chip memory is read repeatedly"},
    {"cycles_per_access", "cycles/access", "", Better::lower, false,
     "clock cycles from one dependent load to the next, counted by the kernel in its last execution"},
    {"spun_ns", "own clock", "ns", Better::neither, false,
     "run time by the device's clock, counted by the kernel"},
    {"error_norm", "error", "", Better::lower, false,
     "‖result − reference‖ over ‖reference‖, the larger of before and after timing"},
    {"registers", "registers", "", Better::lower, false, "registers per thread; maximum over launches"},
    {"spill_bytes", "spills", "B", Better::lower, false, "spilled registers per thread, in memory"},
    {"static_shared_bytes", "static shared", "B", Better::lower, false,
     "shared memory per block declared by the source"},
    {"dynamic_shared_bytes", "dynamic shared", "B", Better::lower, false,
     "shared memory per block requested by the launch"},
    {"local_bytes", "local", "B", Better::lower, false,
     "memory per thread outside registers: spills, arrays with computed indices"},
    {"constant_bytes", "constant", "B", Better::lower, false, "constant memory of the kernel"},
    {"max_block_threads", "max threads", "", Better::higher, false,
     "largest block that the kernel can be launched with"},
    {"occupancy", "occupancy", "", Better::higher, false,
     "resident threads over the multiprocessor's maximum, by registers, shared memory and block size"},
    {"local_memory_bytes", "local memory", "B", Better::lower, false,
     "local memory per work-group, by the driver"},
    {"private_bytes", "private", "B", Better::lower, false, "private memory per work-item, by the driver"},
    {"preferred_multiple", "preferred multiple", "", Better::neither, false,
     "work-group sizes that are multiples of it suit the device"},
    {"compile_ns", "compile", "ns", Better::lower, false,
     "time that the compiler took for the point's kernels; none where the cache had them"},
    {"prepare_ns", "prepare", "ns", Better::lower, false,
     "host's time for loading the compiled kernel and binding its buffers, with what the driver compiles "
     "then; the first of the run"},
    {"device_bytes", "device memory", "B", Better::lower, false,
     "device memory of the problem's buffers with all sets and guards"},
    {"sm_clock", "SM clock", "MHz", Better::neither, false,
     "multiprocessor clock right after a block, median over blocks; after short kernels it may have fallen",
     true},
    {"memory_clock", "memory clock", "MHz", Better::neither, false, "clock of the card's memory, likewise",
     true},
    {"power", "power", "W", Better::lower, false,
     "power that the whole card draws right after the samples of a block: mean over the blocks", true},
    {"temperature", "temperature", "°C", Better::lower, false,
     "highest chip temperature read after a block", true},
    {"throttled_samples", "throttled", "", Better::lower, false,
     "samples while heat, a power brake or a fault slowed the card; repeated, except the last attempt",
     true},
    {"power_capped_samples", "power-capped", "", Better::lower, false,
     "samples at the power limit; they count", true},
    {"energy", "energy", "J", Better::lower, false,
     "energy of one execution, idle power included: whole card, or all processor packages", true},
    {"dram_bytes", "DRAM traffic", "B", Better::lower, false,
     "bytes between memory and caches per execution, by the device's counters", true},
    {"measured_sectors_per_request", "sectors/request measured", "", Better::lower, false,
     "memory sectors per load or store of a warp, by the device's counters (`observe` calls it "
     "sectors_per_request)",
     true},
    {"cycles", "cycles", "", Better::lower, false,
     "processor cycles of one execution over all threads, median over samples", true},
    {"instructions", "instructions", "", Better::lower, false, "instructions, likewise", true},
    {"cache_misses", "cache misses", "", Better::lower, false, "last-level cache misses, likewise", true},
    {"branch_misses", "branch misses", "", Better::lower, false, "mispredicted branches, likewise", true},
    {"dtlb_misses", "dTLB misses", "", Better::lower, false, "loads that missed the data TLB, likewise",
     true},
    {"page_faults", "page faults", "", Better::lower, false,
     "page faults of the worker process during all samples", true},
    {"context_switches", "context switches", "", Better::lower, false,
     "context switches of the worker process during all samples, waits of its threads included", true},
    {"steal_ns", "stolen", "ns", Better::lower, false,
     "time that the hypervisor took from the worker's processors during all samples, in steps of 10 ms",
     true},
    {"peak_host_bytes", "peak host memory", "B", Better::lower, false,
     "peak resident memory of the worker during the samples; since its start if the kernel cannot reset "
     "the peak",
     true},
});

/// The entry of that id, or null.
[[nodiscard]] constexpr const MetricInfo* find_metric(std::string_view id) {
  for (const MetricInfo& metric : metric_table) {
    if (metric.id == id) return &metric;
  }
  return nullptr;
}

inline constexpr std::string_view measured_prefix = "measured_";

/// The figure that a reading becomes. Where the same thing is also counted from access patterns, which has
/// the plain name, the reading is `measured_…`.
[[nodiscard]] inline std::string metric_of_reading(std::string_view reading) {
  std::string measured = std::string(measured_prefix) + std::string(reading);
  return find_metric(measured) != nullptr ? measured : std::string(reading);
}

/// The reading that becomes an observed figure.
[[nodiscard]] inline std::string_view reading_of(const MetricInfo& metric) {
  return metric.id.starts_with(measured_prefix) ? metric.id.substr(measured_prefix.size()) : metric.id;
}

}  // namespace benchctl
