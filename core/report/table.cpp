#include "report/table.hpp"

#include "model/names.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/point_choice.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>

namespace benchctl {

namespace {

constexpr const char legend[] =
    "* fastest of its device, and fastest that is no vendor's; what cannot be told apart from it, too. "
    "None where intervals are too wide to tell.\n"
    "± half the 95 % confidence interval of the median.\n"
    "# number of the point: `benchctl explain {0}:#` says more, `benchctl replay {0}:#` runs it again.\n";

constexpr std::string_view paired_legend =
    "speed vs baseline: the baseline's time over the point's, median over the paired rounds [95 % "
    "interval]; "
    "the verdicts of one problem hold together at 95 %: of many problems, one in twenty may have a false "
    "one.\n";

std::uint64_t sum_of(const StatusCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
}

bool is_left_out(Status status) { return info(status).status_class == StatusClass::ruled_out; }

/// A reason without the numbers and values that differ from point to point: `n=512`, `4096 is above 1024`.
std::string without_figures(std::string_view reason) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string text;
  for (std::size_t i = 0; i < reason.size();) {
    const char before = i > 0 ? reason[i - 1] : ' ';
    const bool value = before == '=' && is_word(reason[i]);
    const bool number = std::isdigit(static_cast<unsigned char>(reason[i])) != 0 && !is_word(before);
    if (!value && !number) {
      text += reason[i++];
      continue;
    }
    text += '#';
    while (i < reason.size() &&
           (is_word(reason[i]) || (reason[i] == '.' && i + 1 < reason.size() && is_word(reason[i + 1])))) {
      ++i;
    }
  }
  return text;
}

/// Which point each compared one stands against, where that is not the same for all of a device.
std::string baselines_text(std::span<const ResultRow> rows, bool markdown) {
  std::map<std::string, std::size_t> baselines;
  for (const ResultRow& row : rows) {
    if (row.stored.comparison) ++baselines[row.stored.comparison->baseline];
  }
  constexpr std::size_t shown = 6;
  std::string text;
  std::size_t count = 0;
  for (const auto& [label, points] : baselines) {
    if (++count > shown) return text + fmt::format("and {} more baselines\n", baselines.size() - shown);
    text += fmt::format("baseline of {}: {}\n", points, first_line_in(label, markdown));
  }
  return text;
}

/// The answer to the title, a line or a list entry for each workload.
std::string answer_text(const std::string& title, std::span<const ResultRow> rows, bool markdown) {
  constexpr std::size_t columns = 80;
  constexpr std::size_t shown = 6;
  Names devices;
  std::vector<HeadlineRow> seen;
  for (const ResultRow& row : rows) {
    add_once(devices, row.point().device);
    const auto platform = std::ranges::find(devices, row.point().device) - devices.begin();
    seen.push_back({&row, static_cast<std::size_t>(platform), standing_of(row)});
  }
  const std::vector<Headline> headlines = headlines_of(title, seen, devices);
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, headlines.size()); ++i) {
    const std::string line = first_line_in(headlines[i].text, markdown);
    text += (markdown ? "- " + line : fit_lines(line, columns)) + '\n';
  }
  if (headlines.size() > shown) {
    text += fmt::format("{}and {} more workloads\n", markdown ? "- " : "", headlines.size() - shown);
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace

std::string not_listed(std::size_t count, std::string_view what, std::string_view who) {
  return fmt::format("{} {} are not listed; {} lists them.\n\n", format_count(count), what, who);
}

std::string untimed_points(std::span<const ResultRow> rows, const TableOptions& options) {
  struct Reason {
    Status status{};
    std::string text;  ///< of the first
    bool same = true;  ///< is it that of all, figures included?
    std::string first;
    std::vector<std::string> labels = {};
    std::set<std::string> devices = {};
  };
  std::vector<Reason> reasons;
  std::map<std::pair<Status, std::string>, std::size_t> places;
  for (const ResultRow& row : rows) {
    if (row.timed()) continue;
    const Point& point = row.point();
    const std::string gist = gist_of(point.status, point.reason);
    const auto [place, fresh] = places.try_emplace(
        {point.status, is_left_out(point.status) ? without_figures(gist) : gist}, reasons.size());
    if (fresh) reasons.push_back({point.status, gist, true, point_name(row.stored.row)});
    Reason& reason = reasons[place->second];
    reason.same = reason.same && reason.text == gist;
    reason.labels.push_back(fmt::format("{}  {}", row.stored.row.ordinal, point.label()));
    reason.devices.insert(point.device);
  }
  if (reasons.empty()) return {};
  constexpr std::size_t labels_shown = 3;
  const std::string_view bullet = options.markdown ? "- " : "  ";
  std::string text = options.markdown ? "### Without times\n\n" : "without times\n";
  for (const Reason& reason : reasons) {
    const std::string why = first_line_in(reason.text, options.markdown);
    const std::size_t count = reason.labels.size();
    text += fmt::format("{}{} {} {}{}{}", bullet, count, count == 1 ? "point" : "points",
                        to_string(reason.status),
                        why.empty()   ? ""
                        : reason.same ? ": "
                                      : ", with other figures each, such as: ",
                        why);
    // Points that were left out show their devices, failed ones their labels.
    if (is_left_out(reason.status)) {
      text += fmt::format(
          " ({})\n", first_line_in(fmt::format("{}", fmt::join(reason.devices, ", ")), options.markdown));
      continue;
    }
    text += '\n';
    for (std::size_t i = 0; i < std::min(labels_shown, count); ++i) {
      text += fmt::format("    {}{}\n", options.markdown ? "- " : "",
                          first_line_in(reason.labels[i], options.markdown));
    }
    if (count > labels_shown) {
      text += fmt::format("    {}and {} more\n", options.markdown ? "- " : "", count - labels_shown);
    }
    if (reason.status == Status::compile_error) {
      text += fmt::format("    {}the compiler's whole log: `benchctl explain {}`\n",
                          options.markdown ? "- " : "", reason.first);
    }
  }
  return text + '\n';
}

std::string count_text(const StatusCounts& counts) {
  const std::uint64_t total = sum_of(counts);
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
  std::vector<ResultRow> rows;
  // Published figures stand beside any of the points.
  const bool all = options.all || !run->published.empty();
  const StatusCounts left_out = store.each_result(
      id, [&](StoredPoint&& stored) { rows.push_back(make_row(std::move(stored))); },
      all ? std::nullopt : std::optional(rows_listed));
  return result_table(store, *run, rows, options, left_out);
}

std::string result_table(const Store& store, const RunRow& run, std::span<const ResultRow> rows,
                         const TableOptions& options, const StatusCounts& left_out) {
  const auto shown = [&](const std::string& text) { return first_line_in(text, options.markdown); };
  const std::string& title = run.title.empty() ? run.name : run.title;
  std::string text = options.markdown ? fmt::format("## {}\n\n", shown(title)) : shown(title) + '\n';
  if (options.answer) text += answer_text(title, rows, options.markdown);
  text += fmt::format("run {} ({}), {}, begun {}, benchctl {}\n\n", to_number(run.id), shown(run.name),
                      to_string(state_now(run)), shown(run.created_at), shown(run.version));
  const std::string tables = problem_tables(rows, options);
  text += tables;
  if (const std::uint64_t more = sum_of(left_out); more > 0) {
    text += not_listed(
        more, "more points with times",
        fmt::format("`benchctl show {0} --all` (or `benchctl export {0}`, as CSV)", to_number(run.id)));
  }
  if (!tables.empty() && !options.markdown) text += fmt::format(legend, to_number(run.id));
  if (const std::string baselines = baselines_text(rows, options.markdown); !baselines.empty()) {
    text += std::string(paired_legend) + baselines;
  }
  if (!tables.empty()) text += '\n';
  std::map<std::string, DeviceType> device_types;
  for (const Lane& lane : store.lanes(run.id)) device_types[lane.name()] = lane.device.type;
  text += published_tables(run.published, rows, device_types, options);
  text += roof_table(store.roofs(run.id), options);
  text += untimed_points(rows, options);
  StatusCounts counts = left_out;
  for (const ResultRow& row : rows) ++counts[row.point().status];
  text += fmt::format("{}; stored in {} as run {}\n", count_text(counts), shown(store.path().string()),
                      to_number(run.id));
  return fit_lines(text, options.markdown ? 0 : options.width);
}

}  // namespace benchctl
