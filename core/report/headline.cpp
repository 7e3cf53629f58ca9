#include "report/headline.hpp"

#include "model/key_text.hpp"
#include "model/names.hpp"
#include "model/question.hpp"
#include "model/value_order.hpp"
#include "report/answers.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

/// Measures roofs: the experiment does not ask about it beside other workloads.
constexpr std::string_view roof_probes = "peaks";
constexpr std::size_t devices_told = 8;
constexpr std::size_t problems_told = 3;
constexpr std::size_t ties_told = 4;
constexpr std::size_t charted_variants = 12;

using RowNumbers = std::vector<std::size_t>;

/// `4 %` more, or `1.3×`, `27×` as much.
std::string factor_text(double ratio) {
  const double percent = (ratio - 1) * 100;
  if (percent < 9.5) return format_significant(percent, 1) + " %";
  return format_significant(ratio, ratio < 99.5 ? 2 : 3) + "×";
}

/// Who wins on one device and problem.
struct Contest {
  std::optional<std::size_t> winner;
  RowNumbers tied;        ///< the winner and what ties with it, a row of each name
  std::size_t names = 0;  ///< number of names that compete
  std::optional<std::size_t> runner_up;
  RowNumbers of_each;  ///< the fastest row of each name, in their order
  bool by_axis = false;
  bool several_variants = false;

  [[nodiscard]] bool resolved() const { return winner && (names == 1 || tied.size() < names); }
};

/// Tells of the rows of one workload.
class Teller {
 public:
  Teller(const Report& report, const std::string& title, RowNumbers rows)
      : report_(report), rows_(std::move(rows)) {
    headline_.title = title;
    headline_.workload = point(rows_.front()).workload;
    for (const std::size_t row : rows_) words_.add(point(row));
    choose_question();
    keep_one_measure();
    find_leaders();
  }

  Headline tell() {
    for (const std::size_t row : rows_) {
      tables_[report_.places[row].comparison][report_.places[row].platform].push_back(row);
    }
    if (course_) {
      tell_course();
    } else {
      tell_contests();
    }
    if (headline_.lines.size() > devices_told) {
      headline_.more.insert(headline_.more.begin(), fmt::format("and {} more devices below",
                                                                headline_.lines.size() - devices_told));
      headline_.lines.resize(devices_told);
    }
    return std::move(headline_);
  }

 private:
  [[nodiscard]] const ResultRow& row_at(std::size_t row) const { return report_.rows[row]; }
  [[nodiscard]] const Point& point(std::size_t row) const { return row_at(row).point(); }
  [[nodiscard]] const Rank& rank_of(std::size_t row) const { return report_.places[row].rank; }
  [[nodiscard]] bool is_vendor(std::size_t row) const { return row_at(row).stored.row.vendor; }
  [[nodiscard]] std::string device(std::size_t platform) const {
    return first_line(report_.platforms[platform].label);
  }

  // --- the question ---

  void choose_question() {
    std::set<std::tuple<std::size_t, std::size_t>> races;
    std::set<SharedParameters> problems;
    std::map<std::string, std::set<Value, ValueOrder>> courses;
    for (const std::size_t row : rows_) {
      const Point& own = point(row);
      races.emplace(report_.places[row].comparison, report_.places[row].platform);
      problems.insert(own.problem);
      for (const auto& [name, value] : own.problem) courses[name].insert(value);
      for (const char* name : {"cache", "launch"}) courses[name].insert(*value_on(own, name));
    }
    headline_.axis = report_.questions.at({headline_.title, headline_.workload});
    // As in tables: many problems with a row or two for each device are read down one column.
    const bool contest =
        rows_.size() > races.size() && (problems.size() < 3 || rows_.size() > 2 * races.size());
    course_ = headline_.axis.empty() ? !contest : courses.contains(headline_.axis);
    if (!course_ || !headline_.axis.empty()) return;
    std::size_t most = 1;
    const auto widest = [&](bool of_problem) {
      for (const auto& [name, values] : courses) {
        if ((name == "cache" || name == "launch") == of_problem || values.size() < most) continue;
        if (values.size() == most && name != "n") continue;
        headline_.axis = name;
        most = values.size();
      }
    };
    widest(true);
    if (most == 1) widest(false);
    course_ = most > 1;
    if (!course_) headline_.axis.clear();
  }

