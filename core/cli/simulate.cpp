// `benchctl simulate`: a search strategy on a space whose times the Python package knows.
#include "cli/command.hpp"
#include "model/json.hpp"
#include "sweep/strategy.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;

/// `{strategy, lengths: values of each axis, points: [[places…, time or null]…], seeds, most}` in, a list
/// for each seed out: the best time after each point, null before the first.
json simulated(const json& asked) {
  const auto name = asked.at("strategy").get<std::string>();
  const StrategyInfo* info = find_strategy(name);
  if (info == nullptr) {
    std::string known;
    for (const StrategyInfo& one : strategies())
      known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
    throw UsageError(fmt::format("there is no strategy '{}'; the program has {}", name, known));
  }
  RecordedSpace recorded;
  recorded.space.arms = {asked.at("lengths").get<std::vector<std::uint32_t>>()};
  for (const json& point : asked.at("points")) {
    Coordinates at;
    for (std::size_t d = 0; d + 1 < point.size(); ++d) at.places.push_back(point[d].get<std::uint32_t>());
    recorded.cost[at] = point.back().is_null() ? std::nullopt : std::optional(point.back().get<double>());
  }
  json searches = json::array();
  for (const json& seed : asked.at("seeds")) {
    json best = json::array();
    for (const double ns : simulate_search(*info, recorded, seed.get<std::uint64_t>(), asked.at("most")))
      best.push_back(std::isfinite(ns) ? json(ns) : json());
    searches.push_back(std::move(best));
  }
  return searches;
}

}  // namespace

void add_simulate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("simulate", "Internal: searches a space for the Python package");
  command->group("");
  command->callback([] {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    try {
      refuse_deep_json(text);
      std::cout << simulated(json::parse(text)).dump() << '\n';
    } catch (const json::exception& error) {
      throw UsageError(fmt::format("standard input: {}", json_fault(error)));
    }
  });
}

}  // namespace benchctl::cli
