// Which configurations a choice (VariantInfo::among) tries for a point.
#pragma once

#include <benchctl/problem.hpp>

#include "model/tuning.hpp"
#include "sweep/limits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// How many a point of a choice tries: its tunable of that name.
inline constexpr const char* trial_tunable = "trial";

struct FoundConfigurations {
  std::vector<Configuration> configurations;  ///< tunables complete; none twice
  std::string reason;                         ///< why there is none: the reason against the first candidate
};

/// Note of a point of a choice: the configuration that it runs, as to_text() writes it.
inline constexpr const char* configuration_note = "configuration";

/// "register_tiled along=columns tile_m=128 …".
[[nodiscard]] std::string to_text(const Configuration& configuration);
/// What to_text() has written; nothing if no variant of the choice has such tunables.
[[nodiscard]] std::optional<Configuration> configuration_from(std::string_view text,
                                                              const VariantInfo& choice,
                                                              const BackendEntry& backend);

/// How far a problem is from that of a class; nothing where the class says nothing of it. Sizes count by
/// the logarithm of their ratio, and by how much of a power of two they are multiples of (up to 16): rows
/// that begin at other places want other kernels. Words but `dtype`, which must be equal, count little.
[[nodiscard]] std::optional<double> distance(const TunedClass& from, const Parameters& problem);

/// Those of the nearest classes, of the choice or of a variant that it is among, that can run here; `most`
/// at most. Those measured for this very problem come first, the others by the time that is expected of
/// them: what was measured for their class, scaled by KernelSpec::effort. Where a class tells no time, they
/// come in its order, the nearest class first. Behind them come those of other architectures, and the
/// defaults of every variant of `choice.among`. The choice's own tunables do not count.
[[nodiscard]] FoundConfigurations find_configurations(const PlanCase& choice, std::size_t most);

}  // namespace benchctl
