// Times of comparable points as tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "report/format.hpp"
#include "report/ranking.hpp"
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
  std::map<SharedParameters, std::size_t> places;  ///< of problems
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

std::string parameters_text(const Point& point) {
  std::string text = to_text(point.tunables);
  if (!point.layout.empty()) text += (text.empty() ? "" : " ") + ("layout=" + point.layout);
  return text;
}

/// More than a roof allows needs a word, unless the interval of the time explains it.
std::string roof_remark(const ResultRow& row) {
  const double share = row.metric("roof_fraction");
  if (!(share > 1)) return {};
  const double width = row.relative_half_width();
  const bool beyond = share * (1 - (std::isnan(width) ? 0 : width)) > 1;
  return beyond ? "above its roof: see explain" : "at its roof";
}

/// The highest clock that a row of each device was measured at, MHz.
using Clocks = std::map<std::string, double, std::less<>>;

Clocks highest_clocks(std::span<const ResultRow> rows) {
  Clocks highest;
  for (const ResultRow& row : rows) {
    double& clock = highest[row.point().device];
    clock = std::max(clock, row.metric("sm_clock"));
  }
  return highest;
}

std::string clock_remark(const ResultRow& row, const Clocks& highest) {
  const double clock = row.metric("sm_clock");
  const double best = highest.at(row.point().device);
  return clock < best / 2 ? fmt::format("clock {:.0f} of {:.0f} MHz", clock, best) : "";
}

std::string remarks(const ResultRow& row, const Rank& rank, const Clocks& clocks) {
  std::string text;
  const auto add = [&](const std::string& remark) { text += (text.empty() ? "" : ", ") + remark; };
  if (row.stored.row.vendor) add("vendor");
  if (const std::string threads = row.threads(); rank.threads_differ && !threads.empty()) add(threads);
  if (row.point().expect == Expect::wrong) add("wrong, as expected");
  if (row.point().status == Status::unstable) add("unstable");
  if (row.dependent()) {
    add("dependent: no interval claimed");
  } else if (!row.interval().known()) {
    add(fmt::format("n={}", row.stored.measurement->n_samples));
  }
  if (const std::string modes = row.modes_text(); !modes.empty()) add(modes);
  if (row.stored.row.reused_from) add("reused");
  if (const std::string roof = roof_remark(row); !roof.empty()) add(roof);
  if (const double count = row.metric("throttled_samples"); count > 0)
    add(fmt::format("{} throttled", count));
  if (const double count = row.metric("power_capped_samples"); count > 0) {
    add(fmt::format("{} power-capped", count));
  }
  if (const std::string clock = clock_remark(row, clocks); !clock.empty()) add(clock);
  if (rank.unresolved) add("not resolved, allow more time");
  return text;
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
                                     {&ResultRow::requested_gbytes_per_s, "GB/s asked for"}}};

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

/// Of products and the like: their variants differ in how often they load each value.
std::string asked_for(const ResultRow& row) {
  const double gigabytes = row.metric("requested_bytes") / 1e9;
  return if_known(row.gflops * gigabytes, format_significant(gigabytes, 3));
}

/// How many times the predicted time it took.
std::string versus_predicted(const ResultRow& row) {
  const double ratio = row.stored.measurement->median_ns / row.metric("predicted_ns");
  return if_known(ratio, format_significant(ratio, 3) + "×");
}

/// How many times as fast as the baseline, with the interval.
std::string speed_text(const ResultRow& row) {
  if (!row.stored.comparison) return {};
  const Comparison& comparison = *row.stored.comparison;
  if (!(comparison.time_ratio > 0)) return {};
  const std::string speed = fmt::format("{:.3f}×", 1 / comparison.time_ratio);
  if (std::isnan(comparison.ci_low)) return speed;
  return fmt::format("{} [{:.3f}, {:.3f}]", speed, 1 / comparison.ci_high, 1 / comparison.ci_low);
}

std::string verdict_text(const ResultRow& row) {
  if (!row.stored.comparison) return {};
  for (const stats::VerdictInfo& verdict : stats::verdict_table) {
    if (verdict.id == row.stored.comparison->verdict) return std::string(verdict.label);
  }
  return row.stored.comparison->verdict;
}

std::string share_text(const ResultRow& row, std::string_view id) {
  const double share = row.metric(id);
  return if_known(share, format_percent(share));
}

