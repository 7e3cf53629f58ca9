#include "cli/terminal.hpp"

#include "model/json.hpp"
#include "model/words.hpp"
#include "report/format.hpp"
#include "report/progress_line.hpp"
#include "worker/stopwatch.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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

bool line_stands = false;  ///< a line of progress, which is gone before anything else is written

void erase_line() {
  if (line_stands) tell_raw("\r\x1b[K");
  line_stands = false;
}

int lost_output = 0;  ///< errno of the first write to standard output that failed: C's streams forget it

std::string outcome(const Point& point, const Measurement* measurement) {
  std::string text = point.label() + ": ";
  if (measurement != nullptr) text += format_duration(measurement->median_ns);
  if (point.status != Status::ok) text += fmt::format(" {}", to_string(point.status));
  if (!point.reason.empty()) text += ": " + gist_of(point.status, point.reason);
  return text;
}

/// What the user should read.
class Messages : public Progress {
 public:
  explicit Messages(Progress* also) : also_(also) {}
  void started(std::size_t open) override {
    if (also_ != nullptr) also_->started(open);
  }
  void message(const std::string& text) override { tell("{}\n", text); }
  void working(const Point& point, const std::string& what) override {
    if (also_ == nullptr || what == step_) return;
    step_ = what;
    erase_line();
    also_->working(point, what);
  }
  void finished(const Point& point, const Measurement* measurement) override {
    if (also_ != nullptr) also_->finished(point, measurement);
  }
  void stored(PointId point) override {
    erase_line();
    if (also_ != nullptr) also_->stored(point);
  }

 private:
  Progress* also_;
  std::string step_;  ///< what `also_` was told last
};

/// Lines: messages, points that failed, every 10 s what is done, and the last point.
class PlainProgress : public Messages {
 public:
  using Messages::Messages;
  void started(std::size_t open) override {
    Messages::started(open);
    line_.start(open);
  }
  void working(const Point& point, const std::string& what) override {
    Messages::working(point, what);
    if (line_.is_due()) tell("{}\n", line_.text(point, what, 0));
  }
  void finished(const Point& point, const Measurement* measurement) override {
    Messages::finished(point, measurement);
    const bool last = line_.count();
    if (last || info(point.status).status_class == StatusClass::failed || line_.is_due())
      tell("{}  {}\n", line_.counter(), outcome(point, measurement));
  }

 protected:
  ProgressLine line_{steady_seconds};
};

/// One line that is drawn over, and lines for messages and points that failed.
class LiveProgress : public PlainProgress {
 public:
  using PlainProgress::PlainProgress;
  ~LiveProgress() override { erase_line(); }
  void working(const Point& point, const std::string& what) override {
    Messages::working(point, what);
    // A terminal redrawn more often only flickers, and costs time between samples. A new step may last for
    // a minute: it is drawn at once.
    const Clock::time_point now = Clock::now();
    if (what == what_ && now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    what_ = what;
    const auto width = static_cast<std::size_t>(terminal_width(STDERR_FILENO) - 1);
    tell_raw("\r\x1b[K" + line_.text(point, what, width));
    line_stands = true;
  }
  void finished(const Point& point, const Measurement* measurement) override {
    Messages::finished(point, measurement);
    static_cast<void>(line_.count());
    if (info(point.status).status_class == StatusClass::failed) message(outcome(point, measurement));
  }

 private:
  Clock::time_point drawn_;
  std::string what_;  ///< what was drawn
};

}  // namespace

void tell_text(const std::string& text) {
  erase_line();
  tell_raw(fit_lines(visible_lines(text), text_width(STDERR_FILENO)));
}

void write_plain(const std::string& text) {
  erase_line();
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && lost_output == 0)
    lost_output = errno;
}

int output_error() { return lost_output; }

void write_text(const std::string& text) { write_plain(fit_lines(text, text_width(STDOUT_FILENO))); }

void write_json(const nlohmann::json& document) { write_plain(many_lines(document)); }

void write_json(const nlohmann::ordered_json& document) { write_plain(many_lines(document)); }

bool colours_on(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  return knows_escapes(descriptor) && (no_colour == nullptr || *no_colour == '\0');
}

int terminal_width(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::size_t text_width(int descriptor) {
  return is_terminal(descriptor) ? static_cast<std::size_t>(terminal_width(descriptor)) : 0;
}

std::unique_ptr<Progress> make_progress(bool quiet, Progress* also) {
  if (quiet) return std::make_unique<Messages>(also);
  if (knows_escapes(STDERR_FILENO)) return std::make_unique<LiveProgress>(also);
  return std::make_unique<PlainProgress>(also);
}

}  // namespace benchctl::cli
