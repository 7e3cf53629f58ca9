#include "cli/selection.hpp"

#include "engine/run_record.hpp"
#include "model/json.hpp"
#include "model/point.hpp"
#include "model/values.hpp"
#include "observe/control_groups.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "sweep/point_plan.hpp"
#include "sweep/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl::cli {

namespace {

using nlohmann::json;

/// Stands for an architecture of which no device is here: what it does not tell rules nothing out.
DeviceInfo pretended_device(const BackendEntry& backend, const std::string& architecture) {
  DeviceInfo device;
  device.id = "0";
  device.name = architecture;
  device.type = DeviceType::gpu;
  device.architecture = architecture;
  device.compute_units = 1;
  device.memory.warp = 32;
  device.fp64 = device.fp16 = true;
  for (const VariantInfo& variant : backend.variants)
    device.features.insert(device.features.end(), variant.features.begin(), variant.features.end());
  return device;
}

LaneTable lanes_to_compile_for(const Selection& selection, const std::string& architecture) {
  LaneTable table = selection.lanes;
  for (BackendLanes& lanes : table) {
    const BackendEntry* backend = selection.catalogue.find(lanes.backend);
    lanes.status = Status::skipped;
    const bool is_offline = backend != nullptr && backend->compiles_offline;
    if (!architecture.empty() && is_offline) {
      lanes.lanes = {Lane{lanes.backend, pretended_device(*backend, architecture)}};
    } else if (!architecture.empty()) {
      lanes.lanes.clear();
      lanes.unavailable = "it compiles for the devices that are here: leave out --arch";
    } else if (lanes.lanes.empty() && is_offline) {
      lanes.unavailable += "; --arch ARCHITECTURE, such as sm_90, compiles without a device";
    }
  }
  return table;
}

/// The jobs, and for each what its point is called; behind these, points that have no plan.
struct Jobs {
  std::vector<CompileJob> jobs;
  std::vector<CompiledPoint> points;
};

/// The points that are measured, and those that searches begin with.
std::vector<Point> points_to_compile(const Config& config, const Catalogue& catalogue,
                                     const LaneTable& lanes) {
  std::vector<Point> points = expand(config, catalogue, lanes).points;
  const Searches searches = make_searches(config, catalogue, lanes);
  for (const auto& task : searches.tasks) {
    const auto strategy = find_strategy(task->settings().strategy.text)->make(task->space(), task->seed());
    for (const Coordinates& first : strategy->next(search_batch)) points.push_back(task->point(first));
  }
  return points;
}

Jobs jobs_of(const Selection& selection, const SelectionOptions& options, const LaneTable& lanes) {
  Jobs jobs;
  std::vector<CompiledPoint> without_plan;
  const Config& config = selection.config;
  for (const Point& point : points_to_compile(config, selection.catalogue, lanes)) {
    if (point.status != Status::not_run || !passes(point, options.filters)) continue;
    const BackendEntry& backend = *selection.catalogue.find(point.backend);
    const VariantInfo& variant = *backend.find_variant(point.workload, point.variant);
    if (!variant.kernel) continue;
    const DeviceInfo& device = find_lane(lanes, point.device)->device;
    std::string name = point.workload + "/" + point.variant;
    if (!point.tunables.empty()) name += " " + to_text(point.tunables);
    CompiledPoint compiled{std::move(name), point.backend, device.architecture, {}};
    const Workload& workload = *config.workloads.find(point.workload);
    const ProblemSpec problem = problem_of(workload, point);
    try {
      jobs.jobs.push_back(
          {point.backend, backend.own_library(), device.architecture,
           *candidates_of({workload, backend, variant, device, problem, point.tunables}).front().plan});
      jobs.points.push_back(std::move(compiled));
    } catch (const Failure& error) {
      compiled.outcome = {Status::compile_error, error.what()};
      without_plan.push_back(std::move(compiled));
    }
  }
  std::ranges::move(without_plan, std::back_inserter(jobs.points));
  return jobs;
}

json json_of(const CompiledPoint& point) {
  return {{"kernel", point.kernel},
          {"backend", point.backend},
          {"architecture", point.architecture},
          {"status", std::string(to_string(point.outcome.status))},
          {"reason", point.outcome.reason},
          {"resources", point.outcome.resources},
          {"log", point.outcome.log}};
}

}  // namespace

std::vector<CompiledPoint> compile_points(const Selection& selection, const SelectionOptions& options,
                                          const std::string& architecture, ChannelFactory& factory) {
  const LaneTable lanes = lanes_to_compile_for(selection, architecture);
  Jobs found = jobs_of(selection, options, lanes);
  if (found.points.empty()) {
    std::string why;
    for (const BackendLanes& one : lanes) {
      if (one.lanes.empty()) why += fmt::format("\n{}: {}", one.backend, one.unavailable);
    }
    throw UsageError(fmt::format("--compile: {} has no kernel to compile here{}", options.config, why));
  }
  CompilePool pool(factory, usable_processors(), {default_cache().string(), false},
                   options.timeout_seconds);
  pool.keep_logs();
  const auto outcomes = pool.compile(found.jobs, [] { return false; });
  std::vector<CompiledPoint> points;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    CompiledPoint& point = found.points[i];
    if (i < outcomes.size() && !outcomes[i]) continue;
    if (i < outcomes.size()) point.outcome = *outcomes[i];
    point.outcome.compile_ns = 0;
    if (seen.insert(json_of(point).dump(-1, ' ', false, json::error_handler_t::replace)).second)
      points.push_back(std::move(point));
  }
  return points;
}

std::string compiled_text(const std::vector<CompiledPoint>& points, std::size_t width) {
  struct Figure {
    const char* title;
    std::array<const char*, 2> ids;  ///< compilers tell one of them
  };
  constexpr std::array<Figure, 4> figures{{{"registers", {"registers", ""}},
                                           {"spills, B", {"spill_bytes", ""}},
                                           {"shared, B", {"static_shared_bytes", "local_memory_bytes"}},
                                           {"local, B", {"local_bytes", "private_bytes"}}}};
  std::vector<TextColumn> columns{TextColumn::named("kernel"), TextColumn::named("backend"),
                                  TextColumn::named("for"), TextColumn::named("status")};
  for (const Figure& figure : figures) columns.push_back(TextColumn::named(figure.title, true));
  TextTable table(columns);
  std::vector<std::pair<std::string, std::vector<std::string>>> logs;  ///< what was said, of which kernels
  for (const CompiledPoint& point : points) {
    std::vector<std::string> cells{point.kernel, point.backend, point.architecture,
                                   std::string(to_string(point.outcome.status))};
    for (const Figure& figure : figures) {
      std::string cell;
      for (const char* id : figure.ids) {
        const auto found = point.outcome.resources.find(id);
        if (found != point.outcome.resources.end()) cell = fmt::format("{:.0f}", found->second);
      }
      cells.push_back(std::move(cell));
    }
    table.add(std::move(cells));
    const bool failed = point.outcome.status != Status::ok;
    const std::string& text = failed ? point.outcome.reason : point.outcome.log;
    if ((!failed && points.size() > 1) || text.empty()) continue;
    auto log = std::ranges::find(logs, text, &decltype(logs)::value_type::first);
    if (log == logs.end()) log = logs.insert(logs.end(), {text, {}});
    log->second.push_back(point.kernel);
  }
  std::string said = table.text(false, width);
  for (const auto& [text, kernels] : logs) said += fmt::format("\n{}:\n{}\n", few_of(kernels, 2), text);
  return said;
}

json compiled_json(const std::vector<CompiledPoint>& points) { return list_of(points, json_of); }

}  // namespace benchctl::cli
