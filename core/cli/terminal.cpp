#include "cli/terminal.hpp"

#include "model/visible.hpp"
#include "report/text_width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace benchctl::cli {

void tell_raw(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void tell_text(const std::string& text) {
  tell_raw(fit_lines(visible_lines(text), text_width(STDERR_FILENO)));
}

void write_text(const std::string& text) { fmt::print("{}", fit_lines(text, text_width(STDOUT_FILENO))); }

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

bool colours_on(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return is_terminal(descriptor) && (no_colour == nullptr || *no_colour == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
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

}  // namespace benchctl::cli