/// One table over some problems; `varying` are the problem parameters that tell them apart.
TextTable make_table(const std::vector<Comparable>& problems, const std::set<std::string>& varying,
                     const Clocks& clocks) {
  struct Entry {
    const ResultRow* row;
    Rank rank;
  };
  std::vector<const ResultRow*> rows;
  std::map<const ResultRow*, Rank> ranks;
  for (const Comparable& problem : problems) {
    const std::vector<Rank> own = rank_by_device(problem.rows);
    std::map<std::string, int> rivals;
    for (const ResultRow* row : problem.rows) ++rivals[row->point().device];
    for (std::size_t i = 0; i < own.size(); ++i) {
      const bool alone = !varying.empty() && rivals[problem.rows[i]->point().device] < 2;
      ranks[problem.rows[i]] =
          alone ? Rank{.fastest = false, .versus_best = std::nan(""), .best = false, .unresolved = false}
                : own[i];
      rows.push_back(problem.rows[i]);
    }
  }
  gather_devices(rows);
  const Rate& rate = rate_of(rows);
  TextTable table({{""},
                   {"#", true},
                   {"device"},
                   {"problem"},
                   {"variant"},
                   {"parameters"},
                   {"median", true},
                   {"±", true},
                   TextColumn::named(std::string(rate.head), true).optional(2),
                   TextColumn("GB asked for", true).optional(8),
                   TextColumn("cycles", true).optional(3),
                   {"vs best", true},
                   {"speed vs baseline", true},
                   {"verdict"},
                   TextColumn("of roof", true).optional(1),
                   TextColumn("predicted", true).optional(7),
                   TextColumn("vs predicted", true).optional(6),
                   TextColumn("sector use", true).optional(5),
                   TextColumn("conflicts", true).optional(4),
                   {"remarks"}});
  for (const ResultRow* row : rows) {
    Parameters own;
    for (const auto& [name, value] : row->point().problem) {
      if (varying.contains(name)) own.emplace(name, value);
    }
    const Rank& rank = ranks[row];
    const double width = row->relative_half_width();
    table.add({rank.fastest ? "*" : "",
               fmt::format("{}", row->stored.row.ordinal),
               row->point().device,
               to_text(own),
               row->point().variant,
               parameters_text(row->point()),
               format_duration(row->stored.measurement->median_ns),
               if_known(width, format_percent(width)),
               rate_text(*row, rate),
               asked_for(*row),
               metric_text(*row, "cycles_per_access", 4),
               if_known(rank.versus_best, format_significant(rank.versus_best, 3) + "×"),
               speed_text(*row),
               verdict_text(*row),
               share_text(*row, "roof_fraction"),
               if_known(row->metric("predicted_ns"), format_duration(row->metric("predicted_ns"))),
               versus_predicted(*row),
               share_text(*row, "sector_efficiency"),
               metric_text(*row, "conflict_degree", 3),
               remarks(*row, rank, clocks)},
              rank.fastest);
  }
  return table;
}

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

std::string heading(const TableKey& key, const Parameters& common, bool markdown) {
  const std::string problem = to_text(common);
  const std::string title =
      first_line_in(problem.empty() ? key.workload : key.workload + "  " + problem, markdown);
  const std::string basis = fmt::format("{}; cache {}, launch {}", basis_text(key.basis),
                                        to_string(key.cache), to_string(key.launch));
  return markdown ? fmt::format("### {}\n\n{}\n\n", title, basis) : fmt::format("{}\n{}\n", title, basis);
}

std::string table_text(const TableKey& key, const std::vector<Comparable>& problems,
                       const std::set<std::string>& varying, const Clocks& clocks,
                       const TableOptions& options) {
  Parameters common = problems.front().parameters;
  for (const std::string& name : varying) common.erase(name);
  const TextTable table = make_table(problems, varying, clocks);
  return heading(key, common, options.markdown) +
         (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
}

}  // namespace

std::string problem_tables(std::span<const ResultRow> rows, const TableOptions& options) {
  std::string text;
  const Clocks clocks = highest_clocks(rows);
  for (const Family& family : families(rows)) {
    if (belongs_together(family)) {
      text += table_text(family.key, family.problems, varying_parameters(family), clocks, options);
      continue;
    }
    for (const Comparable& problem : family.problems)
      text += table_text(family.key, {problem}, {}, clocks, options);
  }
  return text;
}

}  // namespace benchctl
