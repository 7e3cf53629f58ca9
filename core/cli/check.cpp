// `benchctl check`: is a config right? Says everything that is wrong, and what is merely odd.
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "config/diagnostic.hpp"
#include "model/visible.hpp"
#include "sweep/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    list.push_back({{"severity", diagnostic.severity == Severity::error ? "error" : "warning"},
                    {"file", diagnostic.file},
                    {"line", diagnostic.position.line},
                    {"column", diagnostic.position.column},
                    {"offending", diagnostic.offending},
                    {"message", diagnostic.message},
                    {"expected", diagnostic.expected},
                    {"suggestion", diagnostic.suggestion}});
  }
  return list;
}

void print_document(const Json& document) {
  std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

/// Odd parts of a selection.
std::vector<Diagnostic> warnings_of(const Selection& selection, const Searches& searches) {
  std::vector<Diagnostic> warnings = selection.expansion.warnings;
  warnings.insert(warnings.end(), searches.warnings.begin(), searches.warnings.end());
  return warnings;
}

void check(Common& common, const SelectionOptions& options, bool as_json) {
  Workers workers;
  const Selection selection =
      select_points(options, workers.factory(), workers.plugins(common), &common.exit_code);
  const auto& points = selection.expansion.points;
  const auto skipped = std::ranges::count(points, Status::skipped, &Point::status);
  const Searches searches = make_searches(selection.config, selection.catalogue, selection.lanes);
  const std::vector<Diagnostic> warnings = warnings_of(selection, searches);
  if (!selection.unmet.empty()) common.exit_code = point_failed;
  if (as_json) {
    return print_document({{"config", options.config},
                           {"fine", true},
                           {"points", points.size()},
                           {"ruled_out", skipped},
                           {"searches", searches.tasks.size()},
                           {"unmet", selection.unmet},
                           {"diagnostics", to_json(warnings)}});
  }
  for (const Diagnostic& warning : warnings) std::cout << to_text(warning) << '\n';
  print_fitted("{}: fine; {} points on this machine, {} of them ruled out{}{}\n", visible(options.config),
               points.size(), skipped, skipped > 0 ? " (`benchctl plan` says why)" : "",
               searches.tasks.empty() ? ""
                                      : fmt::format("; {} search{}", searches.tasks.size(),
                                                    searches.tasks.size() == 1 ? "" : "es"));
  for (const std::string& unmet : selection.unmet) tell("benchctl: {}\n", unmet);
}

}  // namespace

void add_check(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("check", "Check a config without running it");
  auto options = std::make_shared<SelectionOptions>();
  auto format = std::make_shared<std::string>();
  add_selection_options(*command, *options);
  add_format_option(*command, *format, {"text", "json"});
  command->callback([&common, options, format] {
    if (*format == "text") return check(common, *options, false);
    try {
      check(common, *options, true);
    } catch (const ConfigErrors& errors) {
      print_document(
          {{"config", options->config}, {"fine", false}, {"diagnostics", to_json(errors.diagnostics())}});
      common.exit_code = usage_error;
    }
  });
}

}  // namespace benchctl::cli
