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

struct Known {
  const char* name;
  const char* file;
  std::size_t points;
};
constexpr std::array<Known, 4> spaces{{{"product, H200", "matmul_cuda.csv", 225},
                                       {"product, CPU", "product.csv", 503},
                                       {"stencil, CPU", "stencil.csv", 570},
                                       {"sum, CPU", "sum.csv", 192}}};
constexpr std::array<double, 3> margins{0.1, 0.05, 0.01};
/// Points until one is that close to the best, by margin.
using Needed = std::array<std::size_t, margins.size()>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Times in ns, and behind each the values of its axes.
RecordedSpace read_space(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::size_t axes = cells_of(line).size() - 1;
  std::map<std::vector<int>, double> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    std::vector<int> values;
    for (std::size_t i = 1; i < cells.size(); ++i) values.push_back(std::stoi(cells[i]));
    rows[values] = std::stod(cells.front());
  }
  std::vector<std::set<int>> values(axes);
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
    recorded.cost[at] = ns;
  }
  return recorded;
}

Needed search(const StrategyInfo& info, const RecordedSpace& recorded, double best, std::uint64_t seed) {
  const std::vector<double> found =
      simulate_search(info, recorded, seed, recorded.cost.size(), best * (1 + margins.back()));
  Needed needed{};
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const auto near = std::ranges::find_if(found, [&](double ns) { return ns <= best * (1 + margins[i]); });
    needed[i] = static_cast<std::size_t>(near - found.begin()) + 1;
  }
  return needed;
}

/// How many points that share of them needed at most, by margin.
Needed quantile(std::vector<Needed> searches, double share) {
  Needed all{};
  for (std::size_t i = 0; i < margins.size(); ++i) {
    std::ranges::sort(searches, {}, [&](const Needed& needed) { return needed[i]; });
    all[i] = searches[static_cast<std::size_t>(share * static_cast<double>(searches.size() - 1))][i];
  }
  return all;
}

}  // namespace

TEST_CASE("search strategies that learn need fewer points of recorded spaces than drawing evenly") {
  std::map<std::string_view, double> whole;  // points until 1 %, over those of drawing, summed over spaces
  for (const Known& known : spaces) {
    const RecordedSpace recorded = read_space(test::recorded_space_directory() / known.file);
    REQUIRE(recorded.cost.size() == known.points);
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [at, ns] : recorded.cost) best = std::min(best, *ns);
    std::map<std::string_view, double> medians;
    for (const StrategyInfo& info : strategies().subspan(1)) {
      std::vector<Needed> searches;
      for (std::uint64_t seed = 1; seed <= 200; ++seed)
        searches.push_back(search(info, recorded, best, seed));
      const Needed half = quantile(searches, 0.5);
      const Needed most = quantile(searches, 0.9);
      medians[info.name] = static_cast<double>(half.back());
      fmt::print("| {}, {} points | `{}` | {} ({}) | {} ({}) | {} ({}) |\n", known.name, known.points,
                 info.name, half[0], most[0], half[1], most[1], half[2], most[2]);
    }
    for (const auto& [name, needed] : medians) whole[name] += needed / medians.at("random");
  }
  for (const auto& [name, sum] : whole) {
    CAPTURE(name, sum);
    if (name != "random") CHECK(sum < whole.at("random"));
  }
}
