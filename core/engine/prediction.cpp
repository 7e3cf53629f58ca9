#include "engine/prediction.hpp"

#include "model/keys.hpp"
#include "sweep/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

/// A working set that fills no more than this share of the last cache stays there from one execution to the
/// next.
constexpr double cached_share = 0.75;

/// Size of the shortest type that operations are counted for.
constexpr double bytes_of_value = 4;

void put(Resources& metrics, const char* id, double value) {
  if (value > 0) metrics[id] = value;
}

double metric(const Result& stored, std::string_view id) {
  const auto found = stored.resources.find(id);
  return found != stored.resources.end() ? found->second : 0;
}

/// `fma` stands for that of the problem's element type.
std::string flop_roof(const VariantInfo& variant, const Parameters& problem) {
  if (variant.compute_path != "fma") return variant.compute_path;
  const auto dtype = problem.find("dtype");
  return "fma_" + (dtype != problem.end() ? std::get<std::string>(dtype->second) : "f32");
}

/// The name of the roof of launches by the clock that they were measured with: one by the host's clock, or
/// one that the host had yet to ask for, says nothing of those that were queued before the clock began.
std::string launch_roof(const Result& stored) {
  switch (stored.row.point.measure.basis) {
    case Basis::device:
      return stored.measurement->gated ? "launch" : "launch_ungated";
    case Basis::host_sync:
      return "launch_host_sync";
    case Basis::end_to_end:
      break;
  }
  return "launch_end_to_end";
}

/// Measures the probe what its roof stands for? A memory's roof in buffers that the last cache does not
/// hold, a cache's in one that it holds, both with the caches as executions leave them.
bool is_roof(const Point& point, std::string_view probe, const DeviceInfo& device) {
  if (point.measure.cache != CacheMode::hot) return false;
  const auto bytes = point.problem.find("bytes");
  const auto cache = static_cast<double>(device.last_level_cache_bytes);
  if (bytes == point.problem.end() || cache == 0) return true;
  const auto size = static_cast<double>(std::get<std::int64_t>(bytes->second));
  if (probe.starts_with("dram_")) return size > cache;
  return probe != "cache_read" || size <= cache;
}

/// Is it the backend's own kernel? One of a config has a workload's right results and a cost of its own.
bool is_own(const Point& point, const BackendEntry& backend) {
  const VariantInfo* variant = backend.find_variant(point.workload, point.variant);
  return variant != nullptr && !backend.own_folders.contains(BackendEntry::key_of(*variant));
}

std::string roof_name(const Result& peak, const std::string& probe) {
  return probe == "launch" ? launch_roof(peak) : probe;
}

}  // namespace

Resources counted_traffic(const Point& point, const Workload& workload, const VariantInfo& variant,
                          const DeviceInfo& device) {
  Resources metrics;
  if (variant.access.empty()) return metrics;
  const ProblemSpec spec = problem_of(workload, point);
  const Parameters values =
      kernel_values(point.problem, point.layout, point.tunables, device_values(device));
  const predict::Traffic traffic = predict::count_traffic(variant, spec, values, device.memory);
  put(metrics, "sectors_per_request", traffic.sectors_per_request());
  put(metrics, "sector_efficiency", traffic.useful_share);
  put(metrics, "line_efficiency", traffic.line_share);
  put(metrics, "conflict_degree", traffic.conflict_degree());
  put(metrics, "dram_bytes_read", traffic.dram_read + traffic.dram_filled);
  put(metrics, "dram_bytes_apart", traffic.dram_apart);
  put(metrics, "dram_bytes_written", traffic.dram_written);
  put(metrics, "requested_bytes", traffic.requested_bytes);
  put(metrics, "cache_bytes", traffic.cache_bytes);
  put(metrics, "shared_bytes", traffic.shared_cycles * device.memory.banks * device.memory.bank_bytes);
  return metrics;
}