  /// Times of several ways of measuring never meet: those of the commonest stay.
  void keep_one_measure() {
    const auto key = [&](std::size_t row) {
      const MeasureSettings& measure = point(row).measure;
      return std::tuple(headline_.axis == "cache" ? CacheMode{} : measure.cache,
                        headline_.axis == "launch" ? LaunchMode{} : measure.launch, measure.basis);
    };
    std::map<decltype(key(0)), std::size_t> counts;
    for (const std::size_t row : rows_) ++counts[key(row)];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    std::erase_if(rows_, [&](std::size_t row) { return key(row) != most->first; });
  }

  /// Parameters of the problem without those that always have the value of another, as m and k have that of
  /// n.
  void find_leaders() {
    std::map<std::string, std::vector<std::optional<Value>>> columns;
    for (const std::size_t row : rows_) {
      for (const auto& [name, value] : point(row).problem) columns[name];
    }
    for (auto& [name, column] : columns) {
      for (const std::size_t row : rows_) column.push_back(value_on(point(row), name));
    }
    for (const auto& [name, column] : columns) {
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

  // --- words ---

  /// `f32, n = 512`; `only_varying`: without what all rows have in common.
  [[nodiscard]] std::string problem_words(std::size_t row, bool only_varying) const {
    Names words;
    Names numbers;
    for (const std::string& name : leaders_) {
      const std::optional<Value> value = value_on(point(row), name);
      if (!value || (course_ && name == headline_.axis) || (only_varying && !varying_.contains(name)))
        continue;
      if (std::holds_alternative<std::string>(*value)) {
        words.push_back(first_line(to_text(*value)));
      } else {
        numbers.push_back(first_line(fmt::format("{} = {}", name, to_text(*value))));
      }
    }
    words.insert(words.end(), numbers.begin(), numbers.end());
    if (!only_varying) {
      const MeasureSettings& measure = point(row).measure;
      const MeasureSettings plain;
      if (measure.basis != plain.basis) words.push_back(fmt::format("basis {}", to_string(measure.basis)));
      if (measure.cache != plain.cache && headline_.axis != "cache") {
        words.push_back(fmt::format("cache {}", to_string(measure.cache)));
      }
      if (measure.launch != plain.launch && headline_.axis != "launch") {
        words.push_back(fmt::format("launch {}", to_string(measure.launch)));
      }
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  [[nodiscard]] std::string about(const std::string& problem) const {
    return first_line(headline_.workload) + (problem.empty() ? "" : ' ' + problem);
  }

  /// The name of a value of the axis, or of a variant.
  [[nodiscard]] std::string name_of(std::size_t row, bool by_axis, bool several_variants) const {
    if (by_axis) {
      const std::string value = first_line(to_text(*value_on(point(row), headline_.axis)));
      return several_variants ? fmt::format("{} ({})", value, first_line(point(row).variant)) : value;
    }
    const std::string library = row_at(row).library();
    return words_.variant(point(row)) + (library.empty() ? "" : fmt::format(" ({})", library));
  }

  /// `cuBLAS`, `OpenBLAS (16 threads)` if the row beside it ran on another number.
  [[nodiscard]] std::string yardstick_name(std::size_t row, std::size_t beside) const {
    const std::string library = row_at(row).library();
    const std::string name = library.empty() ? words_.variant(point(row)) : library;
    const std::string threads = row_at(row).threads();
    const bool differ = !threads.empty() && threads != row_at(beside).threads();
    return differ ? fmt::format("{} ({})", name, threads) : name;
  }

  // --- which is fastest ---

  /// `rows` of one device and problem.
  [[nodiscard]] Contest contest_of(const RowNumbers& rows, bool by_axis) const {
    Contest contest;
    contest.by_axis = by_axis;
    RowNumbers pool;
    std::ranges::copy_if(rows, std::back_inserter(pool), [&](std::size_t row) {
      return by_axis ? rank_of(row).asked : rank_of(row).competes;
    });
    if (pool.empty()) return contest;
    const auto is_best = [&](std::size_t row) {
      return by_axis ? rank_of(row).asked_best : rank_of(row).best;
    };
    const auto is_tied = [&](std::size_t row) {
      return by_axis ? rank_of(row).asked_ties : rank_of(row).ties;
    };
    const auto behind = [&](std::size_t row) {
      return std::tuple(!is_best(row), !is_tied(row),
                        by_axis ? rank_of(row).versus_asked : rank_of(row).versus_best);
    };
    std::ranges::stable_sort(pool, {}, behind);
    contest.winner = pool.front();
    std::set<std::string> variants;
    for (const std::size_t row : pool) variants.insert(point(row).variant);
    contest.several_variants = variants.size() > 1;
    std::set<std::string> names;
    for (const std::size_t row : pool) {
      const auto [name, fresh] = names.insert(name_of(row, by_axis, contest.several_variants));
      if (!fresh) continue;
      contest.of_each.push_back(row);
      if (row == *contest.winner || is_tied(row)) {
        contest.tied.push_back(row);
      } else if (!contest.runner_up) {
        contest.runner_up = row;
      }
    }
    contest.names = names.size();
    return contest;
  }

  [[nodiscard]] std::string answer_text(const Contest& contest) const {
    const std::string& variant = point(contest.tied.front()).variant;
    // What all names would have in brackets is said once.
    const bool once =
        contest.by_axis && contest.several_variants && contest.tied.size() > 1 &&
        std::ranges::all_of(contest.tied, [&](std::size_t row) { return point(row).variant == variant; });
    Names tied;
    for (const std::size_t row : contest.tied) {
      tied.push_back(name_of(row, contest.by_axis, contest.several_variants && !once));
    }
    const std::string first = (contest.by_axis ? first_line(headline_.axis) + ' ' : "") + tied.front();
    const std::string end = once ? fmt::format(" ({})", first_line(variant)) : "";
    if (tied.size() == 1) return first;
    if (tied.size() == contest.names && tied.size() > 2)
      return fmt::format("{}, all {} tie{}", first, tied.size(), end);
    const std::size_t shown = tied.size() > ties_told ? ties_told - 1 : tied.size();
    const std::string more = shown < tied.size() ? fmt::format(" and {} more", tied.size() - shown) : "";
    return fmt::format("{}, {}{} tie{}", first,
                       fmt::join(tied.begin() + 1, tied.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                       more, end);
  }

  /// A competing row of the same device and problem that `wanted` accepts: that with the smallest time.
  template <class Wanted>
  [[nodiscard]] std::optional<std::size_t> fastest_beside(std::size_t row, Wanted wanted) const {
    std::optional<std::size_t> found;
    for (const std::size_t other : report_.comparisons[report_.places[row].comparison].rows) {
      const bool rival = other != row && report_.places[other].platform == report_.places[row].platform;
      if (!rival || !rank_of(other).competes || !wanted(other)) continue;
      if (!found || rank_of(other).versus_best < rank_of(*found).versus_best) found = other;
    }
    return found;
  }

  /// What the winner is compared with beside its runner-up.
  [[nodiscard]] std::optional<std::size_t> yardstick(std::size_t winner) const {
    if (!rank_of(winner).best) {
      return fastest_beside(winner, [&](std::size_t row) { return rank_of(row).best; });
    }
    // The fastest of ours behind a vendor library, or the fastest vendor library behind ours.
    if (is_vendor(winner)) {
      return fastest_beside(winner, [&](std::size_t row) { return rank_of(row).own_best; });
    }
    return fastest_beside(winner, [&](std::size_t row) { return is_vendor(row); });
  }

  [[nodiscard]] std::string factors(const Contest& contest, std::optional<std::size_t> other) const {
    const std::size_t winner = *contest.winner;
    Names clauses;
    const std::optional<std::size_t> second = contest.runner_up;
    if (second && second != other && (contest.by_axis || !is_vendor(winner))) {
      const Rank& rank = rank_of(*second);
      const std::string name = contest.by_axis ? name_of(*second, true, contest.several_variants)
                                               : yardstick_name(*second, winner);
      clauses.push_back(fmt::format(
          "{} faster than {}", factor_text(contest.by_axis ? rank.versus_asked : rank.versus_best), name));
    }
    if (!other) return fmt::format("{}", fmt::join(clauses, ", "));
    const std::string name = yardstick_name(*other, winner);
    const bool in_front = rank_of(winner).best;
    if (rank_of(in_front ? *other : winner).ties) {
      // A variant is among the names that tie already.
      if (contest.by_axis) clauses.push_back("ties with " + name);
    } else if (in_front) {
      clauses.push_back(fmt::format("{} faster than {}", factor_text(rank_of(*other).versus_best), name));
    } else {
      clauses.push_back(fmt::format("{} is {} faster", name, factor_text(rank_of(winner).versus_best)));
    }
    return fmt::format("{}", fmt::join(clauses, ", "));
  }

  /// Problems of the workload, the largest first.
  [[nodiscard]] RowNumbers by_size() const {
    RowNumbers order;
    for (const auto& [comparison, platforms] : tables_) order.push_back(comparison);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t comparison) {
      const Cost& cost = row_at(tables_.at(comparison).begin()->second.front()).stored.row.cost;
      return std::pair(cost.flops, cost.bytes_read + cost.bytes_written);
    });
    return order;
  }

  void tell_contests() {
    const RowNumbers order = by_size();
    std::set<std::size_t> platforms;
    std::set<std::size_t> with_axis;
    for (const std::size_t row : rows_) {
      platforms.insert(report_.places[row].platform);
      if (rank_of(row).asked) with_axis.insert(report_.places[row].platform);
    }
    std::map<std::size_t, std::map<std::size_t, Contest>> contests;  // by comparison and platform
    for (const auto& [comparison, table] : tables_) {
      for (const auto& [platform, rows] : table) {
        contests[comparison][platform] = contest_of(rows, with_axis.contains(platform));
      }
    }
    const auto holds = [&](std::size_t comparison, std::size_t platform, bool resolved) {
      const auto found = contests[comparison].find(platform);
      return found != contests[comparison].end() &&
             (resolved ? found->second.resolved() : found->second.winner.has_value());
    };
    const auto first_where = [&](auto accepts) {
      const auto found = std::ranges::find_if(order, accepts);
      return found != order.end() ? std::optional(*found) : std::nullopt;
    };
    // The problem that all devices speak of.
    std::optional<std::size_t> common;
    for (const bool resolved : {true, false}) {
      std::set<std::size_t> able;
      std::ranges::copy_if(platforms, std::inserter(able, able.end()), [&](std::size_t platform) {
        return std::ranges::any_of(order, [&](std::size_t c) { return holds(c, platform, resolved); });
      });
      if (common || able.empty()) continue;
      common = first_where([&](std::size_t c) {
        return std::ranges::all_of(able,
                                   [&](std::size_t platform) { return holds(c, platform, resolved); });
      });
      if (resolved) break;
    }
    std::set<std::pair<std::size_t, std::size_t>> told;
    for (const std::size_t platform : platforms) {
      std::optional<std::size_t> own;
      if (common && holds(*common, platform, false)) own = common;
      for (const bool resolved : {true, false}) {
        if (!own) own = first_where([&](std::size_t c) { return holds(c, platform, resolved); });
      }
      if (!own) {
        headline_.lines.push_back({.platform = platform,
                                   .device = device(platform),
                                   .answer = "no winner: " + why_none(platform)});
        continue;
      }
      told.emplace(*own, platform);
      tell_winner(platform, contests[*own][platform], own == common);
    }
    headline_.comparison = common;
    if (!headline_.axis.empty()) {
      headline_.question = fmt::format("which {}?", first_line(headline_.axis));
    } else if (rows_.size() > tables_.size()) {
      headline_.question = "which variant?";
    }
    headline_.about =
        about(common ? problem_words(tables_.at(*common).begin()->second.front(), false) : "");
    tell_others(order, contests, told);
  }

  [[nodiscard]] std::string why_none(std::size_t platform) const {
    RowNumbers own;
    std::ranges::copy_if(rows_, std::back_inserter(own),
                         [&](std::size_t row) { return report_.places[row].platform == platform; });
    return why_none_wins(report_, own);
  }

  void tell_winner(std::size_t platform, const Contest& contest, bool of_common) {
    const std::size_t winner = *contest.winner;
    const std::optional<std::size_t> other = yardstick(winner);
    const std::string at = of_common ? "" : problem_words(winner, true);
    headline_.lines.push_back({.platform = platform,
                               .winner = winner,
                               .device = device(platform),
                               .answer = answer_text(contest) + (at.empty() ? "" : " at " + at),
                               .time = format_time(*row_at(winner).stored.measurement),
                               .factors = factors(contest, other)});
    RowNumbers charted = contest.of_each;
    if (headline_.axis.empty() && charted.size() > charted_variants) charted.resize(charted_variants);
    headline_.rows.insert(headline_.rows.end(), charted.begin(), charted.end());
    if (!headline_.axis.empty() && other) headline_.beside.push_back(*other);
  }

  void tell_others(const RowNumbers& order,
                   const std::map<std::size_t, std::map<std::size_t, Contest>>& contests,
                   const std::set<std::pair<std::size_t, std::size_t>>& told) {
    std::size_t left = 0;
    for (const std::size_t comparison : order) {
      Names answers;
      for (const auto& [platform, contest] : contests.at(comparison)) {
        if (told.contains({comparison, platform}) || !contest.winner) continue;
        answers.push_back(fmt::format("{} {}, {}", device(platform), answer_text(contest),
                                      format_duration(median_of(row_at(*contest.winner)), 3)));
      }
      if (answers.empty()) continue;
      if (headline_.more.size() == problems_told) {
        ++left;
        continue;
      }
      const std::string problem = problem_words(tables_.at(comparison).begin()->second.front(), true);
      headline_.more.push_back(
          fmt::format("{}{}{}", problem, problem.empty() ? "" : ": ", fmt::join(answers, "; ")));
    }
    if (left > 0)
      headline_.more.push_back(
          fmt::format("and {} more {} below", left, left == 1 ? "problem" : "problems"));
  }

  // --- how times go along an axis ---

  /// The rows of one variant and configuration with most values of the axis, in the order of the values.
  [[nodiscard]] RowNumbers longest_series(std::size_t platform) const {
    std::map<std::string, std::map<Value, std::size_t, ValueOrder>> all;
    Names order;
    for (const std::size_t row : rows_) {
      const auto value = value_on(point(row), headline_.axis);
      if (!value || !rank_of(row).competes || report_.places[row].platform != platform) continue;
      KeyText key;
      key.add(point(row).variant).add(point(row).layout).add(point(row).tunables);
      for (const std::string& name : varying_) {
        if (name == headline_.axis) continue;
        if (const auto own = value_on(point(row), name)) key.add(name).add(to_text(*own));
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

  /// Which figure tells how times go along a series: of equal work the time.
  [[nodiscard]] std::string quantity_of(const RowNumbers& series) const {
    const Cost& first = row_at(series.front()).stored.row.cost;
    const auto all = [&](auto holds) {
      return std::ranges::all_of(series,
                                 [&](std::size_t row) { return holds(row_at(row).stored.row.cost); });
    };
    if (all([](const Cost& cost) { return cost.accesses > 0; })) return "access";
    if (all([&](const Cost& cost) {
          return cost.flops == first.flops && cost.bytes_read == first.bytes_read &&
                 cost.bytes_written == first.bytes_written;
        })) {
      return "time";
    }
    if (all([](const Cost& cost) { return cost.flops > 0; })) return "gflops";
    return all([](const Cost& cost) { return cost.bytes_read + cost.bytes_written > 0; }) ? "gbytes"
                                                                                          : "time";
  }

  [[nodiscard]] std::string figure(std::size_t row, const std::string& quantity) const {
    if (quantity == "access") return format_duration(row_at(row).ns_per_access, 3) + " per access";
    if (quantity == "gflops") return format_significant(row_at(row).gflops, 3) + " GFLOP/s";
    if (quantity == "gbytes") return format_significant(row_at(row).gbytes_per_s, 3) + " GB/s";
    return format_duration(median_of(row_at(row)), 3);
  }

  void tell_course() {
    std::set<std::size_t> platforms;
    for (const std::size_t row : rows_) platforms.insert(report_.places[row].platform);
    const std::string axis = first_line(headline_.axis);
    headline_.about = about("along " + axis);
    for (const std::size_t platform : platforms) {
      const RowNumbers series = longest_series(platform);
      HeadlineLine line{.platform = platform, .device = device(platform)};
      if (series.empty()) {
        line.answer = "no winner: " + why_none(platform);
        headline_.lines.push_back(std::move(line));
        continue;
      }
      const std::string quantity = quantity_of(series);
      if (headline_.rows.empty()) headline_.quantity = quantity;
      if (quantity == headline_.quantity) {
        headline_.rows.insert(headline_.rows.end(), series.begin(), series.end());
      }
      const auto at = [&](std::size_t row) {
        return first_line(to_text(*value_on(point(row), headline_.axis)));
      };
      const std::string problem = problem_words(series.front(), true);
      line.winner = series.front();
      line.answer = words_.variant(point(series.front())) + (problem.empty() ? "" : ", " + problem);
      line.time = fmt::format("{} at {} = {}", figure(series.front(), quantity), axis, at(series.front()));
      if (series.size() > 1)
        line.factors = fmt::format("{} at {}", figure(series.back(), quantity), at(series.back()));
      headline_.lines.push_back(std::move(line));
    }
  }

  const Report& report_;
  RowNumbers rows_;  ///< those with times of one title and workload, measured in one way
  bool course_ = false;
  Names leaders_;
  std::set<std::string> varying_;                                    ///< parameters that differ in `rows_`
  std::map<std::size_t, std::map<std::size_t, RowNumbers>> tables_;  ///< by comparison and platform
  PointWords words_;
  Headline headline_;
};

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
  const bool only_roofs = workloads.size() == 1;
  std::vector<Headline> headlines;
  for (auto& [key, own] : rows) {
    if (workloads[key.second] == roof_probes && !only_roofs) continue;
    headlines.push_back(Teller(report, titles[key.first], std::move(own)).tell());
  }
  return headlines;
}

}  // namespace benchctl
