#include "report/headline.hpp"

#include "model/keys.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/text_table.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

constexpr std::size_t devices_told = 8;
constexpr std::size_t problems_told = 3;
constexpr std::size_t ties_told = 4;
constexpr std::size_t charted_variants = 12;

/// Places among the report's rows.
using RowNumbers = std::vector<std::size_t>;

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

/// Who wins on one device and problem.
struct Contest {
  RowNumbers rows{};
  bool by_axis = false;  ///< among the rows that the question is about
  std::optional<std::size_t> winner{};
  RowNumbers of_each{};    ///< the fastest row of each name that competes, in their order
  RowNumbers tied{};       ///< the winner and what ties with it, a row of each name
  RowNumbers undecided{};  ///< not shown slower, though the runner-up is, which seems faster
  std::optional<std::size_t> runner_up{};
  bool several_variants = false;

  /// Has it a winner, one that does not tie with all its rivals?
  [[nodiscard]] bool resolved() const {
    return winner && (of_each.size() == 1 || tied.size() < of_each.size());
  }
};

/// The devices that have one problem.
struct Problem {
  std::size_t comparison = 0;
  std::map<std::size_t, Contest> devices{};  ///< by platform

  [[nodiscard]] std::size_t first_row() const { return devices.begin()->second.rows.front(); }
  [[nodiscard]] bool is_won(std::size_t platform, bool resolved) const {
    const auto found = devices.find(platform);
    if (found == devices.end()) return false;
    return resolved ? found->second.resolved() : found->second.winner.has_value();
  }
};

