// `benchctl fleet`: which card of many is slow.
#include "report/fleet.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace benchctl::cli {

namespace {

struct FleetArguments {
  std::vector<std::string> stores;
  FleetOptions fleet;
  std::string format;
  std::string file;
};

void show_fleet(Common& common, FleetArguments& options) {
  if (options.stores.empty()) options.stores.push_back(common.store_file().string());
  std::vector<Store> stores;
  for (const std::string& file : options.stores)
    stores.push_back(Store::open(file, Store::Access::read_only));
  std::vector<const Store*> open;
  for (const Store& store : stores) open.push_back(&store);
  const Fleet fleet = make_fleet(open, options.fleet);
  if (fleet.classes.empty()) {
    throw UsageError(fmt::format(
        "no run called '{0}' with times in these stores; `benchctl run {0}` measures one, `--control NAME` "
        "names another",
        options.fleet.control));
  }
  const bool terminal = options.file.empty() && options.format == "text";
  write_output(options.format == "json"
                   ? fleet_json(fleet)
                   : fleet_text(fleet, {.markdown = options.format == "md",
                                        .colours = terminal && colours_on(STDOUT_FILENO),
                                        .width = terminal ? text_width(STDOUT_FILENO) : 0}),
               options.file);
}

}  // namespace

void add_fleet(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("fleet", "Which device of many is slow: control runs of one or several stores");
  auto options = std::make_shared<FleetArguments>();
  command
      ->add_option("store", options->stores,
                   "Store files (default: --db, $BENCHCTL_DB, else ./benchctl.db)")
      ->type_name("FILE");
  add_store_option(*command, common);
  add_format_option(*command, options->format, {"text", "md", "json"});
  command->add_option("-o,--output", options->file, "File to write (default: standard output)")
      ->type_name("FILE");
  command
      ->add_option("--control", options->fleet.control, "Name of the runs that hold the control problems")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--threshold", options->fleet.threshold,
                   "Share of the time up to which a slower device is not slow")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->callback([&common, options] { show_fleet(common, *options); });
}

}  // namespace benchctl::cli
