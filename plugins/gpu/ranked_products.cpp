#include "gpu/ranked_products.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace benchctl::gpu {

std::vector<Ranked<PlannedProduct>> ProductRanking::ranked(const std::string& first, std::size_t most) && {
  std::ranges::stable_sort(ways_, {}, &Ranked<PlannedProduct>::expected_ns);
  const auto found = std::ranges::find(ways_, first, [](const auto& way) { return way.form.text; });
  std::rotate(ways_.begin(), found, std::next(found));
  ways_.erase(ways_.begin() + static_cast<std::ptrdiff_t>(std::min(most, ways_.size())), ways_.end());
  return std::move(ways_);
}

}  // namespace benchctl::gpu
