#include "report/progress_line.hpp"

#include "model/words.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

namespace benchctl {

void ProgressLine::start(std::size_t open) {
  open_ = open;
  done_ = 0;
  begin_ = told_ = seconds_();
}

bool ProgressLine::count() {
  finals_ = done_ == open_;
  return !finals_ && ++done_ == open_;
}

bool ProgressLine::is_due() {
  if (seconds_() - told_ < 10) return false;
  told_ = seconds_();
  return true;
}

std::string ProgressLine::counter() const {
  if (finals_) return "[finals]";
  std::string text = fmt::format("[{}/{}]", done_, open_);
  if (done_ == 0 || done_ == open_) return text;
  const double seconds =
      (seconds_() - begin_) / static_cast<double>(done_) * static_cast<double>(open_ - done_);
  if (seconds < 99.5) return fmt::format("{} ~{:.0f} s left", text, seconds);
  if (seconds < 99.5 * 60) return fmt::format("{} ~{:.0f} min left", text, seconds / 60);
  return fmt::format("{} ~{:.1f} h left", text, seconds / 3600);
}

std::string ProgressLine::text(const Point& point, const std::string& what, std::size_t width) const {
  std::string text = visible(fmt::format("{}  {}: {}", counter(), what, point.label()));
  if (width == 0 || columns_of(text) <= width) return text;
  return std::string(first_columns(text, width - 1)) + "…";
}

}  // namespace benchctl
