// Times of comparable points as tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "model/keys.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/point_names.hpp"
#include "report/remarks.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"

namespace benchctl {

namespace {

/// Points of one problem that can be compared with each other: at least one.
using Rivals = std::vector<const Result*>;

/// Problems of one workload that are measured in the same way: they may stand in one table.
struct Family {
  std::string workload;
  MeasureKey measure;
  std::vector<Rivals> problems;
};

std::vector<Family> families(std::span<const Result> rows) {
  std::vector<Family> all;
  std::map<std::pair<std::string, MeasureKey>, std::size_t> numbers;
  std::unordered_map<RivalKey, std::size_t, KeyHash> places;  ///< each problem's number in its family
  for (const Result& row : rows) {
    if (!row.timed()) continue;
    RivalKey key(row.point());
    const auto [number, new_family] = numbers.try_emplace({key.problem.workload, key.measure}, all.size());
    if (new_family) all.push_back({key.problem.workload, key.measure, {}});
    std::vector<Rivals>& problems = all[number->second].problems;
    const auto [place, fresh] = places.try_emplace(std::move(key), problems.size());
    if (fresh) problems.emplace_back();
    problems[place->second].push_back(&row);
  }
  return all;
}

/// Rows of a device together, devices and rows in the order in which they come.
void gather_devices(Rivals& rows) {
  Names devices;
  for (const Result* row : rows) add_once(devices, row->point().device);
  std::ranges::stable_sort(rows, {}, [&](const Result* row) {
    return std::ranges::find(devices, row->point().device) - devices.begin();
  });
}

std::string basis_text(Basis basis) {
  switch (basis) {
    case Basis::device:
      return "time on the device (basis device)";
    case Basis::host_sync:
      return "host clock around launch and synchronisation (basis host_sync)";
    case Basis::end_to_end:
      return "upload, execution and download on the host clock (basis end_to_end)";
  }
  return {};
}

/// The rate that a table shows: the first of these that one of its rows has.
struct Rate {
  std::string_view metric;
  std::string_view head;
};
constexpr std::array<Rate, 4> rates{{{"ns_per_access", "ns/access"},
                                     {"gflops", "GFLOP/s"},
                                     {"gbytes_per_s", "GB/s"},
                                     {"requested_gbytes_per_s", "requested GB/s"}}};

const Rate& rate_of(const std::vector<const Result*>& rows) {
  const auto found = std::ranges::find_if(rates, [&](const Rate& rate) {
    return std::ranges::any_of(rows,
                               [&](const Result* row) { return !std::isnan(row->metric(rate.metric)); });
  });
  return found != rates.end() ? *found : rates[2];
}

/// Does it do too little with a byte for memory to be out of the question? Devices do ten operations or
/// more in the time that a byte takes.
bool may_wait_for_memory(const Result& row) {
  const Cost& cost = row.row.cost;
  return cost.flops < 10 * cost.bytes();
}

/// How many times as fast as the baseline, with the interval.
std::string speed_text(const Comparison& comparison) {
  if (!(comparison.time_ratio > 0)) return {};
  const std::string speed = fmt::format("{:.3f}×", 1 / comparison.time_ratio);
  if (std::isnan(comparison.ci_low)) return speed;
  return fmt::format("{} ({:.3f}–{:.3f})", speed, 1 / comparison.ci_high, 1 / comparison.ci_low);
}

/// What tables of one run have in common: what they say below them.
class Tables {
 public:
  Tables(std::span<const Result> rows, const TableOptions& options)
      : rows_(rows), options_(options), remarks_(rows) {
    for (const Result& row : rows) words_.add(row.point());
  }

  /// One table over some problems; `varying` are the problem parameters that tell them apart.
  std::string text(const Family& family, const std::vector<Rivals>& problems,
                   const std::set<std::string>& varying) {
    Parameters common = problems.front().front()->point().problem;
    for (const std::string& name : varying) common.erase(name);
    const TextTable table = make(problems, varying);
    std::string text =
        heading(family, common) +
        (options_.markdown ? table.markdown() : table.text(options_.colours, options_.width, &left_out_));
    const std::string note = "*: the fastest by common rounds, though another row has a smaller median.\n";
    if (by_rounds_) text += options_.markdown ? '\n' + markdown_list(note) : note;
    return text + '\n';
  }

