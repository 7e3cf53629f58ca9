#include "report/table.hpp"

#include "observe/busy_processes.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/point_names.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

constexpr std::string_view paired_legend =
    "speed vs baseline: the baseline's time over the point's, median of the rounds (its interval); above 1 "
    "is faster. All verdicts of one problem hold together.\n";

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
std::string baselines_text(std::span<const Result> rows, bool markdown) {
  std::map<std::string, std::size_t> baselines;
  for (const Result& row : rows) {
    if (const Comparison* comparison = row.compared(Against::baseline)) ++baselines[comparison->label];
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

constexpr std::size_t workloads_told = 6;

/// What a headline says, for a terminal: a line for each device.
std::string headline_text(const Headline& headline, const TableOptions& options) {
  TextTable lines({{""}, {""}, {"", true}, {""}});
  for (const HeadlineLine& line : headline.lines) {
    lines.add({"  " + line.device, line.answer, line.time, line.factors});
  }
  std::string text = lines.text(false, options.width);
  for (const std::string& more : headline.more) text += more + '\n';
  return text;
}

/// The fastest of each device on the problem that the answer is about. Nothing where one device has it
/// alone.
std::string devices_side_by_side(const Report& report, const Headline& headline,
                                 const TableOptions& options) {
  if (!headline.comparison) return {};
  const std::vector<Answer> answers = answers_of(report, *headline.comparison);
  if (answers.size() < 2) return {};
  PointWords words;
  for (const Result& row : report.rows) words.add(row.point());
  TextTable table({{"device"}, {"fastest"}, {"time (range)"}, {"vs best device", true}});
  const auto add = [&](const std::string& device, std::size_t row) {
    const Result& shown = report.rows[row];
    const double versus = report.places[row].rank.versus_devices;
    table.add({device, shown.library().empty() ? words.variant(shown.point()) : shown.library(),
               format_time(*shown.measurement), format_figure(versus, Hint::ratio)});
  };
  for (const Answer& answer : answers) {
    if (!answer.best) continue;
    add(report.platforms[answer.platform].label, *answer.best);
    if (answer.own) add("", *answer.own);
  }
  return fmt::format("\nDevices, {}\n{}", headline.about, table.text(options.colours, options.width));
}

std::string answer_text(const Report& report, const std::string& title, const TableOptions& options) {
  const std::vector<Headline> headlines = headlines_of(report);
  const std::string bold = options.colours ? "\x1b[1m" : "";
  const std::string plain = options.colours ? "\x1b[0m" : "";
  const std::string shown = first_line(title);
  std::string text = bold + shown + plain;
  // A title that asks has asked.
  const auto asked = [&](const Headline& headline) {
    return shown.ends_with('?') ? headline.about : headline.asked();
  };
  const bool beside =
      headlines.size() == 1 && columns_of(shown) + 2 + columns_of(asked(headlines.front())) <= 80;
  for (std::size_t i = 0; i < std::min(workloads_told, headlines.size()); ++i) {
    text += (beside ? "  " : "\n") + asked(headlines[i]) + '\n' + headline_text(headlines[i], options);
    text.pop_back();
  }
  text += '\n';
  if (headlines.size() > workloads_told) {
    text += fmt::format("and {} more workloads below\n", headlines.size() - workloads_told);
  }
  for (std::size_t i = 0; i < std::min(workloads_told, headlines.size()); ++i) {
    text += devices_side_by_side(report, headlines[i], options);
  }
  return headlines.empty() ? text : text + '\n';
}

/// Seconds between two times of day of the store.
double seconds_between(const std::string& from, const std::string& to) {
  const auto seconds_of = [](const std::string& text) {
    std::tm time{};
    const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
    return rest == nullptr ? no_number : static_cast<double>(timegm(&time)) + std::strtod(rest, nullptr);
  };
  return seconds_of(to) - seconds_of(from);
}

/// `run 3 (tile_sweep): 34 of 69 points measured in 23 s, 35 left out (below)`
std::string progress_text(const ReportRun& run) {
  std::map<StatusClass, std::uint64_t> counts;
  for (const auto& [status, count] : run.counts) counts[info(status).status_class] += count;
  const RunState state = state_now(run.row);
  std::string text =
      fmt::format("run {} ({}){}: {} of {} measured", to_number(run.row.id), first_line(run.row.name),
                  state == RunState::complete ? "" : fmt::format(", {}", to_string(state)),
                  format_count(counts[StatusClass::good] + counts[StatusClass::warning]),
                  counted(sum_of(run.counts), "point"));
  // How long the sessions of a resumed run were is not stored.
  const bool resumed = std::ranges::any_of(
      run.events, [](const EventRow& event) { return event.text.starts_with(resuming_words); });
  const double seconds = seconds_between(run.row.created_at, run.row.finished_at);
  if (state == RunState::complete && !resumed && seconds >= 0)
    text += fmt::format(" in {}", format_duration(std::max(seconds, 0.1) * 1e9, 2));
  const auto add = [&](StatusClass kind, std::string_view what) {
    if (counts[kind] > 0) text += fmt::format(", {} {}", format_count(counts[kind]), what);
  };
  add(StatusClass::failed, "failed");
  add(StatusClass::open, "to be measured");
  add(StatusClass::ruled_out, "left out (below)");
  return text + '\n';
}

/// What failed, in a line each, where a reader looks first.
std::string failures_text(std::span<const Result> rows) {
  constexpr std::size_t shown = 3;
  std::size_t failed = 0;
  std::string text;
  for (const Result& row : rows) {
    const Point& point = row.point();
    if (info(point.status).status_class != StatusClass::failed || ++failed > shown) continue;
    const std::string gist = gist_of(point.status, point.reason);
    // A compiler names the file and the line; other reasons need the word of their status.
    const std::string what = point.status == Status::compile_error || gist.empty()
                                 ? gist
                                 : fmt::format("{}: {}", to_string(point.status), gist);
    text +=
        fmt::format("{} ({}/{} on {}; `benchctl explain {}`)\n",
                    what.empty() ? std::string(to_string(point.status)) : what, first_line(point.workload),
                    first_line(point.variant), first_line(point.device), point_name(row.row));
  }
  return failed > shown ? text + fmt::format("and {} more failures below\n", failed - shown) : text;
}

/// Rows of a run. If more than `rows_listed` have times, those are the fastest of each problem and device,
/// then the second fastest of each, and so on. All, if the options ask for that, or for published figures,
/// which stand beside any of the points.
std::vector<Result> listed_rows(const Report& report, std::size_t run, const TableOptions& options) {
  const std::span<const Result> rows = rows_of_run(report, run);
  const auto first = static_cast<std::size_t>(rows.data() - report.rows.data());
  std::vector<std::size_t> timed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].timed()) timed.push_back(i);
  }
  if (options.all || options.published || timed.size() <= rows_listed) return {rows.begin(), rows.end()};
  std::ranges::stable_sort(timed, {}, [&](std::size_t i) {
    const Rank& rank = report.places[first + i].rank;
    return std::tuple(!rank.competes, rank.place, !rank.best);
  });
  const std::set<std::size_t> left_out(timed.begin() + rows_listed, timed.end());
  std::vector<Result> listed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!left_out.contains(i)) listed.push_back(rows[i]);
  }
  return listed;
}

