// Who is fastest, device by device, in the words of a headline.
#include "report/answers.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/headline_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

constexpr std::size_t problems_told = 3;
constexpr std::size_t ties_told = 4;
constexpr std::size_t charted_variants = 12;

/// `4 %` more, or `1.3×`, `27×` as much.
std::string factor_text(double ratio) {
  const double percent = (ratio - 1) * 100;
  if (percent < 9.5) return format_significant(percent, 1) + " %";
  return format_significant(ratio, ratio < 99.5 ? 2 : 3) + "×";
}

/// At most so many names: `4, 16 and 3 more`.
std::string few_of(const Names& names, std::size_t most) {
  const std::size_t shown = names.size() > most ? most - 1 : names.size();
  const std::string more = shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "";
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), more);
}

/// Who wins on one device and problem.
struct Contest {
  bool by_axis = false;  ///< among the rows that the question is about
  std::optional<std::size_t> winner{};
  RowNumbers tied{};       ///< the winner and what ties with it, a row of each name
  RowNumbers undecided{};  ///< not shown slower, though the runner-up is, which seems faster
  std::size_t names = 0;   ///< number of names that compete
  std::optional<std::size_t> runner_up{};
  RowNumbers of_each{};  ///< the fastest row of each name, in their order
  bool several_variants = false;

  [[nodiscard]] bool resolved() const { return winner && (names == 1 || tied.size() < names); }
};

/// Who is fastest, device by device: fills a headline.
class Contests {
 public:
  Contests(const Report& report, const HeadlineRows& rows, Headline& headline)
      : report_(report), rows_(rows), headline_(headline) {
    std::set<std::size_t> with_axis;
    for (const std::size_t row : rows_.rows) {
      tables_[rows_.place(row).comparison][rows_.place(row).platform].push_back(row);
      if (rows_.rank(row).asked.competes) with_axis.insert(rows_.place(row).platform);
    }
    for (const auto& [comparison, table] : tables_) {
      order_.push_back(comparison);
      for (const auto& [platform, own] : table)
        contests_[comparison].emplace(platform, contest_of(own, with_axis.contains(platform)));
    }
    std::ranges::stable_sort(order_, std::greater{}, [&](std::size_t comparison) {
      const Cost& cost = rows_.row(first_row(comparison)).row.cost;
      return std::pair(cost.flops, cost.bytes_read + cost.bytes_written);
    });
  }

  void tell() {
    const std::optional<std::size_t> common = common_problem();
    std::set<std::pair<std::size_t, std::size_t>> told;
    for (const std::size_t platform : rows_.platforms()) {
      std::optional<std::size_t> own;
      if (common && holds(*common, platform, false)) own = common;
      for (const bool resolved : {true, false}) {
        if (!own) own = first_where([&](std::size_t c) { return holds(c, platform, resolved); });
      }
      if (own) {
        told.emplace(*own, platform);
        tell_winner(platform, contests_[*own].at(platform), own == common);
      } else {
        headline_.lines.push_back({.platform = platform,
                                   .device = rows_.device(platform),
                                   .answer = "no winner: " + why_none_wins(report_, rows_.on(platform))});
      }
    }
    headline_.comparison = common;
    if (!rows_.axis.empty()) {
      headline_.question = fmt::format("which {}?", first_line(rows_.axis));
    } else if (rows_.rows.size() > tables_.size()) {
      headline_.question = "which variant?";
    }
    headline_.about = rows_.about(common ? rows_.problem(first_row(*common), false) : "");
    tell_others(told);
  }

 private:
  [[nodiscard]] std::size_t first_row(std::size_t comparison) const {
    return tables_.at(comparison).begin()->second.front();
  }

  /// Among all of its device and problem, or among those that the question is about.
  [[nodiscard]] const Standing& standing(std::size_t row, bool by_axis) const {
    const Rank& rank = rows_.rank(row);
    return by_axis ? rank.asked : rank;
  }

  /// Has the device a winner there, one that does not tie with all its rivals?
  [[nodiscard]] bool holds(std::size_t comparison, std::size_t platform, bool resolved) const {
    const auto& table = contests_.at(comparison);
    const auto found = table.find(platform);
    return found != table.end() && (resolved ? found->second.resolved() : found->second.winner.has_value());
  }

  template <class Accepts>
  [[nodiscard]] std::optional<std::size_t> first_where(Accepts accepts) const {
    const auto found = std::ranges::find_if(order_, accepts);
    return found != order_.end() ? std::optional(*found) : std::nullopt;
  }