  /// Explains what occurred.
  [[nodiscard]] std::string legend() const {
    Names lines;
    if (marks_.contains("*")) {
      lines.push_back(
          fmt::format("*: the fastest of its device{}, or the fastest that is not a vendor library.",
                      options_.several_runs ? " in this run" : ""));
    }
    if (marks_.contains("=")) lines.emplace_back("=: a tie with it: not shown slower.");
    if (ranges_.contains(TimeRange::Kind::processes)) {
      lines.emplace_back("range: 95 % interval over the processes.");
    } else if (ranges_.contains(TimeRange::Kind::middle)) {
      lines.emplace_back("range: the middle nine tenths of the samples.");
    }
    if (!rows_.empty() && !options_.markdown) {
      lines.push_back(
          fmt::format("#: `benchctl explain {0}:#` says more, `benchctl replay {0}:#` runs it again.",
                      to_number(rows_.front().row.run)));
    }
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    text += remarks_.legend();
    if (options_.markdown) return markdown_list(text);
    return left_out_.empty() ? text : text + left_out_text(left_out_, options_.width);
  }

 private:
  TextTable make(const std::vector<Rivals>& problems, const std::set<std::string>& varying) {
    Rivals rows;
    std::map<const Result*, Rank> ranks;
    for (const Rivals& problem : problems) {
      const std::vector<Rank> own = rank(problem);
      std::map<std::string, int> rivals;
      for (const Result* row : problem) ++rivals[row->point().device];
      for (std::size_t i = 0; i < own.size(); ++i) {
        const bool alone = !varying.empty() && rivals[problem[i]->point().device] < 2;
        ranks[problem[i]] = alone ? Rank{} : own[i];
        rows.push_back(problem[i]);
      }
    }
    gather_devices(rows);
    by_rounds_ = false;
    const std::vector<Column<Ranked>> columns = columns_for(rate_of(rows), varying);
    TextTable table(heads_of(columns));
    for (const Result* row : rows) {
      const Rank& rank = ranks[row];
      marks_.insert(rank.mark());
      by_rounds_ |= rank.by_rounds || rank.own.by_rounds;
      ranges_.insert(range_of(*row->measurement).kind);
      table.add_cells(cells_of(columns, {*row, rank}), rank.mark() == "*");
    }
    return table;
  }

  /// A row of a table.
  struct Ranked {
    const Result& result;
    const Rank& rank;
  };

