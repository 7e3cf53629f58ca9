// How far a run is, in one line.
#pragma once

#include "model/measure.hpp"
#include "model/point.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace benchctl {

/// Counts the points that a run measures. Where nothing can be drawn over, a line is due every 10 s.
class ProgressLine {
 public:
  /// `seconds`: a clock that never goes back.
  explicit ProgressLine(std::function<double()> seconds) : seconds_(std::move(seconds)) {}

  /// `open` points are to be measured.
  void start(std::size_t open);
  /// A point is done. True if it was the last of them: finals measure some again, which do not count.
  [[nodiscard]] bool count(const Point& point, const Measurement* measurement);
  /// True every 10 s.
  [[nodiscard]] bool is_due();
  /// `[3/8] ~72 s left`: points that are done, and the time for the others if they take as long.
  [[nodiscard]] std::string counter() const;
  /// The counter, what is done for which point, and the fastest so far. In `width` columns (0: any number)
  /// the fastest is left out first; then the label ends in `…`.
  [[nodiscard]] std::string text(const Point& point, const std::string& what, std::size_t width) const;

 private:
  std::function<double()> seconds_;
  std::size_t open_ = 0;
  std::size_t done_ = 0;
  double begin_ = 0;
  double told_ = 0;  ///< when a line was due
  double best_ns_ = std::numeric_limits<double>::infinity();
  std::string best_;
};

}  // namespace benchctl
