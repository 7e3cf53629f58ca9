#include "report/headline.hpp"

#include "report/format.hpp"
#include "report/headline_rows.hpp"
#include "report/text_table.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace benchctl {

namespace {

constexpr std::size_t devices_told = 8;
constexpr std::size_t problems_told = 3;
constexpr std::size_t ties_told = 4;
constexpr std::size_t charted_variants = 12;

/// `4 %` more, or `1.3×`, `27×` as much.
std::string factor_text(double ratio) {
  const double percent = (ratio - 1) * 100;
  if (percent < 9.5) return format_significant(percent, 1) + " %";
  return format_significant(ratio, ratio < 99.5 ? 2 : 3) + "×";
}

/// Which figure tells how times go along a series: of equal work the time.
std::string quantity_of(const std::vector<Cost>& costs) {
  const auto all = [&](auto holds) { return std::ranges::all_of(costs, holds); };
  if (all([](const Cost& cost) { return cost.accesses > 0; })) return "access";
  if (all([&](const Cost& cost) {
        return cost.flops == costs[0].flops && cost.bytes_read == costs[0].bytes_read &&
               cost.bytes_written == costs[0].bytes_written;
      })) {
    return "time";
  }
  if (all([](const Cost& cost) { return cost.flops > 0; })) return "gflops";
  return all([](const Cost& cost) { return cost.bytes() > 0; }) ? "gbytes" : "time";
}

std::string course_figure(const Result& row, const std::string& quantity) {
  if (quantity == "access") return format_duration(row.ns_per_access(), 3) + " per access";
  if (quantity == "gflops") return format_significant(row.gflops(), 3) + " GFLOP/s";
  if (quantity == "gbytes") return format_significant(row.gbytes_per_s(), 3) + " GB/s";
  return format_duration(median_of(row), 3);
}

/// Puts what the rows say in words.
class Teller : HeadlineRows {
 public:
  Teller(const Report& report, const std::string& title, RowNumbers rows)
      : HeadlineRows(report, title, std::move(rows)) {
    headline_.title = title;
    headline_.workload = point(rows_.front()).workload;
  }

  Headline tell() && {
    headline_.axis = axis_;
    is_course_ ? tell_course() : tell_contests();
    std::vector<HeadlineLine>& lines = headline_.lines;
    if (lines.size() > devices_told) {
      headline_.more.insert(headline_.more.begin(),
                            fmt::format("and {} more devices below", lines.size() - devices_told));
      lines.resize(devices_told);
    }
    return std::move(headline_);
  }

 private:
  // What things are called.

