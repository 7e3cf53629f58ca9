// How far a run is, in one line.
#pragma once

#include "model/point.hpp"

#include <cstddef>
#include <functional>
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
  [[nodiscard]] bool count();
  /// True every 10 s.
  [[nodiscard]] bool is_due();
  /// `[3/8] ~72 s left`: points that are done, and the time for the others if they take as long; `[finals]`
  /// when some are measured again.
  [[nodiscard]] std::string counter() const;
  /// The counter, and what is done for which point, in `width` columns (0: any number).
  [[nodiscard]] std::string text(const Point& point, const std::string& what, std::size_t width) const;

 private:
  std::function<double()> seconds_;
  std::size_t open_ = 0;
  std::size_t done_ = 0;
  double begin_ = 0;
  double told_ = 0;  ///< when a line was due
  bool finals_ = false;
};

}  // namespace benchctl
