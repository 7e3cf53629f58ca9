// For core/report/explain_*.cpp only.
#pragma once

#include "report/explain.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// What else went on on the machine while the point was measured.
[[nodiscard]] std::vector<Finding> explain_machine(const PointStory& story);

/// With a capital letter and a full stop.
[[nodiscard]] std::string sentence(std::string_view text);

}  // namespace benchctl
