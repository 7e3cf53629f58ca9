// Control groups of Linux, versions 1 and 2 (cgroups(7)): what they let this process have, and what they
// took.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Folders of this process's group and of those above it in the hierarchy that has the controller, the own
/// one first. Those above may be out of sight in a container.
[[nodiscard]] std::vector<std::filesystem::path> own_groups(std::string_view controller,
                                                            const std::filesystem::path& root = "/");

/// Processors that the tightest of these groups grants: time per period. Infinity: none limits it; nothing:
/// no group tells.
[[nodiscard]] std::optional<double> processor_quota(const std::filesystem::path& root = "/");

/// Processors that are worth a thread each: those of the affinity mask, as far as the quota lets all run.
/// At least 1.
[[nodiscard]] unsigned usable_processors(const std::filesystem::path& root = "/");

/// How often, and for how long, a quota has held back processes since the group was made.
struct Throttling {
  double times = 0;
  double seconds = 0;
};
/// What the group tells that was held back longest.
[[nodiscard]] Throttling throttling_so_far(const std::filesystem::path& root = "/");

/// How an event of a run begins that tells of it.
inline constexpr std::string_view throttled_words = "a control group's quota held";

/// `a control group's quota held processes back 12 times, for 0.6 s of 2 s`; empty if it did not in
/// between, which took `seconds`.
[[nodiscard]] std::string throttling_text(const Throttling& before, const Throttling& after,
                                          double seconds);

}  // namespace benchctl