/// Did something else use the machine?
std::string load_text(const ReportRun& run) {
  const auto busy = std::ranges::find_if(
      run.events, [](const EventRow& event) { return event.text.starts_with(busy_words); });
  const bool timed = run.counts.contains(Status::ok) || run.counts.contains(Status::unstable);
  if (busy == run.events.end() || !timed) return {};
  return fmt::format("The machine was busy: {}. Times wander, ranks hold.\n", first_line(busy->text));
}

}  // namespace

std::string not_listed(std::size_t count, std::string_view what, std::string_view who) {
  return fmt::format("{} {} are not listed; {} lists them.\n\n", format_count(count), what, who);
}

std::string untimed_points(std::span<const Result> rows, const TableOptions& options) {
  struct Reason {
    Status status{};
    std::string text;  ///< the text of the first
    bool same = true;  ///< is it that of all, figures included?
    std::string first;
    std::vector<std::string> labels = {};
    std::set<std::string> devices = {};
  };
  std::vector<Reason> reasons;
  std::map<std::pair<Status, std::string>, std::size_t> places;
  for (const Result& row : rows) {
    if (row.timed()) continue;
    const Point& point = row.point();
    const std::string gist = gist_of(point.status, point.reason);
    const auto [place, fresh] = places.try_emplace(
        {point.status, is_left_out(point.status) ? without_figures(gist) : gist}, reasons.size());
    if (fresh) reasons.push_back({point.status, gist, true, point_name(row.row)});
    Reason& reason = reasons[place->second];
    reason.same = reason.same && reason.text == gist;
    reason.labels.push_back(fmt::format("{}  {}", row.row.ordinal, point.label()));
    reason.devices.insert(point.device);
  }
  if (reasons.empty()) return {};
  constexpr std::size_t labels_shown = 3;
  const std::string_view bullet = options.markdown ? "- " : "  ";
  const std::string_view inner_bullet = options.markdown ? "    - " : "    ";
  std::string text = options.markdown ? "### Without times\n\n" : "without times\n";
  for (const Reason& reason : reasons) {
    const std::string why = first_line_in(reason.text, options.markdown);
    const std::size_t count = reason.labels.size();
    text += fmt::format("{}{} {}{}{}", bullet, counted(count, "point"), to_string(reason.status),
                        why.empty()   ? ""
                        : reason.same ? ": "
                                      : ", for example: ",
                        why);
    // Points that were left out show their devices, failed ones their labels.
    if (is_left_out(reason.status)) {
      text += fmt::format(
          " ({})\n", first_line_in(fmt::format("{}", fmt::join(reason.devices, ", ")), options.markdown));
      continue;
    }
    text += '\n';
    for (std::size_t i = 0; i < std::min(labels_shown, count); ++i) {
      text += fmt::format("{}{}\n", inner_bullet, first_line_in(reason.labels[i], options.markdown));
    }
    if (count > labels_shown) {
      text += fmt::format("{}and {} more\n", inner_bullet, count - labels_shown);
    }
    if (reason.status == Status::compile_error) {
      text +=
          fmt::format("{}the compiler's whole log: `benchctl explain {}`\n", inner_bullet, reason.first);
    }
  }
  return text + '\n';
}

