// Times of comparable points as tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "report/answers.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/remarks.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"
#include "stats/verdict.hpp"

namespace benchctl {

namespace {

/// What points must share to stand in one table at all.
struct TableKey {
  std::string workload;
  CacheMode cache{};
  LaunchMode launch{};
  Basis basis{};

  auto operator<=>(const TableKey&) const = default;
};

/// Points that can be compared with each other.
struct Comparable {
  SharedParameters parameters;
  std::vector<const ResultRow*> rows;
};

struct Family {
  TableKey key;
  std::vector<Comparable> problems;
  std::map<SharedParameters, std::size_t> places;  ///< place of each problem in `problems`
};

TableKey key_of(const Point& point) {
  return {point.workload, point.measure.cache, point.measure.launch, point.measure.basis};
}

std::vector<Family> families(std::span<const ResultRow> rows) {
  std::vector<Family> all;
  std::map<TableKey, std::size_t> places;
  for (const ResultRow& row : rows) {
    if (!row.timed()) continue;
    const TableKey key = key_of(row.point());
    const auto [family_place, new_family] = places.try_emplace(key, all.size());
    if (new_family) all.push_back({key, {}, {}});
    Family& family = all[family_place->second];
    const SharedParameters& parameters = row.point().problem;
    const auto [place, fresh] = family.places.try_emplace(parameters, family.problems.size());
    if (fresh) family.problems.push_back({parameters, {}});
    family.problems[place->second].rows.push_back(&row);
  }
  return all;
}

/// Rows of a device together, devices and rows in the order in which they come.
void gather_devices(std::vector<const ResultRow*>& rows) {
  std::vector<std::string> devices;
  for (const ResultRow* row : rows) {
    if (std::ranges::find(devices, row->point().device) == devices.end()) {
      devices.push_back(row->point().device);
    }
  }
  std::ranges::stable_sort(rows, {}, [&](const ResultRow* row) {
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

std::string if_known(double number, const std::string& text) {
  return std::isnan(number) ? std::string() : text;
}

/// The one kind of rate that a table shows: the first of these that one of its rows has.
struct Rate {
  double ResultRow::*value;
  std::string_view head;
};
constexpr std::array<Rate, 4> rates{{{&ResultRow::ns_per_access, "ns/access"},
                                     {&ResultRow::gflops, "GFLOP/s"},
                                     {&ResultRow::gbytes_per_s, "GB/s"},
                                     {&ResultRow::requested_gbytes_per_s, "requested GB/s"}}};

const Rate& rate_of(const std::vector<const ResultRow*>& rows) {
  const auto found = std::ranges::find_if(rates, [&](const Rate& rate) {
    return std::ranges::any_of(rows, [&](const ResultRow* row) { return !std::isnan(row->*rate.value); });
  });
  return found != rates.end() ? *found : rates[2];
}

std::string rate_text(const ResultRow& row, const Rate& rate) {
  const double number = row.*rate.value;
  return if_known(number, format_significant(number));
}

std::string metric_text(const ResultRow& row, std::string_view id, int digits) {
  const double value = row.metric(id);
  return if_known(value, format_significant(value, digits));
}

/// For products and the like, whose variants differ in how often they load each value.
std::string requested(const ResultRow& row) {
  const double gigabytes = row.metric("requested_bytes") / 1e9;
  return if_known(row.gflops * gigabytes, format_significant(gigabytes, 3));
}

/// How many times the predicted time it took.
std::string versus_predicted(const ResultRow& row) {
  const double ratio = row.stored.measurement->median_ns / row.metric("predicted_ns");
  return if_known(ratio, format_significant(ratio, 3) + "×");
}

/// How many times as fast as the baseline, with the interval.
std::string speed_text(const Comparison* comparison) {
  if (comparison == nullptr || !(comparison->time_ratio > 0)) return {};
  const std::string speed = fmt::format("{:.3f}×", 1 / comparison->time_ratio);
  if (std::isnan(comparison->ci_low)) return speed;
  return fmt::format("{} ({:.3f}–{:.3f})", speed, 1 / comparison->ci_high, 1 / comparison->ci_low);
}

std::string verdict_text(const Comparison* comparison) {
  if (comparison == nullptr) return {};
  const auto* const found =
      std::ranges::find(stats::verdict_table, comparison->verdict, &stats::VerdictInfo::id);
  return found != stats::verdict_table.end() ? std::string(found->label) : comparison->verdict;
}

std::string share_text(const ResultRow& row, std::string_view id) {
  const double share = row.metric(id);
  return if_known(share, format_percent(share));
}

/// What tables of one run have in common: what they say below them.
class Tables {
 public:
  Tables(std::span<const ResultRow> rows, const TableOptions& options)
      : rows_(rows), options_(options), remarks_(rows) {
    for (const ResultRow& row : rows) words_.add(row.point());
  }

  /// One table over some problems; `varying` are the problem parameters that tell them apart.
  std::string text(const TableKey& key, const std::vector<Comparable>& problems,
                   const std::set<std::string>& varying) {
    Parameters common = problems.front().parameters;
    for (const std::string& name : varying) common.erase(name);
    const TextTable table = make(problems, varying);
    return heading(key, common) +
           (options_.markdown ? table.markdown()
                              : table.text(options_.colours, options_.width, &left_out_)) +
           '\n';
  }

  /// Explains what occurred.
  [[nodiscard]] std::string legend() const {
    Names lines;
    if (marks_.contains("*")) {
      lines.emplace_back("*: the fastest of its device, or the fastest that is not a vendor library.");
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
                      to_number(rows_.front().stored.row.run)));
    }
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    text += remarks_.legend();
    if (options_.markdown) return markdown_list(text);
    return left_out_.empty() ? text : text + left_out_text(left_out_, options_.width);
  }

 private:
  TextTable make(const std::vector<Comparable>& problems, const std::set<std::string>& varying) {
    std::vector<const ResultRow*> rows;
    std::map<const ResultRow*, Rank> ranks;
    for (const Comparable& problem : problems) {
      const std::vector<Rank> own = rank(problem.rows);
      std::map<std::string, int> rivals;
      for (const ResultRow* row : problem.rows) ++rivals[row->point().device];
      for (std::size_t i = 0; i < own.size(); ++i) {
        const bool alone = !varying.empty() && rivals[problem.rows[i]->point().device] < 2;
        ranks[problem.rows[i]] = alone ? Rank{} : own[i];
        rows.push_back(problem.rows[i]);
      }
    }
    gather_devices(rows);
    const Rate& rate = rate_of(rows);
    TextTable table({{""},
                     {"#", true},
                     TextColumn("device").heading(),
                     {"problem"},
                     {"variant"},
                     {"median", true},
                     {"range", true},
                     {"vs best", true},
                     TextColumn::named(std::string(rate.head), true).optional(2),
                     TextColumn("requested GB", true).optional(9),
                     TextColumn("cycles", true).optional(4),
                     {"speed vs baseline", true},
                     {"verdict"},
                     TextColumn("of roof", true).optional(1),
                     TextColumn("predicted", true).optional(8),
                     TextColumn("vs predicted", true).optional(7),
                     TextColumn("sector use", true).optional(6),
                     TextColumn("conflicts", true).optional(5),
                     {"remarks"}});
    for (const ResultRow* row : rows) {
      Parameters own;
      for (const auto& [name, value] : row->point().problem) {
        if (varying.contains(name)) own.emplace(name, value);
      }
      const Rank& rank = ranks[row];
      const Measurement& m = *row->stored.measurement;
      const Comparison* baseline = row->stored.compared(Against::baseline);
      marks_.insert(rank.mark());
      ranges_.insert(range_of(m).kind);
      table.add({std::string(rank.mark()), fmt::format("{}", row->stored.row.ordinal), row->point().device,
                 to_text(own), options_.markdown ? variant_text(*row) : words_.variant(row->point()),
                 format_duration(m.median_ns), format_range(m),
                 if_known(rank.versus_best, format_significant(rank.versus_best, 3) + "×"),
                 rate_text(*row, rate), requested(*row), metric_text(*row, "cycles_per_access", 4),
                 speed_text(baseline), verdict_text(baseline), share_text(*row, "roof_fraction"),
                 if_known(row->metric("predicted_ns"), format_duration(row->metric("predicted_ns"))),
                 versus_predicted(*row), share_text(*row, "sector_efficiency"),
                 metric_text(*row, "conflict_degree", 3),
                 remarks_.of(*row, rank, options_.width > 0 && options_.width < roomy)},
                rank.mark() == "*");
    }
    return table;
  }

  std::string heading(const TableKey& key, const Parameters& common) {
    const std::string problem = to_text(common);
    const std::string title =
        first_line_in(problem.empty() ? key.workload : key.workload + "  " + problem, options_.markdown);
    const std::string basis = fmt::format("{}; cache {}, launch {}", basis_text(key.basis),
                                          to_string(key.cache), to_string(key.launch));
    if (options_.markdown) return fmt::format("### {}\n\n{}\n\n", title, basis);
    // Said again only where it changes.
    const bool same = std::exchange(basis_, basis) == basis;
    return same ? title + '\n' : fmt::format("{}\n{}\n", title, basis);
  }

  /// With fewer columns remarks leave out their figures.
  static constexpr std::size_t roomy = 100;

  std::span<const ResultRow> rows_;
  const TableOptions& options_;
  Remarks remarks_;
  PointWords words_;  ///< in a terminal, tunables that vary; a document has them all
  Names left_out_;
  std::set<std::string_view> marks_;
  std::set<TimeRange::Kind> ranges_;
  std::string basis_;  ///< the basis of the table before
};

/// Many problems with a row or two for each device, as a sweep over a problem parameter has them, are read
/// down one column; few problems with many rivals are read one after the other.
bool belongs_together(const Family& family) {
  if (family.problems.size() < 3) return false;
  std::size_t rows = 0;
  std::size_t races = 0;
  for (const Comparable& problem : family.problems) {
    std::set<std::string> devices;
    for (const ResultRow* row : problem.rows) devices.insert(row->point().device);
    rows += problem.rows.size();
    races += devices.size();
  }
  return rows <= 2 * races;
}

std::set<std::string> varying_parameters(const Family& family) {
  std::set<std::string> names;
  const Parameters& first = family.problems.front().parameters;
  for (const Comparable& problem : family.problems) {
    for (const auto& [name, value] : problem.parameters) {
      const auto same = first.find(name);
      if (same == first.end() || same->second != value) names.insert(name);
    }
  }
  return names;
}

}  // namespace

std::string problem_tables(std::span<const ResultRow> rows, const TableOptions& options) {
  std::string text;
  Tables tables(rows, options);
  for (const Family& family : families(rows)) {
    if (belongs_together(family)) {
      text += tables.text(family.key, family.problems, varying_parameters(family));
      continue;
    }
    for (const Comparable& problem : family.problems) text += tables.text(family.key, {problem}, {});
  }
  return text.empty() ? text : text + tables.legend();
}

}  // namespace benchctl
