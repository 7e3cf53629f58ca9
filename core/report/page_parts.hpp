// The two long parts of the page's data. For core/report/page_*.cpp only.
#pragma once

#include "report/report.hpp"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace benchctl {

/// Enough for every figure that the page shows, and half as long as all of them.
inline constexpr int page_digits = 4;

/// A number with that many significant digits; a whole one as an integer, which has no `.0`. Null for what
/// is not finite.
[[nodiscard]] nlohmann::ordered_json short_number(double number, int digits);

/// Appends a member to the text of an object that is still without its `}`: long members are written one by
/// one, so that only one of them is held beside the text.
void add_member(std::string& object, std::string_view name, std::string_view json);

/// Member `points`, as text: column by column, texts and parameter values as numbers into lists of what
/// occurs (a plain list where most differ), so that a page of 100,000 points stays small enough to be
/// opened. A column of one value is that value.
[[nodiscard]] std::string page_points(const Report& report);

/// Member `facts`: the columns of texts that the page shows of a point.
[[nodiscard]] nlohmann::ordered_json page_facts();

/// Members `samples` and `samples_of`: raw samples of as many points as `budget` numbers allow, the fastest
/// points first, column by column: `point`, `of`, `from`, `step`, `steps` and `traces` by metric. A sample
/// is `from` + `step` × one of its `steps`, in nanoseconds.
[[nodiscard]] nlohmann::ordered_json page_samples(const Report& report, std::size_t budget);

}  // namespace benchctl
