// `benchctl list`: workloads with their parameters and variants, configs, search strategies. Only planning
// the configs touches a driver.
#include "cli/command.hpp"
#include "cli/configs.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "model/json.hpp"
#include "model/point.hpp"
#include "model/suggest.hpp"
#include "model/visible.hpp"
#include "observe/machine_observers.hpp"
#include "report/text_table.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/strategy.hpp"
#include "workloads/workload.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

namespace benchctl::cli {

namespace {

using nlohmann::json;

json workload_json(const Workload& workload, const Catalogue& catalogue) {
  json parameters = json::array();
  for (const ParameterInfo& parameter : workload.parameters()) {
    parameters.push_back({{"name", parameter.name},
                          {"doc", parameter.doc},
                          {"default", parameter.default_value},
                          {"choices", parameter.choices}});
  }
  json variants = json::array();
  for (const BackendEntry& backend : catalogue.backends) {
    for (const VariantInfo& variant : backend.variants) {
      if (variant.workload != workload.name()) continue;
      json entry = to_json(variant);
      entry["backend"] = backend.name;
      variants.push_back(std::move(entry));
    }
  }
  json buffers = json::array();
  json scalars = json::array();
  if (const auto problem = default_problem(workload)) {
    for (const BufferSpec& buffer : problem->buffers) {
      buffers.push_back({{"name", buffer.name},
                         {"type", std::string(to_string(buffer.type))},
                         {"count", buffer.count},
                         {"role", std::string(to_string(buffer.role))}});
    }
    for (const ScalarSpec& scalar : problem->scalars) {
      scalars.push_back({{"name", scalar.name}, {"type", std::string(to_string(scalar.type))}});
    }
  }
  const auto layouts = workload.layouts();
  return {{"name", std::string(workload.name())},
          {"doc", std::string(workload.doc())},
          {"parameters", parameters},
          {"layouts", std::vector<std::string>(layouts.begin(), layouts.end())},
          {"buffers", buffers},
          {"scalars", scalars},
          {"variants", variants}};
}

std::string tunables_text(const VariantInfo& variant) {
  std::string text;
  for (const TunableInfo& tunable : variant.tunables) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", tunable.name, to_text(tunable.default_value));
  }
  return text;
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
  if (const auto problem = default_problem(workload)) {
    for (const BufferSpec& buffer : problem->buffers) {
      print_fitted("    buffer {:<8} {} {}, {} elements\n", visible(buffer.name), to_string(buffer.role),
                   to_string(buffer.type), buffer.count);
    }
    for (const ScalarSpec& scalar : problem->scalars) {
      print_fitted("    scalar {:<8} {}\n", visible(scalar.name), to_string(scalar.type));
    }
  }
  for (const BackendEntry& backend : catalogue.backends) {
    for (const VariantInfo& variant : backend.variants) {
      if (variant.workload != workload.name()) continue;
      print_fitted("  {:<9} {:<10} {}\n", backend.name, visible(variant.name), visible(variant.doc));
      if (!variant.layouts.empty()) {
        print_fitted("  {:<9} {:<10}   layouts: {}\n", "", "",
                     visible(fmt::format("{}", fmt::join(variant.layouts, " "))));
      }
      if (!variant.tunables.empty())
        print_fitted("  {:<9} {:<10}   tunable: {}\n", "", "", visible(tunables_text(variant)));
    }
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

json observers_json(const PluginTable& plugins) {
  json observers = json::array();
  const auto add = [&](const std::string& name, std::span<const ReadingInfo> readings) {
    for (const ReadingInfo& reading : readings) {
      observers.push_back({{"observer", name},
                           {"reading", reading.id},
                           {"unit", reading.unit},
                           {"doc", reading.doc},
                           {"kind", std::string(to_string(reading.kind))},
                           {"on_request", reading.on_request}});
    }
  };
  for (const PluginEntry& plugin : plugins.plugins()) add(plugin.info.name, plugin.readings);
  for (const Observer* observer : machine_observers()) add("core", observer->readings());
  return observers;
}

json refused_json(const PluginTable& plugins) {
  json refused = json::array();
  for (const RefusedPlugin& plugin : plugins.refused()) {
    refused.push_back({{"library", plugin.library.string()}, {"reason", plugin.reason}});
  }
  return refused;
}

/// Characters of a cell with names, so that three backends fit into a terminal's line.
constexpr std::size_t cell_width = 32;

/// The names of a workload's variants in lines of a cell; a dash if there are none.
std::vector<std::string> name_lines(const BackendEntry& backend, std::string_view workload) {
  std::vector<std::string> lines;
  for (const VariantInfo& variant : backend.variants) {
    if (variant.workload != workload) continue;
    if (lines.empty() || lines.back().size() + 1 + variant.name.size() > cell_width) {
      lines.push_back(variant.name);
    } else {
      lines.back() += " " + variant.name;
    }
  }
  if (lines.empty()) lines.emplace_back("–");
  return lines;
}

/// Workloads by backends, with the names of the variants.
void print_matrix(const Catalogue& catalogue) {
  std::vector<TextColumn> columns{{"workload"}};
  for (const BackendEntry& backend : catalogue.backends) columns.push_back(TextColumn::named(backend.name));
  TextTable table(columns);
  for (const Workload* workload : Workloads::built_in().all()) {
    std::vector<std::vector<std::string>> names;
    std::size_t height = 1;
    for (const BackendEntry& backend : catalogue.backends) {
      names.push_back(name_lines(backend, workload->name()));
      height = std::max(height, names.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::vector<std::string> cells{line == 0 ? std::string(workload->name()) : ""};
      for (const auto& lines : names) cells.push_back(line < lines.size() ? lines[line] : "");
      table.add(std::move(cells));
    }
  }
  print_fitted("{}\n`benchctl list WORKLOAD` shows its parameters, layouts and what each variant does.\n",
               table.text(false, text_width(STDOUT_FILENO)));
}

/// What can stand in `observe`, and what is read without being asked for.
void print_observers(const PluginTable& plugins) {
  print_fitted("\nObservers:\n");
  const auto print = [](const std::string& name, std::span<const ReadingInfo> readings) {
    std::string always;
    std::string asked;
    for (const ReadingInfo& reading : readings) {
      std::string& names = reading.on_request ? asked : always;
      names += (names.empty() ? "" : " ") + reading.id;
    }
    if (!always.empty()) print_fitted("  {:<9} {}\n", name, visible(always));
    if (!asked.empty()) print_fitted("  {:<9} {} (where 'observe' asks for it)\n", name, visible(asked));
  };
  for (const PluginEntry& plugin : plugins.plugins()) print(plugin.info.name, plugin.readings);
  for (const Observer* observer : machine_observers()) print("core", observer->readings());
}

void print_text(const PluginTable& plugins, const Catalogue& catalogue) {
  print_matrix(catalogue);
  print_fitted("\nBackends:\n");
  bool any = false;
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (!plugin.is_backend) continue;
    print_fitted("  {:<9} {} ({})\n", plugin.info.name, visible(plugin.info.title),
                 visible(plugin.library.string()));
    any = true;
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    print_fitted("  refused   {}: {}\n", visible(plugin.library.string()), visible_lines(plugin.reason));
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
  if (format == "json") std::cout << json{{"strategies", rows}}.dump(2) << '\n';
}

}  // namespace

void add_list(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("list", "Show which backend has which variants of which workload");
  auto format = std::make_shared<std::string>();
  auto names = std::make_shared<std::vector<std::string>>();
  auto config = std::make_shared<std::string>();
  auto allow_outside = std::make_shared<bool>(false);
  auto strategies_only = std::make_shared<bool>(false);
  command->add_option("--config", *config, "With the kernels and workloads that a config brings")
      ->type_name("CONFIG");
  command->add_flag("--allow-outside", *allow_outside,
                    "Kernels and files of the config may lie outside its folder");
  auto configs_only = std::make_shared<bool>(false);
  auto brief = std::make_shared<bool>(false);
  auto* configs =
      command->add_flag("--configs", *configs_only,
                        "Instead: the installed configs, with points and predicted time on this machine");
  command
      ->add_flag("--brief", *brief,
                 "Names and titles of the configs only: asks no device and plans nothing")
      ->needs(configs);
  command->add_flag("--strategies", *strategies_only, "Instead: the strategies that [search] can name");
  command->add_option("workload", *names, "Workloads to show in full")->type_name("WORKLOAD");
  add_format_option(*command, *format, {"text", "json"});
  command->callback([=, &common] {
    if (*configs_only) return list_configs(common, *brief, *format == "json");
    if (*strategies_only) return print_strategies(*format);
    const PluginTable plugins = Workers().plugins(common);
    Catalogue catalogue = make_catalogue(plugins);
    if (!config->empty()) add_own_kernels(catalogue, load_config(find_config(*config), *allow_outside));
    const std::vector<const Workload*> chosen = chosen_workloads(*names);
    if (*format == "text") {
      if (names->empty()) return print_text(plugins, catalogue);
      for (const Workload* workload : chosen) print_workload(*workload, catalogue);
      return;
    }
    json workloads = json::array();
    for (const Workload* workload : chosen) workloads.push_back(workload_json(*workload, catalogue));
    std::cout << json{{"workloads", workloads},
                      {"backends", plugins_json(plugins)},
                      {"observers", observers_json(plugins)},
                      {"refused", refused_json(plugins)}}
                     .dump(2)
              << '\n';
  });
}

}  // namespace benchctl::cli