std::string count_text(const StatusCounts& counts) {
  std::string text = counted(sum_of(counts), "point");
  std::string_view separator = ": ";
  for (const auto& [status, count] : counts) {
    text += fmt::format("{}{} {}", separator, format_count(count), to_string(status));
    separator = ", ";
  }
  return text;
}

std::string result_table(const Report& report, std::size_t number, const TableOptions& options) {
  const auto shown = [&](const std::string& text) { return first_line_in(text, options.markdown); };
  const ReportRun& run = report.runs[number];
  const std::vector<Result> rows = listed_rows(report, number, options);
  const RunId id = run.row.id;
  std::string text = options.markdown ? fmt::format("## {}\n\n", shown(run.title()))
                                      : answer_text(report, run.title(), options);
  for (const std::string& part : {progress_text(run), failures_text(rows), load_text(run)}) {
    if (!part.empty()) text += options.markdown ? markdown_list(part) : part;
  }
  text += '\n';
  const std::string tables = problem_tables(rows, options);
  text += tables;
  if (const std::size_t more = rows_of_run(report, number).size() - rows.size(); more > 0) {
    text += '\n' + not_listed(more, "more points with times",
                              fmt::format("`benchctl show {0} --all` (or `benchctl export {0}`, as CSV)",
                                          to_number(id)));
  }
  if (const std::string baselines = baselines_text(rows, options.markdown); !baselines.empty()) {
    text += std::string(paired_legend) + baselines;
  }
  if (!tables.empty()) text += '\n';
  if (options.published) {
    text += published_tables(run.row.published, rows, run.lanes, options);
  } else if (!run.row.published.empty()) {
    text +=
        fmt::format("Published figures beside these: `benchctl show {} --published`\n\n", to_number(id));
  }
  text += roof_table(run.roofs, options) + untimed_points(rows, options);
  text += fmt::format("{}; begun {}, benchctl {}; stored in {} as run {}\n", count_text(run.counts),
                      shown(run.row.created_at), shown(run.row.version),
                      shown(fmt::format("{}", run.source.store->path())), to_number(id));
  return fit_lines(text, options.markdown ? 0 : options.width);
}

}  // namespace benchctl
