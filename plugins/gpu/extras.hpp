// What a launch may say to its backend alone.
#pragma once

#include <benchctl/failure.hpp>
#include <benchctl/kernel_spec.hpp>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::gpu {

/// Throws Failure (unsupported) for a launch with extras that are not among `known`.
inline void check_extras(const KernelPlan& plan, std::span<const std::string_view> known) {
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

/// Throws Failure (unsupported) for a launch with constant memory of its own.
inline void refuse_constants(const KernelPlan& plan) {
  for (const PlannedLaunch& launch : plan.launches) {
    if (launch.constants.empty()) continue;
    throw Failure(FailureKind::unsupported, "kernel '" + launch.entry + "' fills constant memory '" +
                                                launch.constants.begin()->first +
                                                "', which CUDA alone has: pass the buffer as an argument");
  }
}

/// Throws Failure (compile_error) for an option of a compiler that is not among `known`. One that ends in
/// `*` stands for all that begin so. Options that name files or folders are not to be among them: nothing
/// would tell what a compiler read or wrote there.
inline void check_options(const std::vector<std::string>& options,
                          std::initializer_list<std::string_view> known, const std::string& source) {
  for (const std::string& option : options) {
    const auto fits = [&](std::string_view one) {
      return one.ends_with('*') ? option.starts_with(one.substr(0, one.size() - 1)) : option == one;
    };
    if (std::ranges::any_of(known, fits)) continue;
    std::string names;
    for (const std::string_view one : known) names.append(names.empty() ? "" : " ").append(one);
    throw Failure(FailureKind::compile_error,
                  source + ": the option " + option + " is not among those of this backend: " + names +
                      "; headers are found beside the kernel, macros are the key 'defines'");
  }
}

}  // namespace benchctl::gpu
