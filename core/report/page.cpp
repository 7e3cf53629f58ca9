#include "report/page.hpp"

#include "model/words.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

namespace benchctl {

namespace {

constexpr std::string_view title_mark = "<!--benchctl:title-->";
constexpr std::string_view data_mark = "<!--benchctl:data-->";

std::string read_template(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  std::string text = content.str();
  if (!stream || text.empty()) {
    throw PageError(
        fmt::format("there is no page template at '{}': this benchctl was built without npm. Use --format "
                    "md, csv or json, or install Node.js with npm and build again",
                    file));
  }
  return text;
}

/// The text with some of its characters replaced.
std::string replaced(std::string_view text, const std::map<char, std::string_view>& by) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto found = by.find(c);
    if (found == by.end()) {
      result += c;
    } else {
      result += found->second;
    }
  }
  return result;
}

}  // namespace

std::string escaped_html(std::string_view text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string html_page(const Report& report, const std::filesystem::path& page_template,
                      const PageOptions& options) {
  const std::string text = read_template(page_template);
  const std::size_t title = text.find(title_mark);
  const std::size_t data = text.rfind(data_mark);
  if (title == std::string::npos || data == std::string::npos || data < title) {
    throw PageError(
        fmt::format("the page template '{}' is damaged: build or install benchctl again", page_template));
  }
  const std::size_t after_title = title + title_mark.size();
  return text.substr(0, title) + escaped_html(first_line(report_title(report))) +
         text.substr(after_title, data - after_title) +
         replaced(page_data(report, options), {{'<', "\\u003c"}}) + text.substr(data + data_mark.size());
}

}  // namespace benchctl
