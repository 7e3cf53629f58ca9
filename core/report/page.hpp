// The report as one HTML file.
#pragma once

#include "report/report.hpp"

#include <filesystem>
#include <stdexcept>

namespace benchctl {

/// No page can be made: the template is missing or damaged. The text says what to do.
class PageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PageOptions {
  std::size_t samples = 13'000;  ///< how many raw samples the page may carry, over all points
  std::string history{};         ///< JSON of history_page_data (report/history.hpp); empty: none
};

/// What the page's scripts read, as JSON (`core/report/html/README.md` describes it). Reads samples.
[[nodiscard]] std::string page_data(const Report& report, const PageOptions& options);

/// The page: the template with title and data put in, all text escaped. Throws PageError, StoreError.
[[nodiscard]] std::string html_page(const Report& report, const std::filesystem::path& page_template,
                                    const PageOptions& options);

/// A text as the contents of an HTML element.
[[nodiscard]] std::string escaped_html(std::string_view text);

}  // namespace benchctl