  std::vector<Column<Ranked>> columns_for(const Rate& rate, const std::set<std::string>& varying) {
    const auto figure = [](std::string_view metric, Hint hint) {
      return [metric, hint](const Ranked& row) { return Cell(row.result.metric(metric), hint); };
    };
    const auto of_baseline = [](std::string (*text)(const Comparison&)) {
      return [text](const Ranked& row) {
        const Comparison* baseline = row.result.compared(Against::baseline);
        return baseline != nullptr ? text(*baseline) : std::string();
      };
    };
    return {{{""}, [](const Ranked& row) { return std::string(row.rank.mark()); }},
            {{"#", true}, [](const Ranked& row) { return fmt::format("{}", row.result.row.ordinal); }},
            {TextColumn("device").heading(), [](const Ranked& row) { return row.result.point().device; }},
            {{"problem"},
             [&varying](const Ranked& row) {
               Parameters own = row.result.point().problem;
               std::erase_if(own,
                             [&](const auto& parameter) { return !varying.contains(parameter.first); });
               return to_text(own);
             }},
            {{"variant"},
             [this](const Ranked& row) {
               return options_.markdown ? variant_text(row.result) : words_.variant(row.result.point());
             }},
            {{"median", true}, figure("median_ns", Hint::time)},
            {{"range", true}, [](const Ranked& row) { return format_range(*row.result.measurement); }},
            {{"vs best", true}, [](const Ranked& row) { return Cell(row.rank.versus_best, Hint::ratio); }},
            {TextColumn::named(std::string(rate.head), true).optional(2), figure(rate.metric, Hint::rate)},
            {TextColumn("GB/s", true).optional(9),
             [&rate](const Ranked& row) {
               const bool beside = rate.metric == "gflops" && may_wait_for_memory(row.result);
               return beside ? Cell(row.result.metric("gbytes_per_s"), Hint::rate) : Cell();
             }},
            {TextColumn("cycles", true).optional(4), figure("cycles_per_access", Hint::rate)},
            {{"speed vs baseline", true}, of_baseline(speed_text)},
            {{"verdict"}, of_baseline(verdict_word)},
            {TextColumn("of roof", true).optional(1), figure("roof_fraction", Hint::share)},
            {TextColumn("predicted", true).optional(8), figure("predicted_ns", Hint::time)},
            {TextColumn("vs predicted", true).optional(7),
             [](const Ranked& row) {
               return Cell(median_of(row.result) / row.result.metric("predicted_ns"), Hint::ratio);
             }},
            {TextColumn("sector use", true).optional(6), figure("sector_efficiency", Hint::share)},
            {TextColumn("conflicts", true).optional(5), figure("conflict_degree", Hint::number)},
            {{"remarks"}, [this](const Ranked& row) {
               return remarks_.of(row.result, row.rank, options_.width > 0 && options_.width < roomy);
             }}};
  }

  std::string heading(const Family& family, const Parameters& common) {
    const std::string problem = to_text(common);
    const std::string title = first_line_in(
        problem.empty() ? family.workload : family.workload + "  " + problem, options_.markdown);
    const std::string basis =
        fmt::format("{}; cache {}, launch {}", basis_text(family.measure.basis),
                    to_string(family.measure.cache), to_string(family.measure.launch));
    if (options_.markdown) return fmt::format("### {}\n\n{}\n\n", title, basis);
    // Said again only where it changes.
    const bool same = std::exchange(basis_, basis) == basis;
    return same ? title + '\n' : fmt::format("{}\n{}\n", title, basis);
  }

  /// With fewer columns remarks leave out their figures.
  static constexpr std::size_t roomy = 100;

  std::span<const Result> rows_;
  const TableOptions& options_;
  Remarks remarks_;
  PointWords words_;  ///< in a terminal, tunables that vary; a document has them all
  Names left_out_;
  std::set<std::string_view> marks_;
  std::set<TimeRange::Kind> ranges_;
  std::string basis_;       ///< the basis of the table before
  bool by_rounds_ = false;  ///< the latest table marks a row whose median another undercuts
};

/// Many problems with a row or two for each device, as a sweep over a problem parameter has them, are read
/// down one column; few problems with many rivals are read one after the other.
bool belongs_together(const Family& family) {
  if (family.problems.size() < 3) return false;
  std::size_t rows = 0;
  std::size_t races = 0;
  for (const Rivals& problem : family.problems) {
    std::set<std::string> devices;
    for (const Result* row : problem) devices.insert(row->point().device);
    rows += problem.size();
    races += devices.size();
  }
  return rows <= 2 * races;
}

std::set<std::string> varying_parameters(const Family& family) {
  std::set<std::string> names;
  const Parameters& first = family.problems.front().front()->point().problem;
  for (const Rivals& problem : family.problems) {
    for (const auto& [name, value] : problem.front()->point().problem) {
      const auto same = first.find(name);
      if (same == first.end() || same->second != value) names.insert(name);
    }
  }
  return names;
}

}  // namespace

std::string problem_tables(std::span<const Result> rows, const TableOptions& options) {
  std::string text;
  Tables tables(rows, options);
  for (const Family& family : families(rows)) {
    if (belongs_together(family)) {
      text += tables.text(family, family.problems, varying_parameters(family));
      continue;
    }
    for (const Rivals& problem : family.problems) text += tables.text(family, {problem}, {});
  }
  return text.empty() ? text : text + tables.legend();
}

}  // namespace benchctl