  /// The problem that all devices speak of: the largest that is resolved on each that has such a problem;
  /// where no device has one, that has a winner on each.
  [[nodiscard]] std::optional<std::size_t> common_problem() const {
    for (const bool resolved : {true, false}) {
      std::set<std::size_t> able = rows_.platforms();
      std::erase_if(able, [&](std::size_t platform) {
        return !first_where([&](std::size_t c) { return holds(c, platform, resolved); });
      });
      if (able.empty()) continue;
      return first_where([&](std::size_t c) {
        return std::ranges::all_of(able,
                                   [&](std::size_t platform) { return holds(c, platform, resolved); });
      });
    }
    return std::nullopt;
  }

  /// The name of a value of the axis, or of a variant.
  [[nodiscard]] std::string name_of(std::size_t row, bool by_axis, bool several_variants) const {
    if (by_axis) {
      const std::string value = first_line(to_text(*rows_.axis_value(row)));
      return several_variants ? fmt::format("{} ({})", value, first_line(rows_.point(row).variant)) : value;
    }
    const std::string library = rows_.row(row).library();
    return rows_.variant(row) + (library.empty() ? "" : fmt::format(" ({})", library));
  }

  /// `rows` of one device and problem.
  [[nodiscard]] Contest contest_of(const RowNumbers& rows, bool by_axis) const {
    Contest contest{.by_axis = by_axis};
    RowNumbers pool;
    std::ranges::copy_if(rows, std::back_inserter(pool),
                         [&](std::size_t row) { return standing(row, by_axis).competes; });
    if (pool.empty()) return contest;
    std::ranges::stable_sort(pool, {}, [&](std::size_t row) {
      const Standing& own = standing(row, by_axis);
      return std::tuple(!own.best, !own.ties, own.versus_best);
    });
    contest.winner = pool.front();
    std::set<std::string> variants;
    for (const std::size_t row : pool) variants.insert(rows_.point(row).variant);
    contest.several_variants = variants.size() > 1;
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
    contest.names = names.size();
    if (!contest.runner_up) return contest;
    const auto ratio = [&](std::size_t row) { return standing(row, by_axis).versus_best; };
    const auto seems_slower =
        std::find_if(contest.tied.begin() + 1, contest.tied.end(),
                     [&](std::size_t row) { return ratio(row) > ratio(*contest.runner_up); });
    contest.undecided.assign(seems_slower, contest.tied.end());
    contest.tied.erase(seems_slower, contest.tied.end());
    return contest;
  }

  [[nodiscard]] std::string answer_text(const Contest& contest) const {
    const std::string& variant = rows_.point(contest.tied.front()).variant;
    // What all names would have in brackets is said once.
    const bool once = contest.by_axis && contest.several_variants && contest.tied.size() > 1 &&
                      std::ranges::all_of(contest.tied, [&](std::size_t row) {
                        return rows_.point(row).variant == variant;
                      });
    Names tied;
    for (const std::size_t row : contest.tied) {
      tied.push_back(name_of(row, contest.by_axis, contest.several_variants && !once));
    }
    const std::string first = (contest.by_axis ? first_line(rows_.axis) + ' ' : "") + tied.front();
    const std::string end = once ? fmt::format(" ({})", first_line(variant)) : "";
    if (tied.size() == contest.names && tied.size() > 2)
      return fmt::format("{}, all {} tie{}", first, tied.size(), end);
    Names undecided;
    for (const std::size_t row : contest.undecided) {
      undecided.push_back(name_of(row, contest.by_axis, contest.several_variants));
    }
    const std::string unknown =
        undecided.empty() ? "" : fmt::format(" ({} undecided)", few_of(undecided, ties_told));
    if (tied.size() == 1) return first + unknown;
    tied.erase(tied.begin());
    return fmt::format("{}, {} tie{}{}", first, few_of(tied, ties_told - 1), end, unknown);
  }

  /// A competing row of the same device and problem that `wanted` accepts: that with the smallest time.
  template <class Wanted>
  [[nodiscard]] std::optional<std::size_t> fastest_beside(std::size_t row, Wanted wanted) const {
    std::optional<std::size_t> found;
    for (const std::size_t other : report_.comparisons[rows_.place(row).comparison].rows) {
      const bool rival = other != row && rows_.place(other).platform == rows_.place(row).platform;
      if (!rival || !rows_.rank(other).competes || !wanted(other)) continue;
      if (!found || rows_.rank(other).versus_best < rows_.rank(*found).versus_best) found = other;
    }
    return found;
  }

