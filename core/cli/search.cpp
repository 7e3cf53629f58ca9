// `benchctl search`: the strategies that a config can search with, and how they would have done in a stored
// run.
#include "cli/command.hpp"
#include "cli/run_names.hpp"
#include "cli/terminal.hpp"
#include "engine/simulation.hpp"
#include "model/visible.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;

struct SearchArguments {
  std::string run;
  std::size_t seeds = 100;
  std::string format;
};

std::string count_text(double median, double worst_tenth) {
  const auto one = [](double count) {
    return std::isfinite(count) ? fmt::format("{:.0f}", count) : "never";
  };
  return fmt::format("{} ({})", one(median), one(worst_tenth));
}

std::string text_of(const std::vector<SimulatedSearch>& searches, std::size_t seeds) {
  std::vector<TextColumn> columns{TextColumn::named("strategy")};
  for (const double close : closeness) {
    columns.push_back(TextColumn::named(
        close > 1 ? fmt::format("within {:.0f} %", 100 * (close - 1)) : "the best", true));
  }
  std::string text;
  for (std::size_t i = 0; i < searches.size();) {
    const SimulatedSearch& first = searches[i];
    text += fmt::format("{}: {} points with a time, the best {}\n", visible(first.space), first.points,
                        format_duration(first.best_ns));
    if (first.coverage < 1) {
      text +=
          fmt::format("  (the run knows {:.3g} % of all combinations; the others count as impossible)\n",
                      100 * first.coverage);
    }
    TextTable table(columns);
    for (; i < searches.size() && searches[i].space == first.space; ++i) {
      std::vector<std::string> cells{searches[i].strategy};
      for (std::size_t c = 0; c < closeness.size(); ++c) {
        cells.push_back(count_text(searches[i].median[c], searches[i].worst_tenth[c]));
      }
      table.add(std::move(cells));
    }
    text += table.text(false, text_width(STDOUT_FILENO)) + '\n';
  }
  return text + fmt::format(
                    "Points tried until the best so far was that close: median over {} seeds (nine in ten "
                    "need no more).\n",
                    seeds);
}

std::string json_of(const std::vector<SimulatedSearch>& searches, std::size_t seeds) {
  json rows = json::array();
  for (const SimulatedSearch& search : searches) {
    rows.push_back({{"space", search.space},
                    {"strategy", search.strategy},
                    {"points", search.points},
                    {"coverage", search.coverage},
                    {"best_ns", search.best_ns},
                    {"closeness", closeness},
                    {"median", search.median},
                    {"worst_tenth", search.worst_tenth}});
  }
  return json{
             {"schema", "benchctl.simulation"}, {"schema_version", 1}, {"seeds", seeds}, {"searches", rows}}
             .dump(2) +
         '\n';
}

void print_strategies(const std::string& format) {
  if (format == "json") {
    json rows = json::array();
    for (const StrategyInfo& strategy : strategies())
      rows.push_back({{"name", strategy.name}, {"doc", strategy.doc}});
    std::cout << json{{"strategies", rows}}.dump(2) << '\n';
    return;
  }
  for (const StrategyInfo& strategy : strategies()) fmt::print("{:<11} {}\n", strategy.name, strategy.doc);
  fmt::print(
      "\n[search] strategy = \"…\" in a config chooses one; --simulate RUN compares them over a stored "
      "run.\n");
}

}  // namespace

void add_search(CLI::App& app, Common& common) {
  CLI::App* command =
      app.add_subcommand("search", "List the search strategies, or replay them over a stored run");
  auto options = std::make_shared<SearchArguments>();
  command->add_option("--simulate", options->run, "Replay every strategy over the results of this run")
      ->type_name("RUN");
  command->add_option("--seeds", options->seeds, "Replays of each strategy")
      ->type_name("N")
      ->check(CLI::Range(1U, 10'000U))
      ->capture_default_str();
  add_store_option(*command, common);
  add_format_option(*command, options->format, {"text", "json"});
  command->callback([&common, options] {
    if (options->run.empty()) return print_strategies(options->format);
    const Store store = Store::open(common.store_file(), Store::Access::read_only);
    const RunId run = run_in(store, options->run).id;
    const std::vector<SimulatedSearch> searches =
        simulate(store.results(run), strategies(), options->seeds);
    if (searches.empty()) {
      throw UsageError(
          fmt::format("run {} has no problem with {} times or more on one device: nothing to search in",
                      options->run, least_points));
    }
    std::cout << (options->format == "json" ? json_of(searches, options->seeds)
                                            : text_of(searches, options->seeds));
  });
}

}  // namespace benchctl::cli
