// Whatever a run has measured, every output names the same fastest, and one is named while a row has a
// time.
#include "report/explain.hpp"
#include "report/export.hpp"
#include "report/headline.hpp"
#include "report/page.hpp"
#include "report/stored_run.hpp"
#include "report/table.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <random>
#include <sstream>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t sets = 10'000;
/// JSON is read back of one set in so many: that takes longer than all the rest.
constexpr std::uint64_t sets_for_json = 50;

class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] bool chance(double share) { return std::bernoulli_distribution(share)(random_); }
  [[nodiscard]] int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

 private:
  std::mt19937_64 random_;
};

/// What may become of a point: stable, noisy, failed, above its roof, wrong as expected, doubted, of few
/// samples, of several processes.
Result with_fate(Result stored, Drawn& drawn) {
  if (drawn.chance(0.1)) {
    stored.row.point.status = drawn.chance(0.5) ? Status::skipped : Status::compile_error;
    stored.row.point.reason = "because";
    stored.measurement.reset();
    return stored;
  }
  if (drawn.chance(0.2)) stored.row.point.status = Status::unstable;
  if (drawn.chance(0.1)) stored.resources["roof_fraction"] = 1.5;
  if (drawn.chance(0.05)) stored.row.point.expect = Expect::wrong;
  if (drawn.chance(0.05)) stored.notes[std::string(audit_undecided_note)] = "as it is";
  if (drawn.chance(0.1)) stored.row.reused_from = PointId{7};
  if (drawn.chance(0.2)) stored.measurement->n_samples = static_cast<std::uint64_t>(drawn.between(1, 6));
  if (drawn.chance(0.1)) stored.measurement->processes = 4;
  return stored;
}

/// Some points of a run; rows are not stored. Medians are drawn from few, so that equal ones occur.
std::vector<Result> some_points(Drawn& drawn) {
  std::vector<Result> points;
  const int devices = drawn.between(1, 3);
  const int problems = drawn.between(1, 3);
  for (int problem = 0; problem < problems; ++problem) {
    for (int device = 0; device < devices; ++device) {
      const auto add = [&](const std::string& variant) {
        const double median = 100.0 * drawn.between(2, 9);
        Result stored = measured("gpu:" + std::to_string(device), variant, median, drawn.between(1, 200));
        stored.row.point.problem.set("n", std::int64_t{64} << problem);
        stored.row.cost.flops *= 1 << (3 * problem);
        if (variant == "vendor") stored.row.vendor = true;
        points.push_back(with_fate(std::move(stored), drawn));
      };
      if (drawn.chance(0.7)) add("naive");
      for (int tile = drawn.between(0, 3); tile > 0; --tile) {
        add("tiled");
        points.back().row.point.tunables = {{"tile", std::int64_t{1} << tile}};
      }
      if (drawn.chance(0.5)) add("vendor");
    }
  }
  return points;
}

/// Some groups were not compared, some verdicts are those of other rounds, reused rows had none.
void disturb(std::vector<Result>& points, Drawn& drawn) {
  for (Result& stored : points) {
    for (Comparison& comparison : stored.comparisons) {
      if (comparison.other == stored.row.ordinal) continue;
      if (drawn.chance(0.2))
        comparison.verdict = drawn.chance(0.5) ? stats::Verdict::slower : stats::Verdict::not_resolved;
      if (drawn.chance(0.1)) comparison.time_ratio *= 0.9;
    }
    if (stored.row.reused_from || drawn.chance(0.05)) stored.comparisons.clear();
    if (drawn.chance(0.2))
      stored.comparisons.push_back(
          {.against = Against::baseline, .label = "a", .verdict = stats::Verdict::faster});
  }
}

Report some_report(const Store& store, Drawn& drawn) {
  Report report;
  const int runs = drawn.chance(0.7) ? 1 : 2;
  for (int number = 0; number < runs; ++number) {
    ReportRun& run = report.runs.emplace_back();
    run.source.store = &store;
    run.label = "run " + std::to_string(number);
    run.row.id = RunId{number};
    run.row.title = drawn.chance(0.5) ? "Which tile?" : "Another";
    run.row.question = drawn.chance(0.3) ? "tile" : "";
    run.row.placed_at = "2025-01-0" + std::to_string(number + 1);
    run.row.state = RunState::complete;
    std::vector<Result> points = some_points(drawn);
    race(points, run.row.question);
    disturb(points, drawn);
    for (Result& stored : points) {
      stored.row.run = run.row.id;
      report.rows.push_back(std::move(stored));
      report.places.push_back({.run = static_cast<std::size_t>(number)});
    }
  }
  arrange(report);
  return report;
}

/// The mark before each point's number in the tables of a run.
std::map<std::uint64_t, char> marks_in(const std::string& tables) {
  std::map<std::uint64_t, char> marks;
  std::istringstream stream(tables);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || std::string_view("*= ").find(line[0]) == std::string_view::npos) continue;
    std::istringstream words(line.substr(1));
    if (std::uint64_t number = 0; words >> number) marks[number] = line[0];
  }
  return marks;
}

