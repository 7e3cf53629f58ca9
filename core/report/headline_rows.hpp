// What a headline is about: the rows of one title and workload that have times, what is asked about them,
// and what they are called.
#pragma once

#include "model/words.hpp"
#include "report/point_names.hpp"
#include "report/report.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace benchctl {

struct Headline;

/// Places among the report's rows.
using RowNumbers = std::vector<std::size_t>;

struct HeadlineRows {
  RowNumbers rows;
  /// What the question is about: a tunable or `layout`; empty: which variant. In a course: the parameter,
  /// `cache` or `launch` that it goes along.
  std::string axis;
  bool is_course = false;  ///< the question is how times go along the axis, and not who is fastest
  /// Names of parameters that differ among the rows. Those that always have the value of another, as m and
  /// k have that of n, are left out.
  std::set<std::string> varying;

  /// `numbers` is not empty. If rows were measured in several ways, those of the commonest stay: times of
  /// others never meet them.
  HeadlineRows(const Report& report, const std::string& title, RowNumbers numbers);

  [[nodiscard]] RowNumbers on(std::size_t platform) const;
  [[nodiscard]] std::set<std::size_t> platforms() const;

  [[nodiscard]] const Result& row(std::size_t number) const { return report_.rows[number]; }
  [[nodiscard]] const Point& point(std::size_t row) const { return report_.rows[row].point(); }
  [[nodiscard]] const RowPlace& place(std::size_t row) const { return report_.places[row]; }
  [[nodiscard]] const Rank& rank(std::size_t row) const { return report_.places[row].rank; }
  [[nodiscard]] bool is_vendor(std::size_t row) const { return report_.rows[row].row.vendor; }

  [[nodiscard]] std::optional<Value> axis_value(std::size_t row) const;

  [[nodiscard]] std::string device(std::size_t platform) const;
  /// `f32, n = 512`; `only_varying`: without what all rows have in common.
  [[nodiscard]] std::string problem(std::size_t row, bool only_varying) const;
  /// `matmul f32, n = 512`
  [[nodiscard]] std::string about(const std::string& problem) const;
  [[nodiscard]] std::string variant(std::size_t row) const { return words_.variant(point(row)); }
  /// `cuBLAS`, `OpenBLAS (16 threads)` if the row beside it ran on another number.
  [[nodiscard]] std::string yardstick(std::size_t row, std::size_t beside) const;

 private:
  void choose_question(const std::string& wanted);
  void keep_one_measure();
  void find_leaders();

  const Report& report_;
  Names leaders_;  ///< parameters of the problem that are told
  PointWords words_;
};

/// Fills a headline with who is fastest, device by device.
void tell_contests(const Report& report, const HeadlineRows& rows, Headline& headline);

}  // namespace benchctl
