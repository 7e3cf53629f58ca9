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

enum class Form : std::uint8_t {
  quiet,  ///< messages: what the user should read
  lines,  ///< also points that failed, every 10 s what is done, and the last point
  drawn   ///< one line that is drawn over, and lines for messages and points that failed
};

class Shown : public Progress {
 public:
  Shown(Form form, Progress* also) : form_(form), also_(also) {}
  ~Shown() override { erase_line(); }
  void started(std::size_t open) override {
    if (also_ != nullptr) also_->started(open);
    line_.start(open);
  }
  void message(const std::string& text) override { tell("{}\n", text); }
  void working(const Point& point, const std::string& what) override {
    const bool is_new = std::exchange(step_, what) != what;
    if (also_ != nullptr && is_new) {
      erase_line();
      also_->working(point, what);
    }
    if (form_ == Form::lines && line_.is_due()) tell("{}\n", line_.text(point, what, 0));
    // A terminal redrawn more often only flickers, and costs time between samples. A new step may last for
    // a minute: it is drawn at once.
    const Clock::time_point now = Clock::now();
    if (form_ != Form::drawn || (!is_new && now - drawn_ < std::chrono::milliseconds(100))) return;
    drawn_ = now;
    tell_raw("\r\x1b[K" +
             line_.text(point, what, static_cast<std::size_t>(terminal_width(STDERR_FILENO) - 1)));
    line_stands = true;
  }
  void finished(const Point& point, const Measurement* measurement) override {
    if (also_ != nullptr) also_->finished(point, measurement);
    const bool last = line_.count();
    const bool failed = info(point.status).status_class == StatusClass::failed;
    if (form_ == Form::drawn && failed) message(outcome(point, measurement));
    if (form_ == Form::lines && (last || failed || line_.is_due()))
      tell("{}  {}\n", line_.counter(), outcome(point, measurement));
  }
  void stored(PointId point) override {
    erase_line();
    if (also_ != nullptr) also_->stored(point);
  }

 private:
  Form form_;
  Progress* also_;
  std::string step_;  ///< what was told last
  Clock::time_point drawn_;
  ProgressLine line_{steady_seconds};
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
  return std::make_unique<Shown>(quiet                          ? Form::quiet
                                 : knows_escapes(STDERR_FILENO) ? Form::drawn
                                                                : Form::lines,
                                 also);
}

}  // namespace benchctl::cli