  /// What the winner is compared with beside its runner-up.
  [[nodiscard]] std::optional<std::size_t> yardstick(std::size_t winner) const {
    if (!rows_.rank(winner).best) {
      return fastest_beside(winner, [&](std::size_t row) { return rows_.rank(row).best; });
    }
    // The fastest of ours behind a vendor library, or the fastest vendor library behind ours.
    if (rows_.is_vendor(winner)) {
      return fastest_beside(winner, [&](std::size_t row) { return rows_.rank(row).own.best; });
    }
    return fastest_beside(winner, [&](std::size_t row) { return rows_.is_vendor(row); });
  }

  [[nodiscard]] std::string factors(const Contest& contest, std::optional<std::size_t> other) const {
    const std::size_t winner = *contest.winner;
    Names clauses;
    const std::optional<std::size_t> second = contest.runner_up;
    if (second && second != other && (contest.by_axis || !rows_.is_vendor(winner))) {
      const std::string name = contest.by_axis ? name_of(*second, true, contest.several_variants)
                                               : rows_.yardstick(*second, winner);
      clauses.push_back(fmt::format("{} faster than {}",
                                    factor_text(standing(*second, contest.by_axis).versus_best), name));
    }
    if (!other) return fmt::format("{}", fmt::join(clauses, ", "));
    const std::string name = rows_.yardstick(*other, winner);
    const bool in_front = rows_.rank(winner).best;
    if (rows_.rank(in_front ? *other : winner).ties) {
      // A variant is among the names that tie already.
      if (contest.by_axis) clauses.push_back("ties with " + name);
    } else if (in_front) {
      clauses.push_back(
          fmt::format("{} faster than {}", factor_text(rows_.rank(*other).versus_best), name));
    } else {
      clauses.push_back(fmt::format("{} is {} faster", name, factor_text(rows_.rank(winner).versus_best)));
    }
    return fmt::format("{}", fmt::join(clauses, ", "));
  }

  void tell_winner(std::size_t platform, const Contest& contest, bool of_common) {
    const std::size_t winner = *contest.winner;
    const std::optional<std::size_t> other = yardstick(winner);
    const std::string at = of_common ? "" : rows_.problem(winner, true);
    headline_.lines.push_back({.platform = platform,
                               .winner = winner,
                               .device = rows_.device(platform),
                               .answer = answer_text(contest) + (at.empty() ? "" : " at " + at),
                               .time = format_time(*rows_.row(winner).measurement),
                               .factors = factors(contest, other)});
    RowNumbers charted = contest.of_each;
    if (rows_.axis.empty() && charted.size() > charted_variants) charted.resize(charted_variants);
    headline_.rows.insert(headline_.rows.end(), charted.begin(), charted.end());
    if (!rows_.axis.empty() && other) headline_.beside.push_back(*other);
  }

  /// What the problems say that no line is about.
  void tell_others(const std::set<std::pair<std::size_t, std::size_t>>& told) {
    std::size_t left = 0;
    for (const std::size_t comparison : order_) {
      Names answers;
      for (const auto& [platform, contest] : contests_.at(comparison)) {
        if (told.contains({comparison, platform}) || !contest.winner) continue;
        answers.push_back(fmt::format("{} {}, {}", rows_.device(platform), answer_text(contest),
                                      format_duration(median_of(rows_.row(*contest.winner)), 3)));
      }
      if (answers.empty()) continue;
      if (headline_.more.size() == problems_told) {
        ++left;
        continue;
      }
      const std::string problem = rows_.problem(first_row(comparison), true);
      headline_.more.push_back(
          fmt::format("{}{}{}", problem, problem.empty() ? "" : ": ", fmt::join(answers, "; ")));
    }
    if (left > 0)
      headline_.more.push_back(
          fmt::format("and {} more {} below", left, left == 1 ? "problem" : "problems"));
  }

  const Report& report_;
  const HeadlineRows& rows_;
  Headline& headline_;
  std::map<std::size_t, std::map<std::size_t, RowNumbers>> tables_;  ///< by comparison and platform
  std::map<std::size_t, std::map<std::size_t, Contest>> contests_;   ///< the same
  RowNumbers order_;                                                 ///< comparisons, the largest first
};

}  // namespace

void tell_contests(const Report& report, const HeadlineRows& rows, Headline& headline) {
  Contests(report, rows, headline).tell();
}

}  // namespace benchctl
