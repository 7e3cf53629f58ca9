// What a launch may say to its backend alone.
#pragma once

#include <benchctl/failure.hpp>
#include <benchctl/kernel_spec.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace benchctl::gpu {

/// Throws Failure (unsupported) for a launch with extras that are not among `known`.
inline void check_extras(const KernelPlan& plan, std::initializer_list<std::string_view> known) {
  for (const PlannedLaunch& launch : plan.launches) {
    for (const auto& [name, text] : launch.extras) {
      if (std::ranges::find(known, name) != known.end()) continue;
      std::string names;
      for (const std::string_view one : known) names.append(names.empty() ? "" : ", ").append(one);
      throw Failure(FailureKind::unsupported, "kernel '" + launch.entry +
                                                  "': this backend knows no extra '" + name + "'; it has " +
                                                  (names.empty() ? "none" : names));
    }
  }
}

}  // namespace benchctl::gpu