/// Makes the headline of the rows of one title and workload.
class Teller {
 public:
  /// `rows` is not empty. If rows were measured in several ways, those of the commonest count: times of
  /// others never meet them.
  Teller(const Report& report, const std::string& title, RowNumbers rows)
      : report_(report), rows_(std::move(rows)) {
    headline_.title = title;
    headline_.workload = point(rows_.front()).workload;
    for (const std::size_t row : rows_) words_.add(point(row));
    choose_question(report.questions.at({title, headline_.workload}));
    keep_one_measure();
    find_leaders();
    for (const std::size_t row : rows_) platforms_[place(row).platform].push_back(row);
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
  [[nodiscard]] const Result& row(std::size_t number) const { return report_.rows[number]; }
  [[nodiscard]] const Point& point(std::size_t row) const { return report_.rows[row].point(); }
  [[nodiscard]] const RowPlace& place(std::size_t row) const { return report_.places[row]; }
  [[nodiscard]] const Rank& rank(std::size_t row) const { return report_.places[row].rank; }
  [[nodiscard]] bool is_vendor(std::size_t row) const { return report_.rows[row].row.vendor; }
  [[nodiscard]] std::string axis_text(std::size_t row) const {
    return first_line(to_text(*value_on(point(row), axis_)));
  }

  // What is asked.

  void choose_question(const std::string& wanted) {
    std::set<std::pair<std::size_t, std::size_t>> races;
    std::set<SharedParameters> problems;
    std::map<std::string, std::set<Value, ValueOrder>> courses;
    for (const std::size_t row : rows_) {
      const Point& own = point(row);
      races.emplace(place(row).comparison, place(row).platform);
      problems.insert(own.problem);
      for (const auto& [name, value] : own.problem) courses[name].insert(value);
      for (const char* name : {"cache", "launch"}) courses[name].insert(*value_on(own, name));
    }
    axis_ = wanted;
    // As in tables: many problems with a row or two for each device are read down one column.
    const bool contest =
        rows_.size() > races.size() && (problems.size() < 3 || rows_.size() > 2 * races.size());
    is_course_ = axis_.empty() ? !contest : courses.contains(axis_);
    if (!is_course_ || !axis_.empty()) return;
    std::size_t most = 1;
    for (const bool of_problem : {true, false}) {
      if (most > 1) break;
      for (const auto& [name, values] : courses) {
        if ((name == "cache" || name == "launch") == of_problem || values.size() < most) continue;
        if (values.size() == most && name != "n") continue;
        axis_ = name;
        most = values.size();
      }
    }
    is_course_ = most > 1;
    if (!is_course_) axis_.clear();
  }

  void keep_one_measure() {
    const auto key = [&](std::size_t row) {
      MeasureKey measure(point(row).measure);
      if (axis_ == "cache") measure.cache = {};
      if (axis_ == "launch") measure.launch = {};
      return measure;
    };
    std::map<MeasureKey, std::size_t> counts;
    for (const std::size_t row : rows_) ++counts[key(row)];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    std::erase_if(rows_, [&](std::size_t row) { return key(row) != most->first; });
  }

  /// Parameters that always have the value of another, as m and k have that of n, are not told.
  void find_leaders() {
    std::map<std::string, std::vector<std::optional<Value>>> columns;
    for (const std::size_t row : rows_) {
      for (const auto& [name, value] : point(row).problem) columns[name];
    }
    for (auto& [name, column] : columns) {
      for (const std::size_t row : rows_) column.push_back(value_on(point(row), name));
      // Clang 14 refuses to capture `column`.
      const auto same = std::ranges::find_if(leaders_, [&, &values = column](const std::string& other) {
        return columns.at(other) == values;
      });
      if (same == leaders_.end()) {
        leaders_.push_back(name);
      } else if (name == "n") {
        *same = name;
      }
    }
    for (const std::string& name : leaders_) {
      const auto& column = columns.at(name);
      if (std::ranges::adjacent_find(column, std::not_equal_to{}) != column.end()) varying_.insert(name);
    }
  }

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

  /// The name of a value of the axis, or of a variant.
  [[nodiscard]] std::string name_of(std::size_t row, bool by_axis, bool several_variants) const {
    if (by_axis) {
      return axis_text(row) +
             (several_variants ? fmt::format(" ({})", first_line(point(row).variant)) : "");
    }
    const std::string library = report_.rows[row].library();
    return words_.variant(point(row)) + (library.empty() ? "" : fmt::format(" ({})", library));
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

  /// The rows of one variant and configuration on a device with most values of the axis, in the order of
  /// the values.
  [[nodiscard]] RowNumbers longest_series(std::size_t platform) const {
    std::map<std::string, std::map<Value, std::size_t, ValueOrder>> all;
    Names order;
    for (const std::size_t row : platforms_.at(platform)) {
      const auto value = value_on(point(row), axis_);
      if (!value || !rank(row).competes) continue;
      const Point& own = point(row);
      KeyText key;
      key.add(own.variant).add(own.layout).add(own.tunables).add(own.apart);
      for (const std::string& name : varying_) {
        if (name == axis_) continue;
        if (const auto other = value_on(own, name)) key.add(name).add(to_text(*other));
      }
      const std::string text = key.take();
      add_once(order, text);
      all[text].try_emplace(*value, row);
    }
    RowNumbers longest;
    for (const std::string& text : order) {
      const auto& own = all.at(text);
      const bool ours = !longest.empty() && is_vendor(longest.front()) && !is_vendor(own.begin()->second);
      if (own.size() < longest.size() || (own.size() == longest.size() && !ours)) continue;
      longest.clear();
      for (const auto& [value, row] : own) longest.push_back(row);
    }
    return longest;
  }

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

  /// Among all of its device and problem, or among those that the question is about.
  [[nodiscard]] const Standing& standing(std::size_t row, bool by_axis) const {
    return by_axis ? rank(row).asked : rank(row);
  }

  void decide(Contest& contest) const {
    const bool by_axis = contest.by_axis;
    RowNumbers pool = contest.rows;
    std::erase_if(pool, [&](std::size_t row) { return !standing(row, by_axis).competes; });
    if (pool.empty()) return;
    std::ranges::stable_sort(pool, {}, [&](std::size_t row) {
      const Standing& own = standing(row, by_axis);
      return std::tuple(!own.best, !own.ties, own.versus_best);
    });
    contest.winner = pool.front();
    contest.several_variants = std::ranges::any_of(
        pool, [&](std::size_t row) { return point(row).variant != point(pool.front()).variant; });
    std::set<std::string> names;
    for (const std::size_t row : pool) {
      if (!names.insert(name_of(row, by_axis, contest.several_variants)).second) continue;
      contest.of_each.push_back(row);
      if (row == *contest.winner || standing(row, by_axis).ties) {
        contest.tied.push_back(row);
      } else if (!contest.runner_up) {
        contest.runner_up = row;
      }
    }
    if (!contest.runner_up) return;
    const auto ratio = [&](std::size_t row) { return standing(row, by_axis).versus_best; };
    const auto seems_slower =
        std::find_if(contest.tied.begin() + 1, contest.tied.end(),
                     [&](std::size_t row) { return ratio(row) > ratio(*contest.runner_up); });
    contest.undecided.assign(seems_slower, contest.tied.end());
    contest.tied.erase(seems_slower, contest.tied.end());
  }

  /// The largest first.
  [[nodiscard]] std::vector<Problem> problems() const {
    std::map<std::size_t, Problem> by_comparison;
    std::set<std::size_t> with_axis;
    for (const std::size_t row : rows_) {
      Problem& own = by_comparison[place(row).comparison];
      own.comparison = place(row).comparison;
      own.devices[place(row).platform].rows.push_back(row);
      if (rank(row).asked.competes) with_axis.insert(place(row).platform);
    }
    std::vector<Problem> all;
    for (auto& [comparison, own] : by_comparison) {
      for (auto& [platform, contest] : own.devices) {
        contest.by_axis = with_axis.contains(platform);
        decide(contest);
      }
      all.push_back(std::move(own));
    }
    std::ranges::stable_sort(all, std::greater{}, [&](const Problem& one) {
      const Cost& cost = row(one.first_row()).row.cost;
      return std::pair(cost.flops, cost.bytes());
    });
    return all;
  }

  template <class Accepts>
  static const Problem* first_where(const std::vector<Problem>& problems, Accepts accepts) {
    const auto found = std::ranges::find_if(problems, accepts);
    return found != problems.end() ? &*found : nullptr;
  }
  static const Problem* first_won(const std::vector<Problem>& problems, std::size_t platform,
                                  bool resolved) {
    return first_where(problems, [&](const Problem& one) { return one.is_won(platform, resolved); });
  }

  /// The problem that all devices speak of: the largest that is resolved on each that has such a problem;
  /// where no device has one, that has a winner on each.
  [[nodiscard]] const Problem* common_of(const std::vector<Problem>& problems) const {
    for (const bool resolved : {true, false}) {
      std::vector<std::size_t> able;
      for (const auto& [platform, rows] : platforms_) {
        if (first_won(problems, platform, resolved) != nullptr) able.push_back(platform);
      }
      if (able.empty()) continue;
      return first_where(problems, [&](const Problem& one) {
        return std::ranges::all_of(able,
                                   [&](std::size_t platform) { return one.is_won(platform, resolved); });
      });
    }
    return nullptr;
  }

  [[nodiscard]] std::string answer_text(const Contest& contest) const {
    const std::string& variant = point(contest.tied.front()).variant;
    // What all names would have in brackets is said once.
    const bool once =
        contest.by_axis && contest.several_variants && contest.tied.size() > 1 &&
        std::ranges::all_of(contest.tied, [&](std::size_t row) { return point(row).variant == variant; });
    const auto names = [&](const RowNumbers& rows, bool several_variants) {
      return names_of(rows,
                      [&](std::size_t row) { return name_of(row, contest.by_axis, several_variants); });
    };
    Names tied = names(contest.tied, contest.several_variants && !once);
    const std::string first = (contest.by_axis ? first_line(axis_) + ' ' : "") + tied.front();
    const std::string end = once ? fmt::format(" ({})", first_line(variant)) : "";
    if (tied.size() == contest.of_each.size() && tied.size() > 2)
      return fmt::format("{}, all {} tie{}", first, tied.size(), end);
    std::string unknown = few_of(names(contest.undecided, contest.several_variants), ties_told);
    if (!unknown.empty()) unknown = fmt::format(" ({} undecided)", unknown);
    if (tied.size() == 1) return first + unknown;
    tied.erase(tied.begin());
    return fmt::format("{}, {} tie{}{}", first, few_of(tied, ties_told - 1), end, unknown);
  }

  /// What the winner is compared with beside its runner-up: the fastest of its device and problem or, if it
  /// is that itself, the fastest of ours behind a vendor library, or the fastest library behind ours.
  [[nodiscard]] std::optional<std::size_t> yardstick(std::size_t winner) const {
    const auto is_wanted = [&](std::size_t row) {
      if (!rank(winner).best) return rank(row).best;
      return is_vendor(winner) ? rank(row).own.best : is_vendor(row);
    };
    std::optional<std::size_t> found;
    for (const std::size_t other : report_.comparisons[place(winner).comparison].rows) {
      const bool rival = other != winner && place(other).platform == place(winner).platform;
      if (!rival || !rank(other).competes || !is_wanted(other)) continue;
      if (!found || rank(other).versus_best < rank(*found).versus_best) found = other;
    }
    return found;
  }

  [[nodiscard]] std::string factors(const Contest& contest, std::optional<std::size_t> other) const {
    const std::size_t winner = *contest.winner;
    Names clauses;
    const std::optional<std::size_t> second = contest.runner_up;
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
    const std::size_t winner = *contest.winner;
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
    const std::vector<Problem> problems = this->problems();
    const Problem* const common = common_of(problems);
    std::set<const Contest*> told;
    for (const auto& [platform, rows] : platforms_) {
      HeadlineLine& line = add_line(platform);
      const Problem* own = common != nullptr && common->is_won(platform, false) ? common : nullptr;
      for (const bool resolved : {true, false}) {
        if (own == nullptr) own = first_won(problems, platform, resolved);
      }
      if (own == nullptr) continue;
      const Contest& contest = own->devices.at(platform);
      told.insert(&contest);
      tell_winner(line, contest, own == common);
    }
    if (common != nullptr) headline_.comparison = common->comparison;
    if (!axis_.empty()) {
      headline_.question = fmt::format("which {}?", first_line(axis_));
    } else if (rows_.size() > problems.size()) {
      headline_.question = "which variant?";
    }
    headline_.about = about(common != nullptr ? problem(common->first_row(), false) : "");
    tell_others(problems, told);
  }

  /// What the problems say that no line is about.
  void tell_others(const std::vector<Problem>& problems, const std::set<const Contest*>& told) {
    std::size_t left = 0;
    for (const Problem& one : problems) {
      Names answers;
      for (const auto& [platform, contest] : one.devices) {
        if (told.contains(&contest) || !contest.winner) continue;
        answers.push_back(fmt::format("{} {}, {}", first_line(report_.platforms[platform].label),
                                      answer_text(contest),
                                      format_duration(median_of(row(*contest.winner)), 3)));
      }
      if (answers.empty()) continue;
      if (headline_.more.size() == problems_told) {
        ++left;
        continue;
      }
      const std::string which = problem(one.first_row(), true);
      headline_.more.push_back(
          fmt::format("{}{}{}", which, which.empty() ? "" : ": ", fmt::join(answers, "; ")));
    }
    if (left > 0) headline_.more.push_back(fmt::format("and {} below", counted(left, "more problem")));
  }

  const Report& report_;
  RowNumbers rows_;
  std::map<std::size_t, RowNumbers> platforms_;  ///< the same by platform
  /// What the question is about: a tunable or `layout`; empty: which variant. In a course: the parameter,
  /// `cache` or `launch` that it goes along.
  std::string axis_;
  bool is_course_ = false;         ///< the question is how times go along the axis, and not who is fastest
  Names leaders_;                  ///< parameters of the problem that are told …
  std::set<std::string> varying_;  ///< … and those of them that differ among the rows
  PointWords words_;
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
