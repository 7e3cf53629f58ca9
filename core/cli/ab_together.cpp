#include "cli/ab.hpp"

#include "engine/run_comparisons.hpp"
#include "engine/run_record.hpp"
#include "model/json.hpp"
#include "model/key_text.hpp"
#include "model/keys.hpp"
#include "report/compare.hpp"
#include "sweep/stored_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl::cli {

namespace {

/// A process takes 0.5 to 1.5 s to start, verify and audit. So many samples (a hundred rounds of five, the
/// most that a paired round has) or seconds, whatever ends first, make its ratio precise enough, and more
/// would only delay the next process, of which the comparison needs several.
constexpr std::uint32_t samples_in_process = 500;
constexpr double seconds_in_process = 0.5;

/// A workload without the sources of the kernel that says what is right: base's kernel says it for both. A
/// revision's copy of a file with the right results lies elsewhere: its contents count.
nlohmann::json without_trusted_kernel(const std::string& definition) {
  nlohmann::json document = nlohmann::json::parse(definition);
  document.at("check").erase("kernel_digest");
  for (nlohmann::json& file : document.at("check").at("files")) file.erase("path");
  return document;
}

bool compute_the_same(const AbSide& base, const AbSide& fresh) {
  return std::ranges::all_of(base.workloads, [&](const auto& workload) {
    const auto other = fresh.workloads.find(workload.first);
    return other == fresh.workloads.end() ||
           without_trusted_kernel(workload.second) == without_trusted_kernel(other->second);
  });
}

/// A kernel with its sources, as a text that no other kernel has.
std::string identity(const KernelEntry& kernel) {
  KeyText key;
  key.add(kernel.backend).add(to_json(kernel.variant).dump());
  for (const SourceFile& file : kernel.files) key.add(file.name).add(file.text);
  return key.take();
}

std::set<std::string> identities(const std::vector<KernelEntry>& kernels) {
  std::set<std::string> all;
  for (const KernelEntry& kernel : kernels) all.insert(identity(kernel));
  return all;
}

void measure_in_rounds(MeasureSettings& measure) {
  measure.mode = RoundMode::paired;
  measure.max_seconds = std::min(measure.max_seconds, seconds_in_process);
  if (measure.fixed_samples == 0) measure.fixed_samples = samples_in_process;
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

class Merging {
 public:
  Merging(const AbSide& base, const AbSide& fresh) : fresh_(fresh.chosen) {
    together_.catalogue = base.chosen.catalogue;
    together_.points = base.chosen.expansion.points;
    together_.of_base = together_.points.size();
    if (identities(base.chosen.config.kernels) != identities(fresh_.config.kernels)) add_kernels();
    add_points();
    for (Point& point : together_.points) measure_in_rounds(point.measure);
  }

  Together take() { return std::move(together_); }

 private:
  /// A variant of new's config as new's processes would know it: its backend's name decides.
  [[nodiscard]] std::string name_of(const std::string& backend, const std::string& workload,
                                    const std::string& variant) const {
    const bool renamed = renamed_.contains({backend, workload, variant});
    return renamed ? variant + " (new)" : variant;
  }

  void add_kernels() {
    for (const KernelEntry& kernel : fresh_.config.kernels)
      renamed_.insert({kernel.backend, kernel.variant.workload, kernel.variant.name});
    for (const KernelEntry& kernel : fresh_.config.kernels) {
      const BackendEntry* known = fresh_.catalogue.find(kernel.backend);
      const auto backend =
          std::ranges::find(together_.catalogue.backends, kernel.backend, &BackendEntry::name);
      if (known == nullptr || backend == together_.catalogue.backends.end()) continue;
      VariantInfo variant = *known->find_variant(kernel.variant.workload, kernel.variant.name);
      variant.name = name_of(kernel.backend, variant.workload, variant.name);
      for (std::string& name : variant.among) name = name_of(kernel.backend, variant.workload, name);
      backend->own_folders[BackendEntry::key_of(variant)] = kernel.folder;
      backend->variants.push_back(std::move(variant));
    }
  }

  void add_points() {
    // A point in both sides is one thing: they are measured in the same way, that of base.
    std::map<PointKey, MeasureSettings> of_base;
    for (const Point& point : together_.points) of_base.emplace(point, point.measure);
    for (Point point : fresh_.expansion.points) {
      if (const auto same = of_base.find(PointKey(point)); same != of_base.end())
        point.measure = same->second;
      together_.variants.push_back(point.variant);
      point.variant = name_of(point.backend, point.workload, point.variant);
      together_.points.push_back(std::move(point));
    }
  }

  const Selection& fresh_;
  Together together_;
  std::set<std::tuple<std::string, std::string, std::string>> renamed_;
};

}  // namespace

std::optional<Together> put_together(const AbArguments& options, const std::array<AbSide, 2>& sides) {
  const auto& [base, fresh] = sides;
  if (!options.plugins.empty() || !compute_the_same(base, fresh)) return std::nullopt;
  const auto has_lane = [&](const Point& point) {
    return point.status != Status::not_run || find_lane(base.chosen.lanes, point.device) != nullptr;
  };
  if (!std::ranges::all_of(fresh.chosen.expansion.points, has_lane)) return std::nullopt;
  return Merging(base, fresh).take();
}

std::array<CompareSide, 2> sides_of(const Store& store, RunId both, const Together& together) {
  std::array<CompareSide, 2> sides{side_of(store, both), {}};
  auto& [base, fresh] = sides;
  fresh.label = base.label;
  fresh.run = base.run;
  fresh.circumstances = base.circumstances;
  fresh.store = base.store;
  const auto first = base.points.begin() + static_cast<std::ptrdiff_t>(together.of_base);
  fresh.points.assign(std::make_move_iterator(first), std::make_move_iterator(base.points.end()));
  base.points.erase(first, base.points.end());
  for (std::size_t i = 0; i < fresh.points.size(); ++i)
    fresh.points[i].point.variant = together.variants.at(i);
  return sides;
}

RunId take_apart(Store& store, RunId both, const Together& together, const std::array<AbSide, 2>& sides) {
  const auto& [base, fresh] = sides;
  const Config& config = fresh.chosen.config;
  const RunRow row = store.run(both).value();
  NewRun run;
  run.name = config.experiment.name;
  run.title = config.experiment.title;
  run.question = config.experiment.question;
  run.config_text = config.text;
  run.config_hash = config_hash(config, identity_of(fresh.selection) + "ab");
  run.command = row.command;
  run.version = row.version;
  run.seed = row.seed;
  run.environment = row.environment;
  run.lanes = store.lanes(both);
  for (const PublishedEntry& entry : config.published) run.published.push_back(entry.figures);
  const RunId own = store.create_run(run);
  std::vector<RunFile> files;
  for (auto& [name, contents] : files_of(config)) files.push_back({name, std::move(contents)});
  store.add_files(own, files);
  std::vector<PointRow> points = store.points(both);
  points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(together.of_base));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].ordinal = i;
    points[i].point.variant = together.variants.at(i);
  }
  store.move_points(own, points);
  compare_anew(store, both, base.chosen);
  compare_anew(store, own, fresh.chosen);
  return own;
}

}  // namespace benchctl::cli
