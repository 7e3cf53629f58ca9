#include "report/table.hpp"

#include "report/format.hpp"
#include "report/ranking.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace benchctl {

namespace {

/// What points must share to stand in one table.
struct TableKey {
  std::string workload;
  Parameters problem;
  CacheMode cache{};
  LaunchMode launch{};
  Basis basis{};

  bool operator==(const TableKey&) const = default;
};

struct ProblemTable {
  TableKey key;
  std::vector<const ResultRow*> rows;
};

TableKey key_of(const Point& point) {
  return {point.workload, point.problem, point.measure.cache, point.measure.launch, point.measure.basis};
}

std::vector<ProblemTable> split(const std::vector<ResultRow>& rows) {
  std::vector<ProblemTable> tables;
  for (const ResultRow& row : rows) {
    if (!row.timed()) continue;
    const TableKey key = key_of(row.point());
    // Points of one problem are mostly neighbours: look from the end.
    const auto found = std::find_if(tables.rbegin(), tables.rend(),
                                    [&](const ProblemTable& table) { return table.key == key; });
    ProblemTable& table = found != tables.rend() ? *found : tables.emplace_back(ProblemTable{key, {}});
    table.rows.push_back(&row);
  }
  return tables;
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

std::string remarks(const ResultRow& row) {
  std::string text;
  const auto add = [&](const std::string& remark) { text += (text.empty() ? "" : ", ") + remark; };
  if (row.stored.row.vendor) add("vendor");
  if (row.point().expect == Expect::wrong) add("wrong, as expected");
  if (row.point().status == Status::unstable) add("unstable");
  if (!row.interval().known()) add(fmt::format("n={}", row.stored.measurement->n_samples));
  if (row.stored.row.reused_from) add("reused");
  return text;
}

std::string if_known(double number, const std::string& text) {
  return std::isnan(number) ? std::string() : text;
}

TextTable make_table(const ProblemTable& problem) {
  // One kind of rate per table: bytes only where nothing counts flops.
  const bool flops =
      std::ranges::any_of(problem.rows, [](const ResultRow* row) { return !std::isnan(row->gflops); });
  TextTable table({{""},
                   {"device"},
                   {"variant"},
                   {"parameters"},
                   {"median", true},
                   {"±", true},
                   {flops ? "GFLOP/s" : "GB/s", true},
                   {"vs best", true},
                   {"remarks"}});
  const std::vector<Rank> ranks = rank_by_device(problem.rows);
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const ResultRow& row = *problem.rows[i];
    const double rate = flops ? row.gflops : row.gbytes_per_s;
    const double width = row.relative_half_width();
    table.add(
        {ranks[i].fastest ? "*" : "", row.point().device, row.point().variant, parameters_text(row.point()),
         format_duration(row.stored.measurement->median_ns), if_known(width, format_percent(width)),
         if_known(rate, format_significant(rate)),
         if_known(ranks[i].versus_best, format_significant(ranks[i].versus_best, 3) + "×"), remarks(row)},
        ranks[i].fastest);
  }
  return table;
}

std::string heading(const TableKey& key, bool markdown) {
  const std::string problem = to_text(key.problem);
  const std::string title = problem.empty() ? key.workload : key.workload + "  " + problem;
  const std::string basis = fmt::format("{}; cache {}, launch {}", basis_text(key.basis),
                                        to_string(key.cache), to_string(key.launch));
  return markdown ? fmt::format("### {}\n\n{}\n\n", title, basis) : fmt::format("{}\n{}\n", title, basis);
}

constexpr std::string_view legend =
    "* fastest of its device, and fastest that is no vendor's; what cannot be told apart from it, too.\n"
    "± half the 95 % confidence interval of the median.\n";

}  // namespace

std::string problem_tables(const std::vector<ResultRow>& rows, const TableOptions& options) {
  std::string text;
  for (ProblemTable& problem : split(rows)) {
    gather_devices(problem.rows);
    const TextTable table = make_table(problem);
    text += heading(problem.key, options.markdown);
    text += options.markdown ? table.markdown() : table.text(options.colours);
    text += '\n';
  }
  return text;
}

std::string untimed_points(const std::vector<ResultRow>& rows, const TableOptions& options) {
  struct Reason {
    Status status{};
    std::string text;
    std::vector<std::string> labels;
  };
  std::vector<Reason> reasons;
  for (const ResultRow& row : rows) {
    if (row.timed()) continue;
    const Point& point = row.point();
    auto found = std::ranges::find_if(reasons, [&](const Reason& reason) {
      return reason.status == point.status && reason.text == point.reason;
    });
    if (found == reasons.end()) found = reasons.insert(found, {point.status, point.reason, {}});
    found->labels.push_back(point.label());
  }
  if (reasons.empty()) return {};
  constexpr std::size_t labels_shown = 3;
  const std::string_view bullet = options.markdown ? "- " : "  ";
  std::string text = options.markdown ? "### Without times\n\n" : "without times\n";
  for (const Reason& reason : reasons) {
    const std::string why = first_line(reason.text);
    text += fmt::format("{}{} × {}{}{}\n", bullet, reason.labels.size(), to_string(reason.status),
                        why.empty() ? "" : ": ", why);
    for (std::size_t i = 0; i < std::min(labels_shown, reason.labels.size()); ++i) {
      text += fmt::format("    {}{}\n", options.markdown ? "- " : "", reason.labels[i]);
    }
    if (reason.labels.size() > labels_shown) {
      text += fmt::format("    {}and {} more\n", options.markdown ? "- " : "",
                          reason.labels.size() - labels_shown);
    }
  }
  return text + '\n';
}

std::string count_text(const StatusCounts& counts) {
  const auto total =
      std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
  std::string text = fmt::format("{} point{}", format_count(total), total == 1 ? "" : "s");
  std::string_view separator = ": ";
  for (const auto& [status, count] : counts) {
    text += fmt::format("{}{} {}", separator, format_count(count), to_string(status));
    separator = ", ";
  }
  return text;
}

std::string result_table(const Store& store, RunId id, const TableOptions& options) {
  const std::optional<RunRow> run = store.run(id);
  if (!run) {
    throw StoreError(fmt::format("the store '{}' has no run {}", store.path().string(), to_number(id)));
  }
  const std::vector<ResultRow> rows = result_rows(store, id);
  const std::string title = first_line(run->title.empty() ? run->name : run->title);
  std::string text = options.markdown ? fmt::format("## {}\n\n", title) : title + '\n';
  text += fmt::format("run {} ({}), {}, begun {}, benchctl {}\n\n", to_number(id), run->name,
                      to_string(state_now(*run)), run->created_at, run->version);
  const std::string tables = problem_tables(rows, options);
  text += tables;
  if (!tables.empty() && !options.markdown) text += std::string(legend) + '\n';
  text += untimed_points(rows, options);
  StatusCounts counts;
  for (const ResultRow& row : rows) ++counts[row.point().status];
  return text + fmt::format("{}; stored in {} as run {}\n", count_text(counts), store.path().string(),
                            to_number(id));
}

std::string runs_table(const Store& store) {
  TextTable table({{"run", true}, {"name"}, {"state"}, {"begun"}, {"points"}, {"title"}});
  for (const RunRow& run : store.runs()) {
    table.add({fmt::format("{}", to_number(run.id)), first_line(run.name),
               std::string(to_string(state_now(run))), run.created_at,
               count_text(store.status_counts(run.id)), first_line(run.title)});
  }
  if (table.empty()) return fmt::format("no runs in {}\n", store.path().string());
  return table.text(false);
}

}  // namespace benchctl