double share_of_compute_roof(const Parameters& problem, const VariantInfo& variant, double flops,
                             double median_ns, const predict::Roofs& roofs) {
  const auto roof = roofs.find(flop_roof(variant, problem));
  return roof == roofs.end() || roof->second <= 0 ? 0 : flops / median_ns * 1e9 / roof->second;
}

std::vector<RoofRow> roofs_of(std::span<const MeasuredPoint> peaks, const Lane& lane,
                              const BackendEntry& backend) {
  std::map<std::string, RoofRow> best;
  // A newer run's replaces an older one that was measured in the same way, however high.
  std::map<std::tuple<std::string, ProblemKey, LaunchMode>, RunId> newest;
  const DeviceKey device(lane.device);
  for (const MeasuredPoint& peak : peaks) {
    const Point& point = peak.point.row.point;
    const auto probe = point.problem.find("probe");
    if (probe == point.problem.end() || peak.lane.backend != lane.backend) continue;
    if (DeviceKey(peak.lane.device) != device) continue;
    if (!is_own(point, backend)) continue;
    const Cost& cost = peak.point.row.cost;
    // Host clocks see more than the device does: of use for launches alone.
    const std::string& name = std::get<std::string>(probe->second);
    if (point.measure.basis != Basis::device && name != "launch") continue;
    if (!is_roof(point, name, lane.device)) continue;
    const double bytes = cost.bytes();
    const double units = cost.flops > 0 ? cost.flops : bytes > 0 ? bytes : cost.accesses;
    const double median_ns = peak.point.measurement->median_ns;
    if (!(units > 0) || !(median_ns > 0)) continue;
    const RoofRow row{lane.name(), roof_name(peak.point, name), units / median_ns * 1e9, peak.point.row.id};
    const RunId run = peak.point.row.run;
    const std::tuple way(row.probe, ProblemKey(point), point.measure.launch);
    if (newest.try_emplace(way, run).first->second != run) continue;
    RoofRow& entry = best[row.probe];
    if (row.per_second > entry.per_second) entry = row;
  }
  std::vector<RoofRow> rows;
  for (auto& [name, row] : best) rows.push_back(std::move(row));
  return rows;
}

void add_prediction(Result& result, const Workload& workload, const VariantInfo& variant,
                    const DeviceInfo& device, std::size_t launches, const predict::Roofs& roofs) {
  const Point& point = result.row.point;
  const Cost& cost = result.row.cost;
  if (!result.measurement || point.workload == roof_workload().name()) return;
  const double median_ns = result.measurement->median_ns;
  const std::string compute_path = flop_roof(variant, point.problem);
  const double share = share_of_compute_roof(point.problem, variant, cost.flops, median_ns, roofs);
  if (share > most_of_compute_roof)
    result.notes["above_roof"] = fmt::format("{:.4g} times the measured roof {}", share, compute_path);
  if (point.measure.basis == Basis::end_to_end) return;
  const ProblemSpec spec = problem_of(workload, point);
  // No probe measures the way to the host's memory.
  if (!std::ranges::all_of(spec.buffers, [](const auto& buffer) { return buffer.space == Space::device; }))
    return;
  if (cost.flops > 0) result.notes["compute_path"] = compute_path;
  predict::Demand useful;
  useful.flop_roof = compute_path;
  // An operation or less for each value that is moved never binds: a device that moves a value can add it.
  const bool may_bind = cost.flops * bytes_of_value > cost.bytes();
  if (may_bind || roofs.contains(useful.flop_roof)) useful.flops = cost.flops;
  useful.bytes_read = cost.bytes_read;
  useful.bytes_written = cost.bytes_written;
  useful.in_cache = point.measure.cache == CacheMode::hot &&
                    static_cast<double>(spec.bytes()) <=
                        cached_share * static_cast<double>(device.last_level_cache_bytes);
  useful.launch_roof = launch_roof(result);
  // What is queued before the clock begins runs launch after launch; otherwise the host launches the next
  // execution of a batch while one runs.
  useful.launch_cost =
      result.measurement->gated ? predict::LaunchCost::before : predict::LaunchCost::beside;
  const predict::Bound bound_by_roofs = predict::least_time(useful, roofs);
  // Which roof binds is not known where one is missing.
  if (!bound_by_roofs.missing.empty()) {
    result.notes["roof_missing"] = bound_by_roofs.missing;
    return;
  }
  put(result.resources, "roof_fraction", bound_by_roofs.seconds * 1e9 / median_ns);

  predict::Demand counted = useful;
  if (const double read = metric(result, "dram_bytes_read"); read > 0) counted.bytes_read = read;
  if (const double written = metric(result, "dram_bytes_written"); written > 0) {
    counted.bytes_written = written;
  }
  counted.bytes_apart = metric(result, "dram_bytes_apart");
  counted.cache_bytes = metric(result, "cache_bytes");
  counted.shared_bytes = metric(result, "shared_bytes");
  counted.launches = static_cast<double>(launches);
  const predict::Bound bound = predict::least_time(counted, roofs);
  // What pieces without neighbours cost beside a stream never decides.
  if (!bound.missing.empty() && bound.missing != "dram_read_apart") {
    result.notes["roof_missing"] = bound.missing;
    return;
  }
  put(result.resources, "predicted_ns", bound.seconds * 1e9);
  if (!bound.by.empty()) result.notes["predicted_by"] = bound.by;
}

