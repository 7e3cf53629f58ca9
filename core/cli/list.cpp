// `benchctl list`: workloads with their parameters and variants, devices, configs, search strategies. Only
// devices touch a driver.
#include "cli/command.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "model/json.hpp"
#include "model/point.hpp"
#include "model/words.hpp"
#include "observe/machine_observers.hpp"
#include "report/text_table.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/strategy.hpp"
#include "workloads/workload.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

namespace benchctl::cli {

namespace {

using nlohmann::json;

/// The variants of a workload, with their backends.
std::vector<std::pair<std::string, const VariantInfo*>> variants_of(const Workload& workload,
                                                                    const Catalogue& catalogue) {
  std::vector<std::pair<std::string, const VariantInfo*>> variants;
  for (const BackendEntry& backend : catalogue.backends) {
    for (const VariantInfo& variant : backend.variants) {
      if (variant.workload == workload.name()) variants.emplace_back(backend.name, &variant);
    }
  }
  return variants;
}

/// What kernels are given, with the counts of the default parameters; nothing if these make no problem.
ProblemSpec arguments_of(const Workload& workload) {
  return default_problem(workload).value_or(ProblemSpec{});
}

json workload_json(const Workload& workload, const Catalogue& catalogue) {
  const auto parameter_json = [](const ParameterInfo& parameter) {
    return json{{"name", parameter.name},
                {"doc", parameter.doc},
                {"default", parameter.default_value},
                {"choices", parameter.choices}};
  };
  const auto variant_json = [](const auto& variant) {
    json entry = to_json(*variant.second);
    entry["backend"] = variant.first;
    return entry;
  };
  const auto buffer_json = [](const BufferSpec& buffer) {
    return json{{"name", buffer.name},
                {"type", std::string(to_string(buffer.type))},
                {"count", buffer.count},
                {"role", std::string(to_string(buffer.role))}};
  };
  const auto scalar_json = [](const ScalarSpec& scalar) {
    return json{{"name", scalar.name}, {"type", std::string(to_string(scalar.type))}};
  };
  const ProblemSpec problem = arguments_of(workload);
  const auto layouts = workload.layouts();
  return {{"name", std::string(workload.name())},
          {"doc", std::string(workload.doc())},
          {"parameters", list_of(workload.parameters(), parameter_json)},
          {"layouts", std::vector<std::string>(layouts.begin(), layouts.end())},
          {"buffers", list_of(problem.buffers, buffer_json)},
          {"scalars", list_of(problem.scalars, scalar_json)},
          {"variants", list_of(variants_of(workload, catalogue), variant_json)}};
}

void print_workload(const Workload& workload, const Catalogue& catalogue) {
  print_fitted("{}: {}\n", workload.name(), visible(workload.doc()));
  if (!workload.layouts().empty()) print_fitted("    layouts: {}\n", fmt::join(workload.layouts(), " | "));
  for (const ParameterInfo& parameter : workload.parameters()) {
    print_fitted(
        "    {:<8} {} (default: {}{})\n", parameter.name, visible(parameter.doc),
        visible(parameter.default_value),
        parameter.choices.empty() ? "" : visible(fmt::format("; {}", fmt::join(parameter.choices, " | "))));
  }
  const ProblemSpec problem = arguments_of(workload);
  for (const BufferSpec& buffer : problem.buffers) {
    print_fitted("    buffer {:<8} {} {}, {} elements\n", visible(buffer.name), to_string(buffer.role),
                 to_string(buffer.type), buffer.count);
  }
  for (const ScalarSpec& scalar : problem.scalars)
    print_fitted("    scalar {:<8} {}\n", visible(scalar.name), to_string(scalar.type));
  const auto variants = variants_of(workload, catalogue);
  std::size_t wide = 0;
  for (const auto& [backend, variant] : variants) wide = std::max(wide, variant->name.size());
  for (const auto& [backend, variant] : variants) {
    print_fitted("  {:<9} {:<{}} {}\n", backend, visible(variant->name), wide, visible(variant->doc));
    if (!variant->layouts.empty()) {
      print_fitted("  {:<9} {:<{}}   layouts: {}\n", "", "", wide,
                   visible(fmt::format("{}", fmt::join(variant->layouts, " "))));
    }
    std::string tunables;
    for (const TunableInfo& tunable : variant->tunables)
      tunables += fmt::format(" {}={}", tunable.name, to_text(tunable.default_value));
    if (!tunables.empty()) print_fitted("  {:<9} {:<{}}   tunable:{}\n", "", "", wide, visible(tunables));
  }
}

json plugins_json(const PluginTable& plugins) {
  json backends = json::array();
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (!plugin.is_backend) continue;
    backends.push_back({{"name", plugin.info.name},
                        {"title", plugin.info.title},
                        {"version", plugin.info.version},
                        {"build", plugin.info.build},
                        {"library", plugin.library.string()}});
  }
  return backends;
}

/// Observers with what they read: those of plugins, then those of core.
std::vector<std::pair<std::string, std::span<const ReadingInfo>>> observers_in(const PluginTable& plugins) {
  std::vector<std::pair<std::string, std::span<const ReadingInfo>>> observers;
  for (const PluginEntry& plugin : plugins.plugins())
    observers.emplace_back(plugin.info.name, plugin.readings);
  for (const Observer* observer : machine_observers()) observers.emplace_back("core", observer->readings());
  return observers;
}

json observers_json(const PluginTable& plugins) {
  json observers = json::array();
  for (const auto& [name, readings] : observers_in(plugins)) {
    for (const ReadingInfo& reading : readings) {
      observers.push_back({{"observer", name},
                           {"reading", reading.id},
                           {"unit", reading.unit},
                           {"doc", reading.doc},
                           {"kind", std::string(to_string(reading.kind))},
                           {"on_request", reading.on_request}});
    }
  }
  return observers;
}

/// Workloads by backends, with the names of the variants.
void print_matrix(const Catalogue& catalogue) {
  std::vector<Column<const Workload*>> columns{
      {{"workload"}, [](const Workload* workload) { return std::string(workload->name()); }}};
  for (const BackendEntry& backend : catalogue.backends) {
    columns.push_back({TextColumn::named(backend.name), [&backend](const Workload* workload) {
                         std::vector<std::string> names;
                         for (const VariantInfo& variant : backend.variants) {
                           if (variant.workload == workload->name()) names.push_back(variant.name);
                         }
                         return names.empty() ? "–" : fmt::format("{}", fmt::join(names, " "));
                       }});
  }
  print_fitted("{}\n`benchctl list WORKLOAD` shows its parameters, layouts and what each variant does.\n",
               TextTable(columns, Workloads::built_in().all())
                   .text(false, static_cast<std::size_t>(terminal_width(STDOUT_FILENO))));
}

/// What can stand in `observe`, and what is read without being asked for.
void print_observers(const PluginTable& plugins) {
  print_fitted("\nObservers:\n");
  for (const auto& [name, readings] : observers_in(plugins)) {
    for (const bool on_request : {false, true}) {
      std::string names;
      for (const ReadingInfo& reading : readings) {
        if (reading.on_request == on_request) names += ' ' + reading.id;
      }
      if (names.empty()) continue;
      print_fitted("  {:<9}{}{}\n", name, visible(names),
                   on_request ? " (where 'observe' asks for it)" : "");
    }
  }
}

void print_text(const PluginTable& plugins, const Catalogue& catalogue) {
  print_matrix(catalogue);
  print_fitted("\nBackends:\n");
  bool any = false;
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (!plugin.is_backend && plugin.extends.empty()) continue;
    print_fitted("  {:<9} {} ({})\n", plugin.info.name, visible(plugin.info.title), plugin.library);
    any = true;
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    print_fitted("  refused   {}: {}\n", plugin.library, visible_lines(plugin.reason));
  }
  for (const LeftOutPlugin& plugin : plugins.left_out())
    print_fitted("  {:<9} {}\n", visible(plugin.name), visible(plugin.reason));
  if (!any) print_fitted("  none found\n");
  print_observers(plugins);
}

