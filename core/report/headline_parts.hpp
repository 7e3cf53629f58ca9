// What an experiment asks, and the words of its answer. For core/report/headline*.cpp only.
#pragma once

#include "report/headline.hpp"

#include <optional>

namespace benchctl {

struct Question {
  enum class Kind : std::uint8_t {
    contest,  ///< which is fastest on one problem
    course,   ///< how times go along the axis
    single,   ///< one time: nothing competes and nothing varies
  };
  Kind kind = Kind::single;
  std::string axis{};
};

/// The value of a parameter, `layout`, `cache` or `launch`; nothing where the point has none.
[[nodiscard]] std::optional<Value> value_on(const Point& point, const std::string& axis);

/// `rows` of one workload, all with times.
[[nodiscard]] Question question_of(const std::string& title, std::span<const HeadlineRow> rows,
                                   const std::vector<std::size_t>& places);

/// Names of problem parameters that tell the rows apart: those with several values, without those that
/// follow another
/// (`m` and `k` are always as large as `n`). Of one problem: its whole numbers, each once.
[[nodiscard]] std::vector<std::string> telling_parameters(std::span<const HeadlineRow> rows,
                                                          const std::vector<std::size_t>& places);

using RowNumbers = std::vector<std::size_t>;

/// The rows of one workload, what is asked of them, and which of them answer it. Places are those of the
/// rows given.
class WorkloadRows {
 public:
  WorkloadRows(const std::string& title, std::span<const HeadlineRow> rows, RowNumbers places);

  [[nodiscard]] const Question& question() const { return question_; }
  /// Of the problem.
  [[nodiscard]] const std::vector<std::string>& telling() const { return telling_; }
  /// Times of several ways of measuring never meet: those of the commonest, all along the axis.
  [[nodiscard]] const RowNumbers& places() const { return places_; }

  [[nodiscard]] const HeadlineRow& at(std::size_t place) const { return rows_[place]; }
  [[nodiscard]] const ResultRow& row(std::size_t place) const { return *rows_[place].row; }
  [[nodiscard]] const Point& point(std::size_t place) const { return row(place).point(); }
  [[nodiscard]] bool heads(std::size_t place) const { return rows_[place].standing == Standing::heads; }
  [[nodiscard]] bool vendor(std::size_t place) const { return row(place).stored.row.vendor; }
  [[nodiscard]] double median(std::size_t place) const { return median_of(row(place)); }
  /// Of the axis.
  [[nodiscard]] std::string value_text(std::size_t place) const;
  /// How many there are on the axis.
  [[nodiscard]] std::size_t values_of(const RowNumbers& places) const;

  /// May it be the answer?
  [[nodiscard]] bool competes(std::size_t place) const;
  [[nodiscard]] std::optional<std::size_t> fastest(const RowNumbers& places) const;
  /// The rows that may head of the device's largest problem; with most rows of several as large.
  [[nodiscard]] RowNumbers largest_problem(const RowNumbers& places) const;
  /// What the best is measured against: a vendor's library, or the fastest of another variant.
  [[nodiscard]] std::optional<std::size_t> yardstick(std::size_t best, const RowNumbers& ties,
                                                     const RowNumbers& rivals) const;
  /// The fastest of each value of the axis, or of each variant, by time.
  [[nodiscard]] RowNumbers fastest_of_each(const RowNumbers& pool) const;
  /// The rows of one variant and configuration with most values of the axis, in the order of the values.
  [[nodiscard]] RowNumbers longest_series(const RowNumbers& places) const;
  /// Which figure tells how times go along a series: of equal work the time.
  [[nodiscard]] std::string quantity_of(const RowNumbers& series) const;

 private:
  void keep_one_measure();

  std::span<const HeadlineRow> rows_;
  RowNumbers places_;
  std::vector<std::string> telling_;
  Question question_;
};

/// The sentence of one workload, `places` its rows with times.
[[nodiscard]] Headline tell(const std::string& title, std::span<const HeadlineRow> rows,
                            std::span<const std::string> labels, const RowNumbers& places);

/// `1.04×`, `6.2×`, `120×`.
[[nodiscard]] std::string times_text(double ratio);
/// `a`, `a and b`, `a, b, c and 3 more`.
[[nodiscard]] std::string and_list(const std::vector<std::string>& words);
[[nodiscard]] std::string capitalised(std::string text);
/// `cuBLAS` of the note `library = cuBLAS 12.4`; empty without the note.
[[nodiscard]] std::string library_of(const ResultRow& row);
/// Can the two times not be told apart? Without intervals only equal ones cannot.
[[nodiscard]] bool same_time(const ResultRow& a, const ResultRow& b);

}  // namespace benchctl
