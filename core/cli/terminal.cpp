#include "cli/terminal.hpp"

#include "model/json.hpp"
#include "model/words.hpp"
#include "report/format.hpp"
#include "report/text_width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace benchctl::cli {

namespace {

using Clock = std::chrono::steady_clock;

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

/// Is it a terminal that understands escape sequences? Editors' shells set TERM to "dumb".
bool knows_escapes(int descriptor) {
  const char* term = std::getenv("TERM");
  return is_terminal(descriptor) && (term == nullptr || std::string_view(term) != "dumb");
}

void tell_raw(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int lost_output = 0;  ///< errno of the first write to standard output that failed: C's streams forget it

std::string outcome(const Point& point, const Measurement* measurement) {
  std::string text = point.label() + ": ";
  if (measurement != nullptr) text += format_duration(measurement->median_ns);
  if (point.status != Status::ok) text += fmt::format(" {}", to_string(point.status));
  if (!point.reason.empty()) text += ": " + gist_of(point.status, point.reason);
  return text;
}

/// Plain lines for points that are done, and messages.
class PlainProgress : public Progress {
 public:
  explicit PlainProgress(std::function<void(PointId)> stored) : stored_(std::move(stored)) {}
  void started(std::size_t total, std::size_t open) override {
    total_ = total;
    open_ = open;
    done_ = 0;
    begin_ = Clock::now();
  }
  void message(const std::string& text) override { tell("{}\n", text); }
  void working(const Point&, const std::string&) override {}
  void stored(PointId point) override {
    if (stored_) stored_(point);
  }
  void finished(const Point& point, const Measurement* measurement) override {
    count(point, measurement);
    tell("[{}/{}] {}\n", done(), total_, outcome(point, measurement));
  }

 protected:
  void count(const Point& point, const Measurement* measurement) {
    done_ = std::min(done_ + 1, open_);  // those that are refined have been counted
    if (measurement == nullptr || measurement->median_ns >= best_ns_) return;
    best_ns_ = measurement->median_ns;
    best_ = point.variant + " @ " + point.device;
  }
  [[nodiscard]] std::size_t done() const { return total_ - open_ + done_; }
  /// Points that are done of all, the seconds that are left if the rest goes on as it went so far, what is
  /// done now, and the best so far.
  [[nodiscard]] std::string line(const Point& point, const std::string& what) const {
    std::string text = fmt::format("[{}/{}]", done(), total_);
    if (done_ > 0) {
      const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
      text += fmt::format(" ~{:.0f} s left",
                          spent / static_cast<double>(done_) * static_cast<double>(open_ - done_));
    }
    text += fmt::format("  {}: {}", what, point.label());
    if (!best_.empty()) text += fmt::format("  best {} {}", format_duration(best_ns_), best_);
    return visible(text);
  }

 private:
  std::function<void(PointId)> stored_;
  std::size_t total_ = 0;
  std::size_t open_ = 0;
  std::size_t done_ = 0;
  double best_ns_ = std::numeric_limits<double>::infinity();
  std::string best_;
  Clock::time_point begin_ = Clock::now();
};

/// One line that is drawn over, and lines for points that failed.
class LiveProgress : public PlainProgress {
 public:
  using PlainProgress::PlainProgress;
  ~LiveProgress() override { erase(); }
  void message(const std::string& text) override {
    erase();
    tell("{}\n", text);
  }
  void working(const Point& point, const std::string& what) override {
    // A terminal redrawn more often only flickers, and costs time between samples. A new step may last for
    // a minute: it is drawn at once.
    const Clock::time_point now = Clock::now();
    if (what == what_ && now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    what_ = what;
    const auto width = static_cast<std::size_t>(terminal_width(STDERR_FILENO) - 1);
    tell_raw("\r\x1b[K" + std::string(first_columns(line(point, what), width)));
  }
  void finished(const Point& point, const Measurement* measurement) override {
    count(point, measurement);
    if (info(point.status).status_class == StatusClass::failed) message(outcome(point, measurement));
  }

 private:
  static void erase() { tell_raw("\r\x1b[K"); }
  Clock::time_point drawn_;
  std::string what_;  ///< what was drawn
};

}  // namespace

void tell_text(const std::string& text) {
  tell_raw(fit_lines(visible_lines(text), text_width(STDERR_FILENO)));
}

void write_plain(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && lost_output == 0)
    lost_output = errno;
}

int output_error() { return lost_output; }

void write_text(const std::string& text) { write_plain(fit_lines(text, text_width(STDOUT_FILENO))); }

void write_json(const nlohmann::json& document) { write_plain(many_lines(document)); }

void write_json(const nlohmann::ordered_json& document) { write_plain(many_lines(document)); }

std::string counted(std::size_t count, const std::string& what, const char* plural) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : plural);
}

bool colours_on(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  return knows_escapes(descriptor) && (no_colour == nullptr || *no_colour == '\0');
}

bool unicode_on(int descriptor) {
  if (!is_terminal(descriptor)) return false;
  // The first that is set decides, as in setlocale(3).
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

int terminal_width(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t text_width(int descriptor) {
  return is_terminal(descriptor) ? static_cast<std::size_t>(terminal_width(descriptor)) : 0;
}

std::unique_ptr<Progress> make_progress(std::function<void(PointId)> stored) {
  if (knows_escapes(STDERR_FILENO)) return std::make_unique<LiveProgress>(std::move(stored));
  return std::make_unique<PlainProgress>(std::move(stored));
}

}  // namespace benchctl::cli
