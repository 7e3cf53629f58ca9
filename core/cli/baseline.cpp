// `benchctl baseline set|list|remove`: names for runs that others are compared with.
#include "cli/command.hpp"
#include "cli/run_names.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

void set_baseline(const Common& common, const std::string& name, const std::string& run) {
  if (!is_baseline_name(name)) {
    throw UsageError(fmt::format(
        "'{}' cannot be the name of a baseline: it begins with a letter, goes on with letters, digits, "
        "'_', '-' and '.', has at most 64 of them, is not 'all' and does not end like a file",
        name));
  }
  // Read first: a store that is not there is an error, not made.
  const RunRow found = run_in(Store::open(common.store_file(), Store::Access::read_only), run);
  Store::open(common.store_file()).set_baseline(name, found.id);
  fmt::print("{} is run {}: {}\n", name, to_number(found.id), visible(found.title));
  if (state_now(found) != RunState::complete) {
    tell("benchctl: run {} is {}: points that it lacks cannot be compared\n", to_number(found.id),
         to_string(state_now(found)));
  }
}

std::string baselines_json(const Store& store) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const BaselineRow& baseline : store.baselines()) {
    list.push_back(
        {{"name", baseline.name}, {"run", to_number(baseline.run)}, {"set_at", baseline.set_at}});
  }
  return nlohmann::ordered_json{
             {"schema", "benchctl.baselines"}, {"schema_version", 1}, {"baselines", list}}
             .dump(2) +
         '\n';
}

}  // namespace

void add_baseline(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("baseline", "Name runs: a name works wherever a run is named");
  command->require_subcommand(1);
  add_store_option(*command, common);

  CLI::App* set = command->add_subcommand("set", "Name a run, or move a name to another run");
  auto name = std::make_shared<std::string>();
  auto run = std::make_shared<std::string>();
  set->add_option("name", *name, "The name: letters, digits, '_', '-', '.'")->required()->type_name("NAME");
  set->add_option("run", *run, "Number of the run, or a name that it has (default: the newest)")
      ->type_name("RUN");
  set->callback([&common, name, run] { set_baseline(common, *name, *run); });

  CLI::App* list = command->add_subcommand("list", "List all names");
  auto format = std::make_shared<std::string>();
  add_format_option(*list, *format, {"text", "json"});
  list->callback([&common, format] {
    const Store store = Store::open(common.store_file(), Store::Access::read_only);
    std::cout << (*format == "json" ? baselines_json(store)
                                    : baselines_table(store, text_width(STDOUT_FILENO)));
  });

  CLI::App* remove = command->add_subcommand("remove", "Forget a name; the run stays");
  auto gone = std::make_shared<std::string>();
  remove->add_option("name", *gone, "The name")->required()->type_name("NAME");
  remove->callback([&common, gone] {
    if (!Store::open(common.store_file(), Store::Access::read_only).find_named(*gone) ||
        !Store::open(common.store_file()).remove_baseline(*gone)) {
      throw UsageError(fmt::format("{} has no baseline '{}'; see `benchctl baseline list`",
                                   common.store_file().string(), *gone));
    }
  });
}

}  // namespace benchctl::cli
