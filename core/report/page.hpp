// The report as one HTML file.
#pragma once

#include "report/report.hpp"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

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

// Parts of the data, for core/report/page_*.cpp only.

/// A number with five significant digits, which are enough for ratios of medians; a whole one with all, as
/// an integer, which has no `.0`. Null for what is not finite.
[[nodiscard]] nlohmann::ordered_json short_number(double number);

/// Appends a member to the text of an object that is still without its `}`: long members are written one by
/// one, so that only one of them is held beside the text.
void add_member(std::string& object, std::string_view name, std::string_view json);

/// Member `points`, as text: column by column, texts and parameter values as numbers into lists of what
/// occurs (a plain list where most differ), so that a page of 100,000 points stays small enough to be
/// opened. A column of one value is that value.
[[nodiscard]] std::string page_points(const Report& report);

/// Member `facts`: the columns of texts that the page shows of a point.
[[nodiscard]] nlohmann::ordered_json page_facts(const Report& report);

/// Member `quantities`: the columns of numbers that charts show.
[[nodiscard]] nlohmann::ordered_json page_quantities();

}  // namespace benchctl
