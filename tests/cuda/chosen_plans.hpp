#pragma once

#include "claimed_plans.hpp"

#include <benchctl/backend.hpp>

#include <vector>

namespace benchctl::test {

/// The plans of a variant that derives its configuration from the size of a product, for sizes that show
/// every kind of it; none of other variants.
[[nodiscard]] std::vector<ClaimedPlan> chosen_plans(const VariantInfo& variant);

/// A configuration of the committed tuning table of an architecture, at the problem of its class.
struct TunedPlan {
  const VariantInfo* variant;  ///< null if the plugin has no such variant, or it no such tunable
  std::string text;            ///< of the class and the configuration
  Parameters values;
};

/// Of all classes; none without a table.
[[nodiscard]] std::vector<TunedPlan> tuned_plans(Backend& backend, const std::string& architecture);

}  // namespace benchctl::test
