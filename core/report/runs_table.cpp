// What is in a store: its runs, and the names that some of them have.
#include "report/format.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <map>

namespace benchctl {

namespace {

/// Names and origins of runs, for their remarks.
std::map<RunId, std::string> remarks_of(const Store& store) {
  std::map<RunId, std::string> remarks;
  const auto add = [&](RunId run, const std::string& text) {
    std::string& own = remarks[run];
    own += (own.empty() ? "" : "; ") + text;
  };
  for (const BaselineRow& baseline : store.baselines()) add(baseline.run, "baseline " + baseline.name);
  for (const MergedRun& merged : store.merged_runs()) {
    add(merged.run, fmt::format("run {} of {}", to_number(merged.original),
                                std::filesystem::path(merged.store).filename().string()));
    if (merged.conflicts_with) {
      add(merged.run, fmt::format("conflicts with run {}: the same run with other results",
                                  to_number(*merged.conflicts_with)));
    }
  }
  return remarks;
}

}  // namespace

std::string runs_table(const Store& store, std::size_t width) {
  TextTable table({{"run", true}, {"name"}, {"state"}, {"begun"}, {"points"}, {"title"}, {"remarks"}});
  std::map<RunId, std::string> remarks = remarks_of(store);
  for (const RunRow& run : store.runs()) {
    table.add({fmt::format("{}", to_number(run.id)), first_line(run.name),
               std::string(to_string(state_now(run))), run.created_at,
               count_text(store.status_counts(run.id)), first_line(run.title),
               first_line(remarks[run.id])});
  }
  if (table.empty())
    return fit_lines(fmt::format("no runs in {}\n", first_line(store.path().string())), width);
  return table.text(false, width);
}

}  // namespace benchctl