  /// `f32, n = 512`; `only_varying`: without what all rows have in common.
  [[nodiscard]] std::string problem(std::size_t row, bool only_varying) const {
    Names words;
    Names numbers;
    for (const std::string& name : leaders_) {
      const std::optional<Value> value = value_on(point(row), name);
      if (!value || (is_course_ && name == axis_) || (only_varying && !varying_.contains(name))) continue;
      if (std::holds_alternative<std::string>(*value)) {
        words.push_back(first_line(to_text(*value)));
      } else {
        numbers.push_back(first_line(fmt::format("{} = {}", name, to_text(*value))));
      }
    }
    words.insert(words.end(), numbers.begin(), numbers.end());
    if (!only_varying) {
      const MeasureSettings& measure = point(row).measure;
      const auto add = [&](const std::string& name, auto value, auto usual) {
        if (value != usual && axis_ != name) words.push_back(fmt::format("{} {}", name, to_string(value)));
      };
      const MeasureSettings plain;
      add("basis", measure.basis, plain.basis);
      add("cache", measure.cache, plain.cache);
      add("launch", measure.launch, plain.launch);
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  /// `matmul f32, n = 512`
  [[nodiscard]] std::string about(const std::string& problem) const {
    return first_line(headline_.workload) + (problem.empty() ? "" : ' ' + problem);
  }

  /// `cuBLAS`, `OpenBLAS (16 threads)` if the row beside it ran on another number.
  [[nodiscard]] std::string yardstick_name(std::size_t number, std::size_t beside) const {
    const std::string library = row(number).library();
    const std::string name = library.empty() ? words_.variant(point(number)) : library;
    const std::string threads = row(number).threads();
    const bool differ = !threads.empty() && threads != row(beside).threads();
    return differ ? fmt::format("{} ({})", name, threads) : name;
  }

  /// Says that a device has no winner, until more is known.
  HeadlineLine& add_line(std::size_t platform) {
    return headline_.lines.emplace_back(
        HeadlineLine{.platform = platform,
                     .device = first_line(report_.platforms[platform].label),
                     .answer = "no winner: " + why_none_wins(report_, platforms_.at(platform))});
  }

  // How times go along an axis.

  void tell_course() {
    const std::string axis = first_line(axis_);
    headline_.about = about("along " + axis);
    for (const auto& [platform, rows] : platforms_) {
      HeadlineLine& line = add_line(platform);
      const RowNumbers series = longest_series(platform);
      if (series.empty()) continue;
      std::vector<Cost> costs;
      for (const std::size_t one : series) costs.push_back(row(one).row.cost);
      const std::string quantity = quantity_of(costs);
      if (headline_.rows.empty()) headline_.quantity = quantity;
      if (quantity == headline_.quantity)
        headline_.rows.insert(headline_.rows.end(), series.begin(), series.end());
      const auto figure = [&](std::size_t one) { return course_figure(row(one), quantity); };
      const std::string problem = this->problem(series.front(), true);
      line.winner = series.front();
      line.answer = words_.variant(point(series.front())) + (problem.empty() ? "" : ", " + problem);
      line.time = fmt::format("{} at {} = {}", figure(series.front()), axis, axis_text(series.front()));
      if (series.size() > 1)
        line.factors = fmt::format("{} at {}", figure(series.back()), axis_text(series.back()));
    }
  }

  // Who is fastest, device by device.

  [[nodiscard]] std::string answer_text(const Contest& contest) const {
    const auto tied = std::span(contest.of_each).first(contest.ties);
    const std::string& variant = point(tied.front()).variant;
    // What all names would have in brackets is said once.
    const bool once =
        contest.by_axis && contest.several_variants && tied.size() > 1 &&
        std::ranges::all_of(tied, [&](std::size_t row) { return point(row).variant == variant; });
    Names names = names_of(tied, [&](std::size_t row) {
      return name_of(row, contest.by_axis, contest.several_variants && !once);
    });
    const std::string first = (contest.by_axis ? first_line(axis_) + ' ' : "") + names.front();
    if (tied.size() == 1) return first;
    const std::string end = once ? fmt::format(" ({})", first_line(variant)) : "";
    if (tied.size() == contest.of_each.size() && tied.size() > 2)
      return fmt::format("{}, all {} tie{}", first, tied.size(), end);
    names.erase(names.begin());
    return fmt::format("{}, {} tie{}", first, few_of(names, ties_told - 1), end);
  }

  [[nodiscard]] std::string factors(const Contest& contest, std::optional<std::size_t> other) const {
    const std::size_t winner = contest.winner();
    Names clauses;
    const std::optional<std::size_t> second = contest.runner_up();
    if (second && second != other && (contest.by_axis || !is_vendor(winner))) {
      // A table shows medians, by which another may come next.
      const bool by_rounds = std::ranges::any_of(contest.of_each, [&](std::size_t row) {
        return !standing(row, contest.by_axis).ties && row != winner &&
               median_of(report_.rows[row]) < median_of(report_.rows[*second]);
      });
      clauses.push_back(fmt::format("{} faster than {}{}",
                                    factor_text(standing(*second, contest.by_axis).versus_best),
                                    contest.by_axis ? name_of(*second, true, contest.several_variants)
                                                    : yardstick_name(*second, winner),
                                    by_rounds ? " by common rounds" : ""));
    }
    if (other) {
      const std::string name = yardstick_name(*other, winner);
      const bool in_front = rank(winner).best;
      const Rank& behind = rank(in_front ? *other : winner);
      if (!behind.ties) {
        const std::string factor = factor_text(behind.versus_best);
        clauses.push_back(in_front ? fmt::format("{} faster than {}", factor, name)
                                   : fmt::format("{} is {} faster", name, factor));
      } else if (contest.by_axis) {  // a variant is among the names that tie already
        clauses.push_back("ties with " + name);
      }
    }
    return fmt::format("{}", fmt::join(clauses, ", "));
  }

  void tell_winner(HeadlineLine& line, const Contest& contest, bool of_common) {
    const std::size_t winner = contest.winner();
    const std::optional<std::size_t> other = yardstick(winner);
    const std::string at = of_common ? "" : problem(winner, true);
    line.winner = winner;
    line.answer = answer_text(contest) + (at.empty() ? "" : " at " + at);
    line.time = format_time(*row(winner).measurement);
    line.factors = factors(contest, other);
    RowNumbers charted = contest.of_each;
    if (axis_.empty() && charted.size() > charted_variants) charted.resize(charted_variants);
    headline_.rows.insert(headline_.rows.end(), charted.begin(), charted.end());
    if (!axis_.empty() && other) headline_.beside.push_back(*other);
  }

  void tell_contests() {
    const std::vector<ProblemContests> problems = this->problems();
    const ProblemContests* const common = common_of(problems);
    std::set<const Contest*> told;
    for (const auto& [platform, rows] : platforms_) {
      HeadlineLine& line = add_line(platform);
      const ProblemContests* own = common;
      if (own == nullptr || !own->contains(platform) || !own->at(platform).is_won())
        own = first_won(problems, {platform}, true);
      if (own == nullptr) own = first_won(problems, {platform}, false);
      if (own == nullptr) continue;
      const Contest& contest = own->at(platform);
      told.insert(&contest);
      tell_winner(line, contest, own == common);
    }
    if (common != nullptr) headline_.comparison = place(first_row(*common)).comparison;
    if (!axis_.empty()) {
      headline_.question = fmt::format("which {}?", first_line(axis_));
    } else if (rows_.size() > problems.size()) {
      headline_.question = "which variant?";
    }
    headline_.about = about(common != nullptr ? problem(first_row(*common), false) : "");
    tell_others(problems, told);
  }

  /// What the problems say that no line is about.
  void tell_others(const std::vector<ProblemContests>& problems, const std::set<const Contest*>& told) {
    std::size_t left = 0;
    for (const ProblemContests& one : problems) {
      Names answers;
      for (const auto& [platform, contest] : one) {
        if (told.contains(&contest) || !contest.is_won()) continue;
        answers.push_back(fmt::format("{} {}, {}", first_line(report_.platforms[platform].label),
                                      answer_text(contest),
                                      format_duration(median_of(row(contest.winner())), 3)));
      }
      if (answers.empty()) continue;
      if (headline_.more.size() == problems_told) {
        ++left;
        continue;
      }
      const std::string which = problem(first_row(one), true);
      headline_.more.push_back(
          fmt::format("{}{}{}", which, which.empty() ? "" : ": ", fmt::join(answers, "; ")));
    }
    if (left > 0) headline_.more.push_back(fmt::format("and {} below", counted(left, "more problem")));
  }

  Headline headline_;
};

/// An experiment does not ask about the workload that measures roofs beside others.
bool measures_roofs(const std::string& workload) {
  const Workload* found = Workloads::built_in().find(workload);
  return found != nullptr && found->measures_roofs();
}

/// `cuda:0: tile 32, 16.57 ms (16.56–16.59), 4 % faster than 16`
std::string sentence_of(const HeadlineLine& line) {
  std::string sentence = fmt::format("{}: {}", line.device, line.answer);
  for (const std::string* part : {&line.time, &line.factors}) {
    if (!part->empty()) sentence += ", " + *part;
  }
  return sentence;
}

}  // namespace

std::string Headline::asked() const {
  return question.empty() ? about : fmt::format("{}: {}", about, question);
}

std::string Headline::text() const {
  Names sentences;
  for (const HeadlineLine& line : lines) sentences.push_back(sentence_of(line));
  return fmt::format("{}{}{}.", asked(), question.empty() ? ": " : " ", fmt::join(sentences, "; "));
}

std::string headlines_markdown(std::span<const Headline> headlines) {
  std::string text;
  for (const Headline& headline : headlines) {
    text += markdown_list(headline.asked());
    for (const HeadlineLine& line : headline.lines) {
      text += "  " + markdown_list(sentence_of(line));
    }
    for (const std::string& more : headline.more) text += "  " + markdown_list(more);
  }
  return text;
}

std::vector<Headline> headlines_of(const Report& report) {
  Names titles;
  std::map<std::pair<std::size_t, std::size_t>, RowNumbers> rows;  // by title and workload
  Names workloads;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const RowPlace& place = report.places[i];
    if (place.comparison == RowPlace::none || place.older) continue;
    const auto number = [](Names& names, const std::string& name) {
      add_once(names, name);
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    rows[{number(titles, report.runs[place.run].title()),
          number(workloads, report.rows[i].point().workload)}]
        .push_back(i);
  }
  const bool alone = workloads.size() == 1;
  std::vector<Headline> headlines;
  for (auto& [key, own] : rows) {
    if (!alone && measures_roofs(workloads[key.second])) continue;
    headlines.push_back(Teller(report, titles[key.first], std::move(own)).tell());
  }
  return headlines;
}

}  // namespace benchctl