/// The workloads that are asked for, all when none is named. Throws UsageError.
std::vector<const Workload*> chosen_workloads(const std::vector<std::string>& names) {
  if (names.empty()) return Workloads::built_in().all();
  std::vector<const Workload*> chosen;
  for (const std::string& name : names) {
    chosen.push_back(Workloads::built_in().find(name));
    if (chosen.back() != nullptr) continue;
    std::vector<std::string> known;
    for (const Workload* workload : Workloads::built_in().all()) known.emplace_back(workload->name());
    throw UsageError(fmt::format("no workload '{}'{}; there are {}", name,
                                 did_you_mean(nearest_name(name, known)), fmt::join(known, ", ")));
  }
  return chosen;
}

void print_strategies(const std::string& format) {
  json rows = json::array();
  for (const StrategyInfo& strategy : strategies()) {
    if (format == "text") print_fitted("{:<11} {}\n", strategy.name, strategy.doc);
    rows.push_back({{"name", strategy.name}, {"doc", strategy.doc}});
  }
  if (format == "json") write_json(json{{"strategies", rows}});
}

struct ListArguments {
  std::vector<std::string> names;
  std::string config;
  bool allow_outside = false;
  bool devices = false;
  std::string expected;
  bool configs = false;
  bool strategies = false;
  std::string format;
};

void list(Common& common, const ListArguments& options) {
  if (options.devices) return list_devices(common, options.expected, options.format == "json");
  if (options.configs) return list_configs(options.format == "json");
  if (options.strategies) return print_strategies(options.format);
  const PluginTable plugins = Workers().plugins(common);
  Catalogue catalogue = make_catalogue(plugins);
  if (!options.config.empty())
    add_own_kernels(catalogue, read_config(options.config, options.allow_outside));
  const std::vector<const Workload*> chosen = chosen_workloads(options.names);
  if (options.format == "json") {
    return write_json(json{
        {"workloads", list_of(chosen, [&](const Workload* one) { return workload_json(*one, catalogue); })},
        {"backends", plugins_json(plugins)},
        {"observers", observers_json(plugins)},
        {"refused", refused_json(plugins)}});
  }
  if (options.names.empty()) return print_text(plugins, catalogue);
  for (const Workload* workload : chosen) print_workload(*workload, catalogue);
}

}  // namespace

json refused_json(const PluginTable& plugins) {
  return list_of(plugins.refused(), [](const RefusedPlugin& plugin) {
    return json{{"library", plugin.library.string()}, {"reason", plugin.reason}};
  });
}

void add_list(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "list", "List workloads and variants, or devices, configs, strategies", &list);
  add_value(command, "--config", options.config, "CONFIG",
            "With the kernels and workloads that a config brings");
  add_outside_option(command, options.allow_outside);
  auto* workloads = add_value(command, "workload", options.names, "WORKLOAD", "Workloads to show in full");
  auto* devices = command
                      .add_flag("--devices", options.devices,
                                "Instead: the devices of every backend, or why there are none")
                      ->excludes(workloads);
  add_value(command, "--expect", options.expected, "FILE",
            "File of `list --devices --format json`: fail (exit 1) if devices, drivers or clocks differ")
      ->needs(devices);
  command.add_flag("--configs", options.configs, "Instead: the installed configs with their titles");
  command.add_flag("--strategies", options.strategies, "Instead: the strategies that [search] can name");
  add_format_option(command, options.format, {"text", "json"});
}

}  // namespace benchctl::cli
