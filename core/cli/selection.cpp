#include "cli/selection.hpp"

#include "cli/terminal.hpp"
#include "engine/run_record.hpp"
#include "model/words.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"
#include "sweep/search.hpp"
#include "sweep/stored_config.hpp"
#include "sweep/validate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

namespace benchctl::cli {

namespace {

void filter_lanes(LaneTable& lanes, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  std::vector<std::string> names;
  bool any = false;
  for (BackendLanes& backend : lanes) {
    // Its devices could not be listed: what is asked for may be among them.
    any = any || backend.status != Status::skipped;
    std::erase_if(backend.lanes, [&](const Lane& lane) {
      names.push_back(lane.name());
      return !any_matches(patterns, lane.name());
    });
    any = any || !backend.lanes.empty();
  }
  if (!any) {
    throw UsageError(fmt::format("--device {}: no such device{}; there are {}", fmt::join(patterns, " "),
                                 did_you_mean(nearest_pattern(patterns.front(), names)),
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  std::erase_if(lanes, [&](const BackendLanes& backend) {
    const auto names_it = [&](const std::string& pattern) {
      return glob_match(pattern.substr(0, pattern.find(':')), backend.backend);
    };
    const bool may_have = backend.status != Status::skipped && std::ranges::any_of(patterns, names_it);
    return backend.lanes.empty() && !may_have;
  });
}

/// Backends that some sweep or requirement names; empty, which is all, when a sweep leaves it open.
/// Enumerating devices takes a driver's start, so it is done for these alone.
std::vector<std::string> backends_to_probe(const Config& config, const SelectionOptions& options) {
  if (!options.backends.empty()) return options.backends;
  std::vector<std::string> names;
  for (const Sweep& sweep : config.sweeps) {
    if (!sweep.backends) return {};
    for (const Word& backend : *sweep.backends) names.push_back(backend.text);
  }
  for (const std::string& requirement : options.require)
    names.push_back(requirement.substr(0, requirement.find(':')));
  return names;
}

/// Patterns of devices that the command line or a sweep has.
std::vector<std::string> named_devices(const Config& config, const SelectionOptions& options) {
  std::vector<std::string> patterns = options.devices;
  for (const Sweep& sweep : config.sweeps) {
    for (const Word& pattern : sweep.devices) patterns.push_back(pattern.text);
  }
  return patterns;
}

/// Compilers read files, so sources in the config are written to files.
void place_texts(Selection& selection) {
  std::vector<KernelEntry>& kernels = selection.config.kernels;
  if (std::ranges::none_of(kernels, &KernelEntry::has_text)) return;
  selection.sources = std::make_unique<RunFolder>();
  const std::filesystem::path folder =
      place_files(files_of(selection.config), selection.sources->path() / "config");
  for (KernelEntry& kernel : kernels) {
    if (kernel.has_text) kernel.folder = folder;
  }
}

/// Labels that a filter without a match is compared with, for a suggestion.
constexpr std::size_t labels_compared = 1000;

/// Leaves the points that a filter matches. A selection that leaves nothing is a slip of the command line,
/// and would otherwise pass for a run without failures.
void choose_points(Selection& selection, const SelectionOptions& options) {
  std::vector<Point>& points = selection.expansion.points;
  const std::string an_example = points.empty() ? "" : points.front().label();
  std::optional<std::string> meant;
  if (!options.filters.empty()) {
    const auto unmatched = [&](const Point& point) { return !passes(point, options.filters); };
    if (std::ranges::all_of(points, unmatched)) {
      std::vector<std::string> labels;
      for (std::size_t i = 0; i < std::min(points.size(), labels_compared); ++i) {
        labels.push_back(points[i].label());
      }
      meant = nearest_pattern(options.filters.front(), labels);
    }
    std::erase_if(points, unmatched);
  }
  if (!points.empty() || !selection.unmet.empty() ||
      !make_searches(selection.config, selection.catalogue, selection.lanes).tasks.empty()) {
    return;
  }
  if (!an_example.empty()) {
    throw UsageError(
        fmt::format("--filter {}: no point's label matches{}; a pattern is for the whole label, such as "
                    "'{}'; `benchctl plan` lists all",
                    fmt::join(options.filters, " "), did_you_mean(meant), an_example));
  }
  if (!options.backends.empty() || !options.devices.empty()) {
    std::vector<std::string> lanes = options.backends;
    lanes.insert(lanes.end(), options.devices.begin(), options.devices.end());
    throw UsageError(fmt::format("{} has no point for {}; `benchctl plan {}` lists what it has",
                                 options.config, fmt::join(lanes, " with "), options.config));
  }
}

}  // namespace

void add_selection_options(CLI::App& command, SelectionOptions& options) {
  add_value(command, "config", options.config, "CONFIG",
            "TOML file with the experiment, `-` for standard input, or the name of an installed one "
            "(`benchctl list --configs`)")
      ->required();
  add_values(command, "--set", options.set, "NAME=VALUE",
             "Change values: n=256, 'SWEEP.n=[256, 512]' or measure.max_seconds=0.5 (repeatable)");
  add_values(command, "--filter", options.filters, "GLOB",
             "Only points whose label matches, e.g. '*tiled*n=512*' (repeatable)");
  add_backend_option(command, options.backends);
  add_names(command, "--device", options.devices, "GLOB",
            "Only these devices, by name or pattern: BACKEND:0, 'BACKEND:*' (several: A,B)");
  add_names(command, "--require", options.require, "WHAT",
            "Fail (exit 1) if one of these is missing: BACKEND, BACKEND:gpu, BACKEND:0 (several: A,B)");
  add_timeout_option(command, options.timeout_seconds);
  add_outside_option(command, options.allow_outside);
}

bool tell_unmet(const Selection& selection, Common& common) {
  for (const std::string& unmet : selection.unmet) tell("benchctl: {}\n", unmet);
  if (!selection.unmet.empty()) common.exit_code = point_failed;
  return !selection.unmet.empty();
}

void refuse_unknown_backends(const std::vector<std::string>& names, const PluginTable& plugins) {
  std::vector<std::string> known;
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (plugin.is_backend) known.push_back(plugin.info.name);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    for (const LeftOutPlugin& plugin : plugins.left_out()) {
      if (plugin.name == name)
        throw UsageError(fmt::format("--backend {0}: no plugin '{0}': {1}", name, plugin.reason));
    }
    throw UsageError(fmt::format("--backend {}: no such backend{}; there are {}; see `benchctl list`", name,
                                 did_you_mean(nearest_name(name, known)),
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
}

Selection read_selection(const SelectionOptions& options, PluginTable plugins, std::optional<Config> read) {
  if (!read) read = read_config(options.config, options.allow_outside);
  Selection selection;
  selection.plugins = std::move(plugins);
  selection.config = *std::move(read);
  selection.catalogue = make_catalogue(selection.plugins);
  for (const std::string& assignment : options.set) apply_set(selection.config, assignment);
  place_texts(selection);
  add_own_kernels(selection.catalogue, selection.config);
  refuse_unknown_backends(options.backends, selection.plugins);
  selection.expansion.warnings = validate(selection.config, selection.catalogue);
  // A value of --set may be wrong in several sweeps.
  std::set<std::string> told;
  std::erase_if(selection.expansion.warnings,
                [&](const Diagnostic& one) { return !told.insert(to_text(one)).second; });
  if (has_errors(selection.expansion.warnings)) throw ConfigErrors(selection.expansion.warnings);
  return selection;
}

Selection select_points(const SelectionOptions& options, ChannelFactory& factory, PluginTable plugins,
                        int* exit_code, std::optional<Config> read) {
  Selection selection = read_selection(options, std::move(plugins), std::move(read));
  const std::vector<Diagnostic> diagnostics = std::move(selection.expansion.warnings);
  selection.lanes = probe_lanes(selection.plugins, factory, backends_to_probe(selection.config, options),
                                options.timeout_seconds);
  leave_out_software(selection.lanes, options.backends, named_devices(selection.config, options));
  for (const std::string& remark : remarks_of(selection.lanes)) tell("benchctl: {}\n", remark);
  if (are_lanes_unknown(selection.lanes)) *exit_code = point_failed;
  selection.unmet = unmet_requirements(options.require, selection.lanes);
  filter_lanes(selection.lanes, options.devices);
  // What is asked for is there.
  if (!options.backends.empty() || !options.devices.empty()) selection.catalogue.absent.clear();
  selection.expansion = expand(selection.config, selection.catalogue, selection.lanes);
  selection.expansion.warnings.insert(selection.expansion.warnings.begin(), diagnostics.begin(),
                                      diagnostics.end());
  choose_points(selection, options);
  return selection;
}

std::string identity_of(const SelectionOptions& options) {
  std::string identity;
  for (const auto* list : {&options.set, &options.filters, &options.backends, &options.devices}) {
    for (const std::string& item : *list) identity += item + '\n';
    identity += '\0';
  }
  return identity;
}

}  // namespace benchctl::cli
