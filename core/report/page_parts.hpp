// The two long parts of the page's data. For core/report/page_*.cpp only.
#pragma once

#include "report/json_text.hpp"
#include "report/report.hpp"

#include <cstddef>

namespace benchctl {

/// Enough for every figure that the page shows, and half as long as all of them.
inline constexpr int page_digits = 4;

/// Member `points`: column by column, texts and parameter values as numbers into lists of what occurs (a
/// plain list where most differ), so that a page of 100,000 points stays small enough to be opened. A
/// column of one value is that value. Member `facts`: the columns of texts that the page shows of a point.
void write_page_points(JsonText& json, const Report& report);

/// Members `samples` and `samples_of`: raw samples of as many points as `budget` numbers allow, the fastest
/// points first, column by column: `point`, `of`, `from`, `step`, `steps` and `traces` by metric. A sample
/// is `from` + `step` × one of its `steps`, in nanoseconds.
void write_page_samples(JsonText& json, const Report& report, std::size_t budget);

}  // namespace benchctl
