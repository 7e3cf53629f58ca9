// `benchctl check`: is a config right? Says everything that is wrong, and what is merely odd.
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"
#include "sweep/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace benchctl::cli {

void add_check(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("check", "Check a config without running it");
  auto options = std::make_shared<SelectionOptions>();
  add_selection_options(*command, *options);
  command->callback([&common, options] {
    Workers workers;
    const Selection selection =
        select_points(*options, workers.factory(), workers.plugins(common), &common.exit_code);
    for (const Diagnostic& warning : selection.expansion.warnings) std::cout << to_text(warning) << '\n';
    const auto& points = selection.expansion.points;
    const auto skipped = std::ranges::count(points, Status::skipped, &Point::status);
    const Searches searches = make_searches(selection.config, selection.catalogue, selection.lanes);
    for (const Diagnostic& warning : searches.warnings) std::cout << to_text(warning) << '\n';
    fmt::print("{}: fine; {} points on this machine, {} of them ruled out{}{}\n", visible(options->config),
               points.size(), skipped, skipped > 0 ? " (`benchctl plan` says why)" : "",
               searches.tasks.empty() ? ""
                                      : fmt::format("; {} search{}", searches.tasks.size(),
                                                    searches.tasks.size() == 1 ? "" : "es"));
    for (const std::string& unmet : selection.unmet) {
      tell("benchctl: {}\n", unmet);
      common.exit_code = point_failed;
    }
  });
}

}  // namespace benchctl::cli