RunRoofs::RunRoofs(Store& store, RunId run, const Catalogue& catalogue, const LaneTable& lanes,
                   Roofs wanted)
    : store_(store), run_(run), catalogue_(catalogue), lanes_(lanes), wanted_(wanted) {
  if (wanted != Roofs::none) {
    peaks_ = store.measured(roof_workload().name());
    std::set<RunId> other_kinds;
    bool newer = true;
    for (const RunRow& row : store.runs()) {
      newer = newer && row.id != run;
      if (newer) newer_.insert(row.id);
      if (is_selftest(row)) other_kinds.insert(row.id);
    }
    std::erase_if(peaks_, [&](const MeasuredPoint& peak) {
      const RunId measured_in = peak.point.row.run;
      return measured_in != run && (wanted == Roofs::run || other_kinds.contains(measured_in));
    });
  }
  update();
}

void RunRoofs::add(std::span<const Result* const> peaks) {
  if (wanted_ == Roofs::none) return;
  for (const Result* peak : peaks) {
    std::erase_if(peaks_, [&](const MeasuredPoint& known) { return known.point.row.id == peak->row.id; });
    const Lane* lane = find_lane(lanes_, peak->row.point.device);
    if (lane == nullptr || !peak->timed()) continue;
    const auto is_behind = [&](const MeasuredPoint& known) {
      const PointRow& row = known.point.row;
      return row.run == run_ ? row.ordinal > peak->row.ordinal : !newer_.contains(row.run);
    };
    peaks_.insert(std::ranges::find_if(peaks_, is_behind), {*peak, *lane});
  }
  update();
}

const predict::Roofs* RunRoofs::of(const std::string& lane) const {
  const auto found = by_lane_.find(lane);
  return found == by_lane_.end() ? nullptr : &found->second;
}

void RunRoofs::update() {
  std::vector<RoofRow> rows;
  by_lane_.clear();
  for (const BackendLanes& backend : lanes_) {
    const BackendEntry* entry = catalogue_.find(backend.backend);
    if (entry == nullptr) continue;
    for (const Lane& lane : backend.lanes) {
      for (RoofRow& roof : roofs_of(peaks_, lane, *entry)) {
        by_lane_[roof.lane][roof.probe] = roof.per_second;
        rows.push_back(std::move(roof));
      }
    }
  }
  store_.set_roofs(run_, rows);
}

}  // namespace benchctl
