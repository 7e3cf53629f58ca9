#pragma once

#include "claimed_plans.hpp"

#include <string>
#include <vector>

namespace benchctl::test {

/// What the variants of matmul that choose their form for themselves take for the products of
/// product_sizes.hpp on `architecture`: they have no description that could be planned.
[[nodiscard]] std::vector<ClaimedPlan> chosen_plans(const std::string& architecture);

}  // namespace benchctl::test