/// One fastest for each device and problem, which nothing beats, and places that follow from it.
void check_ranks(const Report& report) {
  std::map<std::pair<std::size_t, std::size_t>, std::array<std::size_t, 3>>
      found;  // competing, best, first
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const RowPlace& place = report.places[i];
    const Rank& rank = place.rank;
    if (rank.competes != (may_win(report.rows[i]) && !place.older)) FAIL("row " << i << " competes");
    if (rank.competes != (rank.place > 0)) FAIL("row " << i << " has place " << rank.place);
    if ((rank.place == 1) != (rank.best || rank.ties)) FAIL("row " << i << " is first, or is not");
    if ((rank.competes && rank.versus_best < 1) || (rank.best && rank.versus_best != 1))
      FAIL("row " << i << " beats the best");
    if (!report.rows[i].timed()) continue;
    auto& [competing, best, first] = found[{place.comparison, place.platform}];
    competing += rank.competes ? 1 : 0;
    best += rank.best ? 1 : 0;
    first += rank.place == 1 ? 1 : 0;
  }
  for (const auto& [key, counts] : found) {
    const auto& [competing, best, first] = counts;
    if (best != (competing > 0 ? 1 : 0) || first < best) FAIL("a device has " << best << " fastest");
  }
}

/// Of each device that has a time, a line; a winner is the one that the ranks name.
void check_headlines(const Report& report, const std::vector<Headline>& headlines) {
  std::set<std::pair<std::string, std::size_t>> timed;
  std::set<std::pair<std::string, std::size_t>> told;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const RowPlace& place = report.places[i];
    if (report.rows[i].timed() && !place.older) {
      timed.emplace(report.runs[place.run].title(), place.platform);
    }
  }
  for (const Headline& headline : headlines) {
    if (headline.asked().empty()) FAIL("a headline is empty");
    for (const HeadlineLine& line : headline.lines) {
      told.emplace(headline.title, line.platform);
      if (line.answer.empty()) FAIL("a device says nothing");
      if (!line.winner || headline.axis == "n") continue;
      const Rank& rank = report.places[*line.winner].rank;
      const bool several_titles =
          report.runs.size() > 1 && report.runs[0].title() != report.runs[1].title();
      if (!several_titles && !(rank.asked.competes ? rank.asked.best : rank.best))
        FAIL("another row is named");
    }
  }
  if (timed != told) FAIL("not every device with a time has an answer");
}

void check_json(const Report& report) {
  const nlohmann::json json = nlohmann::json::parse(report_json(report, {}));
  const nlohmann::json page = nlohmann::json::parse(page_data(report, {.samples = 0})).at("points");
  const auto in_page = [&](const char* name, std::size_t i) {
    const nlohmann::json& column = page.at(name);
    return column.is_array() ? column.at(i) : column;
  };
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Rank& rank = report.places[i].rank;
    const nlohmann::json& row = json.at("rows").at(i);
    if (row.at("rank") != (rank.place > 0 ? nlohmann::json(rank.place) : nlohmann::json()) ||
        row.at("fastest") != rank.best || row.at("fastest_own") != rank.own.best ||
        row.at("versus_best").is_null() != std::isnan(rank.versus_best)) {
      FAIL("JSON row " << i << " has another rank");
    }
    if (in_page("competes", i) != (rank.competes ? 1 : 0))
      FAIL("the page's row " << i << " has another rank");
    for (std::size_t other = 0; other < report.rows.size(); ++other) {
      const RowPlace& place = report.places[other];
      if (place.comparison != report.places[i].comparison || place.platform != report.places[i].platform)
        continue;
      if (rank.competes && place.rank.competes && rank.place < place.rank.place &&
          in_page("order", i) > in_page("order", other)) {
        FAIL("the page has row " << i << " behind " << other);
      }
    }
  }
}

/// Tables and explanations rank the rows of one run.
void check_run(const Report& report, Drawn& drawn) {
  for (const auto& [number, mark] : marks_in(problem_tables(report.rows, {}))) {
    const std::string_view expected = report.places[number].rank.mark();
    // In a table of many problems, a row that has no rival there has no mark.
    if (mark != (expected.empty() ? ' ' : expected[0]) && mark != ' ')
      FAIL("row " << number << ": " << mark);
    if (mark == ' ' && expected == "=") FAIL("row " << number << " has no mark");
  }
  if (report.rows.empty()) return;
  FoundPoint choice;
  choice.run = report.runs[0].row;
  choice.rows = report.rows;
  choice.index = static_cast<std::size_t>(drawn.between(0, static_cast<int>(report.rows.size()) - 1));
  const Rank& rank = report.places[choice.index].rank;
  for (const Finding& finding : explain_speed({choice, {}, {}})) {
    if (finding.topic != "rank" || !rank.competes) continue;
    if (finding.figures.at("place") != static_cast<double>(rank.place) ||
        finding.figures.at("versus_best") != rank.versus_best) {
      FAIL("`explain` says otherwise of row " << choice.index);
    }
  }
}

}  // namespace

TEST_CASE("property: all outputs agree on who is fastest, and one is named while a row has a time") {
  const TemporaryDirectory folder;
  const Store store = Store::open(folder.path() / "s.db");
  for (std::uint64_t seed = 0; seed < sets; ++seed) {
    INFO("seed " << seed);
    Drawn drawn(seed);
    const Report report = some_report(store, drawn);
    check_ranks(report);
    check_headlines(report, headlines_of(report));
    if (seed % sets_for_json == 0) check_json(report);
    if (report.runs.size() == 1) check_run(report, drawn);
  }
  SUCCEED("no set has disagreed");
}
