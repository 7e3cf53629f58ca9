// The points of the page's data. For core/report/page_*.cpp only.
#pragma once

#include "report/report.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace benchctl {

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
