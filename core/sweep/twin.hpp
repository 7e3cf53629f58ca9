// The tunable that every variant has: `twin = [1, 2]` makes two points of one implementation, each prepared
// on its own, which a comparison must call the same. A point has it only where a config names it.
#pragma once

#include <benchctl/variant.hpp>

namespace benchctl {

[[nodiscard]] inline const TunableInfo& twin_tunable() {
  static const TunableInfo twin{
      "twin",
      std::int64_t{1},
      "No effect: makes distinct points of one implementation, for comparing it with itself.",
      {"twin >= 1"},
      {std::int64_t{1}, std::int64_t{2}}};
  return twin;
}

}  // namespace benchctl
