// `benchctl explain`: why a stored point was skipped, failed, is unstable, slow or fast.
#include "report/explain.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace benchctl::cli {

namespace {

/// Long lines are hard to read, however wide the terminal.
constexpr int widest = 110;

}  // namespace

void add_explain(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand(
      "explain", "Why a stored point was skipped, failed, is unstable, slow or fast, in plain words");
  auto point = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>();
  command->add_option("point", *point, fmt::format("Which point: {}", point_forms))
      ->required()
      ->type_name("POINT");
  add_store_option(*command, common);
  add_format_option(*command, *format, {"text", "json"});
  command->callback([&common, point, format] {
    const Store store = Store::open(common.store_file(), Store::Access::read_only);
    const PointChoice choice = choose_point(store, *point);
    const std::vector<Finding> findings = explain(point_story(store, choice));
    const auto width = static_cast<std::size_t>(std::min(terminal_width(STDOUT_FILENO), widest));
    std::cout << (*format == "json" ? explanation_json(choice, findings)
                                    : explanation_text(choice, findings, width));
  });
}

}  // namespace benchctl::cli
