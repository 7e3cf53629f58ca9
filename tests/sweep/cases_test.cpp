// Keys of a sweep of `grid`, and kernels, in tests/golden/expected/sweep_cases.txt: what is wrong with
// them, or the points that they come to.
#include "fixtures.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/paths.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/validate.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Parameters that differ among the points.
std::vector<std::string> telling_names(const std::vector<Point>& points) {
  std::map<std::string, std::set<std::string>> texts;
  for (const Point& point : points) {
    for (const auto* values : {&point.problem, &point.tunables}) {
      for (const auto& [name, value] : *values) texts[name].insert(to_text(value));
    }
    texts["layout"].insert(point.layout);
    texts["cache"].insert(std::string(to_string(point.measure.cache)));
  }
  std::vector<std::string> names;
  for (const auto& [name, different] : texts) {
    if (different.size() > 1) names.push_back(name);
  }
  return names;
}

const std::string head = "[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'grid'\n";

Labels findings_and_points(const std::string& keys) {
  Labels lines;
  const auto add = [&](const std::vector<Diagnostic>& found) {
    for (const Diagnostic& one : found) {
      const std::string text = to_text(one);
      lines.push_back(text.substr(7, text.find('\n') - 7));
    }
  };
  try {
    const TemporaryDirectory folder;
    folder.write("k.cu", "kernel\n");
    const Config config = parse_config(head + keys, "x.toml", {folder.path(), false});
    Catalogue tables = catalogue();
    add_own_kernels(tables, config);
    const std::vector<Diagnostic> found = validate(config, tables);
    add(found);
    if (has_errors(found)) return lines;
    const Expansion expansion = benchctl::expand(config, tables, lanes());
    add(expansion.warnings);
    const std::vector<Point>& points = expansion.points;
    Labels labels = short_labels(points, telling_names(points));
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(points[i].label().ends_with(points[i].apart.empty() ? "" : ' ' + points[i].apart));
      if (points.back().sweep > 0) labels[i] += fmt::format(" sweep={}", points[i].sweep);
      if (!points[i].apart.empty()) labels[i] += " " + points[i].apart;
      if (!points[i].reason.empty()) labels[i] += " (" + points[i].reason + ")";
    }
    const auto open = std::ranges::count(points, Status::not_run, &Point::status);
    lines.push_back(points.size() <= 12 ? fmt::format("{}", fmt::join(labels, ", "))
                                        : fmt::format("{} points, {} to measure", points.size(), open));
  } catch (const ConfigErrors& errors) {
    add(errors.diagnostics());
  }
  return lines;
}

}  // namespace

TEST_CASE(
    "what is wrong with a sweep is told with its place, and its axes, variants and lanes are points") {
  check_cases("sweep_cases.txt", findings_and_points);
}
