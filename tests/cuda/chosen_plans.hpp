#pragma once

#include "claimed_plans.hpp"

#include <vector>

namespace benchctl::test {

/// The plans of a variant that derives its configuration from the size of a product, for sizes that show
/// every kind of it; none of other variants.
[[nodiscard]] std::vector<ClaimedPlan> chosen_plans(const VariantInfo& variant);

}  // namespace benchctl::test
