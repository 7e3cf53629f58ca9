// What a headline is about: the rows of one title and workload, what is asked about them, and who wins,
// read off their ranks (store/rank.hpp).
#pragma once

#include "model/words.hpp"
#include "report/point_names.hpp"
#include "report/report.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace benchctl {

/// Places among the report's rows.
using RowNumbers = std::vector<std::size_t>;

/// Who wins on one device and problem.
struct Contest {
  RowNumbers rows{};
  bool by_axis = false;  ///< among the rows that the question is about
  /// The fastest row of each name that competes: the winner, what ties with it, then the others.
  RowNumbers of_each{};
  std::size_t ties = 0;  ///< so many of these are the winner or tie with it
  bool several_variants = false;

  [[nodiscard]] bool is_won() const { return !of_each.empty(); }
  [[nodiscard]] std::size_t winner() const { return of_each.front(); }
  [[nodiscard]] std::optional<std::size_t> runner_up() const {
    return ties < of_each.size() ? std::optional(of_each[ties]) : std::nullopt;
  }
  /// Has it a winner, one that does not tie with all its rivals?
  [[nodiscard]] bool resolved() const { return of_each.size() == 1 || ties < of_each.size(); }
};

/// The contests of one problem, by platform.
using ProblemContests = std::map<std::size_t, Contest>;
[[nodiscard]] inline std::size_t first_row(const ProblemContests& problem) {
  return problem.begin()->second.rows.front();
}

class HeadlineRows {
 public:
  /// `rows` is not empty. If rows were measured in several ways, those of the commonest count: times of
  /// others never meet them. The report must outlive it.
  HeadlineRows(const Report& report, const std::string& title, RowNumbers rows);

  [[nodiscard]] const Result& row(std::size_t number) const { return report_.rows[number]; }
  [[nodiscard]] const Point& point(std::size_t row) const { return report_.rows[row].point(); }
  [[nodiscard]] const RowPlace& place(std::size_t row) const { return report_.places[row]; }
  [[nodiscard]] const Rank& rank(std::size_t row) const { return report_.places[row].rank; }
  /// Among all of its device and problem, or among those that the question is about.
  [[nodiscard]] const Standing& standing(std::size_t row, bool by_axis) const {
    return by_axis ? rank(row).asked : rank(row);
  }
  [[nodiscard]] bool is_vendor(std::size_t row) const { return report_.rows[row].row.vendor; }
  [[nodiscard]] std::string axis_text(std::size_t row) const;
  /// The name of a value of the axis, or of a variant.
  [[nodiscard]] std::string name_of(std::size_t row, bool by_axis, bool several_variants) const;

  /// The rows of one variant and configuration on a device with most values of the axis, in the order of
  /// the values.
  [[nodiscard]] RowNumbers longest_series(std::size_t platform) const;
  /// The largest first.
  [[nodiscard]] std::vector<ProblemContests> problems() const;
  /// The first that is won on all these platforms, by a winner that does not tie with all its rivals if
  /// `resolved`; null without one.
  [[nodiscard]] static const ProblemContests* first_won(const std::vector<ProblemContests>& problems,
                                                        const std::vector<std::size_t>& platforms,
                                                        bool resolved);
  /// The problem that all devices speak of: the largest that is resolved on each that has such a problem;
  /// where no device has one, that has a winner on each.
  [[nodiscard]] const ProblemContests* common_of(const std::vector<ProblemContests>& problems) const;
  /// What the winner is compared with beside its runner-up: the fastest of its device and problem or, if it
  /// is that itself, the fastest of ours behind a vendor library, or the fastest library behind ours.
  [[nodiscard]] std::optional<std::size_t> yardstick(std::size_t winner) const;

 protected:
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

 private:
  void choose_question(const std::string& wanted);
  void keep_one_measure();
  /// Parameters that always have the value of another, as m and k have that of n, are not told.
  void find_leaders();
  void decide(Contest& contest) const;
};

}  // namespace benchctl
