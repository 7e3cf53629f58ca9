// Plans of all configs that come with the program, kernels of all plugins as planned, and content keys.
#include <benchctl/digest.hpp>

#include "engine/content_key.hpp"
#include "golden/tables.hpp"
#include "model/json.hpp"
#include "store/schema.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/paths.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/group.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/search.hpp"
#include "sweep/usual_lanes.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

/// More points of a sweep and a lane are counted and hashed.
constexpr std::size_t listed = 2;

LaneTable all_lanes() {
  LaneTable lanes = with_gpu();
  Lane vulkan = usual_lane("vulkan", "0", DeviceType::gpu);
  vulkan.device.features = {"shaderFloat64",           "shaderInt64",
                            "storageBuffer8BitAccess", "storageBuffer16BitAccess",
                            "subgroup_arithmetic",     "subgroup_vote"};
  lanes.push_back({"vulkan", {vulkan}, {}});
  lanes.push_back({"fake", {usual_lane("fake", "0", DeviceType::cpu)}, {}});
  return lanes;
}

/// All that makes the point what it is.
std::string text_of(const Point& point) {
  return fmt::format("{} {} {} {} {}: {}\n", point.label(), point.layout, one_line(to_json(point.problem)),
                     one_line(to_json(point.tunables)), one_line(to_json(point.measure)), point.reason);
}

/// What a variant's points launch, in all configs together.
struct Kernels {
  std::string first;  ///< the plan of the first point
  std::size_t count = 0;
  std::string digest;  ///< of all plans
};
/// By backend, then by workload and variant.
using KernelTable = std::map<std::string, std::map<std::string, Kernels>>;

/// Sources are named relative to their folder.
void plan_kernel_of(const Point& point, const Workload& workload, const Catalogue& tables, const Lane& lane,
                    KernelTable& kernels) {
  const VariantInfo& variant = *tables.find(point.backend)->find_variant(point.workload, point.variant);
  if (!variant.kernel) return;
  const ProblemSpec problem = workload.problem(point.problem, point.layout);
  const Parameters values =
      kernel_values(point.problem, point.layout, point.tunables, device_values(lane.device));
  const std::string plan = plan_text(plan_kernel(*variant.kernel, values, problem, ""));
  Kernels& known = kernels[point.backend][point.workload + '/' + point.variant];
  if (known.count++ == 0) known.first = point.label() + ' ' + plan;
  known.digest = digest_text(known.digest + plan);
}

std::string plan_of(const Config& config, Catalogue tables, KernelTable& kernels) {
  add_own_kernels(tables, config);
  const LaneTable lanes = all_lanes();
  const Expansion expansion = benchctl::expand(config, tables, lanes);
  const Searches searches = make_searches(config, tables, lanes);
  std::string text = fmt::format("\n# {}: {} groups\n", config.experiment.name,
                                 group_points(expansion.points, config.workloads, lanes).size());
  for (const auto* warnings : {&expansion.warnings, &searches.warnings}) {
    for (const Diagnostic& warning : *warnings) text += warning.message + '\n';
  }
  std::map<std::pair<std::size_t, std::string>, std::vector<const Point*>> parts;
  for (const Point& point : expansion.points) parts[{point.sweep, point.device}].push_back(&point);
  for (const auto& [part, points] : parts) {
    std::string all;
    std::string labels;
    std::size_t open = 0;
    for (const Point* point : points) {
      all += text_of(*point);
      labels += fmt::format("  {}{}{}\n", point->label(), point->reason.empty() ? "" : ": ", point->reason);
      if (point->status != Status::not_run) continue;
      ++open;
      plan_kernel_of(*point, *config.workloads.find(point->workload), tables,
                     *find_lane(lanes, point->device), kernels);
    }
    text += fmt::format("sweep {} {}: {} to measure, {} ruled out, {}\n", part.first, part.second, open,
                        points.size() - open, digest_text(all));
    if (points.size() <= listed) text += labels;
  }
  for (const auto& task : searches.tasks) {
    text += fmt::format("{}: {} of {:.9g} points by {}, seed {}, {}\n", task->label(), task->max_points(),
                        task->space().size(), task->settings().strategy.text, task->seed(),
                        digest_text(text_of(task->example())));
  }
  return text;
}

}  // namespace

TEST_CASE("the plans of all shipped configs, and the kernels that their points launch") {
  const Catalogue tables = shipped_tables();
  std::string text;
  KernelTable kernels;
  for (const auto& folder : {config_directory(), config_directory() / "limits", user_kernel_directory()}) {
    for (const auto& file : config_files(folder)) text += plan_of(load_config(file), tables, kernels);
  }
  check_golden("plans.txt", text);
  for (const auto& [backend, variants] : kernels) {
    text.clear();
    for (const auto& [name, known] : variants)
      text += fmt::format("{}: {} plans, {}\n{}\n", name, known.count, known.digest, known.first);
    check_golden("kernels_" + backend + ".txt", text);
  }
}

TEST_CASE("the content keys of a few points, one of a config's kernel with an include") {
  static const PluginHost plugins = PluginHost::load({test_plugin_directory()});
  const TemporaryDirectory folder;
  static_cast<void>(folder.write("mine.cl", "#include \"part.h\"\nkernel\n"));
  static_cast<void>(folder.write("part.h", "part\n"));
  const Config config = parse_config(
      "[experiment]\nname = 'keys'\n"
      "[[kernel]]\nname = 'mine'\nworkload = 'matmul'\nbackend = 'fake'\nsource = 'mine.cl'\nentry = 'go'\n"
      "block = 'TILE'\ngrid = 1\ndefines = ['TILE']\ntunables = { TILE = 2 }\n"
      "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['mine', 'steady', 'chosen']\n"
      "parameters = { n = 8, dtype = ['f32', 'f64'] }\n"
      "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['wrong']\nexpect = 'wrong'\n"
      "parameters = { n = 8 }\nmeasure = { cache = 'cold', observe = ['energy'] }\n",
      "keys.toml", {folder.path(), false});
  Catalogue tables = make_catalogue(loaded_plugins(plugins));
  add_own_kernels(tables, config);
  LaneTable lanes = all_lanes();
  PluginEntry plugin;
  plugin.digest = "digest";
  const auto text = [&] {
    ContentKeys keys(config.workloads, "OMP_NUM_THREADS=1\n");
    std::string lines;
    for (const Point& point : benchctl::expand(config, tables, lanes).points) {
      lines += keys.key(point, *find_lane(lanes, point.device), *tables.find("fake"), plugin, false) + ' ' +
               point.label() + '\n';
    }
    return lines;
  };
  const std::string first = text();
  // With other keys nothing that was measured before is found again: raise schema_version
  // (store/schema.hpp) with them.
  check_golden("content_keys.txt", fmt::format("schema_version {}\n{}", schema_version, first));
  static_cast<void>(folder.write("part.h", "another part\n"));
  const std::string other_source = text();
  CHECK(other_source != first);
  // Another compiler changes every key.
  for (BackendLanes& backend : lanes) {
    for (Lane& lane : backend.lanes) lane.device.properties["compiler"] = "compiler 2";
  }
  const std::string other_compiler = text();
  std::istringstream before(other_source);
  std::istringstream after(other_compiler);
  for (std::string one, other; std::getline(before, one) && std::getline(after, other);)
    CHECK(one != other);
}
