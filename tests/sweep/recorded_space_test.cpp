// Search strategies on a space that was measured completely: how many points each needs. Prints the table
// of docs/user-kernels.md.
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/strategy.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>

using namespace benchctl;

namespace {

constexpr std::array<double, 3> margins{0.1, 0.05, 0.01};
/// Points until one is that close to the best, by margin.
using Needed = std::array<std::size_t, margins.size()>;

struct RecordedSpace {
  SearchSpace space;
  std::map<Coordinates, double> ns;
  double best = std::numeric_limits<double>::infinity();
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// An export with a column for each axis, those in capitals, as [results](docs/results) have it.
RecordedSpace read_space(const std::filesystem::path& file, const std::string& variant) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> heads = cells_of(line);
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i][0] >= 'A' && heads[i][0] <= 'Z') axes.push_back(i);
  }
  const auto column = [&](const char* head) {
    return static_cast<std::size_t>(std::ranges::find(heads, head) - heads.begin());
  };
  std::map<std::vector<int>, double> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.at(column("variant")) != variant) continue;
    std::vector<int> values;
    for (const std::size_t axis : axes) values.push_back(std::stoi(cells.at(axis)));
    rows[values] = std::stod(cells.at(column("median_ns")));
  }
  std::vector<std::set<int>> values(axes.size());
  for (const auto& [row, ns] : rows) {
    for (std::size_t d = 0; d < row.size(); ++d) values[d].insert(row[d]);
  }
  RecordedSpace recorded;
  auto& lengths = recorded.space.arms.emplace_back();
  for (const auto& axis : values) lengths.push_back(static_cast<std::uint32_t>(axis.size()));
  for (const auto& [row, ns] : rows) {
    Coordinates at;
    for (std::size_t d = 0; d < row.size(); ++d)
      at.places.push_back(
          static_cast<std::uint32_t>(std::distance(values[d].begin(), values[d].find(row[d]))));
    recorded.ns[at] = ns;
    recorded.best = std::min(recorded.best, ns);
  }
  return recorded;
}

/// In batches of as many points as a run measures in turns.
Needed search(const StrategyInfo& info, const RecordedSpace& recorded, std::uint64_t seed) {
  SearchSpace space = recorded.space;
  space.possible = [&](const Coordinates& point) { return recorded.ns.contains(point); };
  const auto strategy = info.make(space, seed);
  Needed needed{};
  std::size_t tried = 0;
  while (needed.back() == 0) {
    const std::vector<Coordinates> batch = strategy->next(16);
    REQUIRE_FALSE(batch.empty());
    for (const Coordinates& point : batch) {
      ++tried;
      const double ns = recorded.ns.at(point);
      for (std::size_t i = 0; i < margins.size(); ++i) {
        if (needed[i] == 0 && ns <= recorded.best * (1 + margins[i])) needed[i] = tried;
      }
      strategy->learn(point, ns);
    }
  }
  return needed;
}

/// Of the searches with seeds from 1 on: how many points that share of them needed at most, by margin.
Needed quantile(std::vector<Needed> searches, double share) {
  Needed all{};
  for (std::size_t i = 0; i < margins.size(); ++i) {
    std::ranges::sort(searches, {}, [&](const Needed& needed) { return needed[i]; });
    all[i] = searches[static_cast<std::size_t>(share * static_cast<double>(searches.size() - 1))][i];
  }
  return all;
}

}  // namespace

TEST_CASE("search strategies that learn need fewer points of a recorded space than drawing evenly") {
  const RecordedSpace recorded =
      read_space(test::recorded_space_directory() / "matmul_cuda.csv", "double_buffered");
  REQUIRE(recorded.ns.size() == 225);
  REQUIRE(recorded.space.size() == 384);
  std::map<std::string_view, Needed> medians;
  for (const StrategyInfo& info : strategies().subspan(1)) {
    std::vector<Needed> searches;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) searches.push_back(search(info, recorded, seed));
    const Needed half = quantile(searches, 0.5);
    const Needed most = quantile(searches, 0.9);
    medians[info.name] = half;
    fmt::print("| `{}` | {} ({}) | {} ({}) | {} ({}) |\n", info.name, half[0], most[0], half[1], most[1],
               half[2], most[2]);
  }
  // Every seventh point is within 5 %, which needs no search.
  for (const auto& [name, needed] : medians) {
    CAPTURE(name);
    if (name != "random") CHECK(needed.back() < medians.at("random").back());
  }
}
