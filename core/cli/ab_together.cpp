#include "cli/ab.hpp"

#include "cli/terminal.hpp"
#include "engine/contest.hpp"
#include "engine/run_record.hpp"
#include "model/json.hpp"
#include "model/keys.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;

/// A process takes 0.5 to 1.5 s to start, verify and audit. So many samples (a hundred rounds of five, the
/// most that a paired round has) or seconds, whatever ends first, make its ratio precise enough, and more
/// would only delay the next process, of which the comparison needs several.
constexpr std::uint32_t samples_in_process = 500;
constexpr double seconds_in_process = 0.5;

/// The workloads that both sides declare and whose contents differ in `part` of them.
template <class Part>
std::vector<std::string> differing_workloads(const std::array<AbSide, 2>& sides, Part part) {
  const auto& [base, fresh] = sides;
  const auto part_of = [&](const Workload& workload) { return part(json::parse(workload.content())); };
  std::vector<std::string> names;
  const auto others = fresh.chosen.config.workloads.definitions();
  for (const auto& [name, definition] : base.chosen.config.workloads.definitions()) {
    if (!others.contains(name)) continue;
    if (part_of(*base.chosen.config.workloads.find(name)) !=
        part_of(*fresh.chosen.config.workloads.find(name)))
      names.push_back(name);
  }
  return names;
}

/// A variant of new as the common processes know it.
std::string common_name(const BackendEntry& fresh, const std::string& workload,
                        const std::string& variant) {
  return fresh.own_folders.contains({workload, variant}) ? variant + " (new)" : variant;
}

/// Do both bring the same kernels, with the same sources?
bool same_kernels(const std::vector<KernelEntry>& base, const std::vector<KernelEntry>& fresh) {
  return std::ranges::is_permutation(base, fresh, [](const KernelEntry& a, const KernelEntry& b) {
    return a.backend == b.backend && a.files == b.files && to_json(a.variant) == to_json(b.variant);
  });
}

/// Who is the fastest among the points of a run that has only its own by now.
void compare_anew(Store& store, RunId run, const Selection& chosen) {
  std::vector<RunPoint> points;
  std::vector<std::size_t> all;
  for (PointRow& row : store.points(run)) {
    all.push_back(points.size());
    RunPoint& point = points.emplace_back();
    point.point = std::move(row.point);
    point.id = row.id;
    point.finished = row.finished;
  }
  RunComparisons(store, points, chosen.catalogue, chosen.config.experiment.question,
                 chosen.config.compare.threshold)
      .update(all, {});
}

void add_kernels(Catalogue& both, const Catalogue& fresh) {
  for (BackendEntry& backend : both.backends) {
    const BackendEntry* known = fresh.find(backend.name);
    if (known == nullptr) continue;
    for (const auto& [key, folder] : known->own_folders) {
      VariantInfo variant = *known->find_variant(key.first, key.second);
      variant.name = common_name(*known, variant.workload, variant.name);
      for (std::string& name : variant.among) name = common_name(*known, variant.workload, name);
      backend.own_folders[BackendEntry::key_of(variant)] = folder;
      backend.variants.push_back(std::move(variant));
    }
  }
}

void add_points(std::vector<Point>& both, const Selection& fresh, bool renamed) {
  // A point in both sides is one thing: they are measured in the same way, that of base.
  std::map<PointKey, MeasureSettings> of_base;
  for (const Point& point : both) of_base.emplace(point, point.measure);
  for (Point point : fresh.expansion.points) {
    if (const auto same = of_base.find(PointKey(point)); same != of_base.end())
      point.measure = same->second;
    const BackendEntry* backend = fresh.catalogue.find(point.backend);
    if (renamed && backend != nullptr) point.variant = common_name(*backend, point.workload, point.variant);
    both.push_back(std::move(point));
  }
  for (Point& point : both) {
    point.measure.mode = RoundMode::paired;
    point.measure.max_seconds = std::min(point.measure.max_seconds, seconds_in_process);
    if (point.measure.fixed_samples == 0) point.measure.fixed_samples = samples_in_process;
  }
}

}  // namespace

bool put_together(const AbArguments& options, std::array<AbSide, 2>& sides) {
  auto& [base, fresh] = sides;
  const auto computed = [](json definition) {  // base's kernel says what is right for both
    definition.at("check").erase("kernel_digest");
    return definition;
  };
  if (!options.plugins.empty() || !differing_workloads(sides, computed).empty()) return false;
  const auto has_lane = [&lanes = base.chosen.lanes](const Point& point) {
    return point.status != Status::not_run || find_lane(lanes, point.device) != nullptr;
  };
  if (!std::ranges::all_of(fresh.chosen.expansion.points, has_lane)) return false;
  const bool renamed = !same_kernels(base.chosen.config.kernels, fresh.chosen.config.kernels);
  if (renamed) add_kernels(base.chosen.catalogue, fresh.chosen.catalogue);
  add_points(base.chosen.expansion.points, fresh.chosen, renamed);
  return true;
}

bool refuse_other_truth(const std::array<AbSide, 2>& sides) {
  const auto truth = [](const json& definition) {
    const json& check = definition.at("check");
    return json::array({check.at("kernel"), check.at("kernel_digest"), check.at("files")});
  };
  const std::vector<std::string> names = differing_workloads(sides, truth);
  for (const std::string& name : names) {
    tell(
        "benchctl: not comparable: what says which results of workload '{}' are right (its `check`) "
        "differs between the sides; give both the same\n",
        name);
  }
  return !names.empty();
}

std::array<CompareSide, 2> sides_of(const Store& store, RunId both, const AbSide& fresh) {
  CompareSide base = side_of(store, both);
  CompareSide other = base;
  // The last points are new's, called as its own config calls them.
  const std::vector<Point>& own = fresh.chosen.expansion.points;
  base.points.resize(base.points.size() - own.size());
  other.points.erase(other.points.begin(), other.points.end() - std::ssize(own));
  for (std::size_t i = 0; i < own.size(); ++i) other.points[i].row.point.variant = own[i].variant;
  return {std::move(base), std::move(other)};
}

RunId take_apart(Store& store, RunId both, const std::array<AbSide, 2>& sides) {
  const auto& [base, fresh] = sides;
  const RunRow row = store.run(both).value();
  NewRun run;
  run.config_hash = config_hash(fresh.chosen.config, identity_of(fresh.selection) + "ab");
  run.command = row.command;
  run.version = row.version;
  run.seed = row.seed;
  run.environment = row.environment;
  run.lanes = store.lanes(both);
  const RunId own = create_run(store, fresh.chosen.config, std::move(run));
  std::vector<PointRow> points;
  std::array<CompareSide, 2> apart = sides_of(store, both, fresh);
  for (Result& point : apart[1].points) {
    point.row.ordinal = points.size();
    points.push_back(std::move(point.row));
  }
  store.move_points(own, points);
  compare_anew(store, both, base.chosen);
  compare_anew(store, own, fresh.chosen);
  return own;
}

}  // namespace benchctl::cli
