// "did you mean …?": the nearest of a list of valid names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace benchctl {

/// Damerau-Levenshtein distance in its optimal-string-alignment form: the least number of inserted,
/// deleted, replaced or swapped adjacent bytes, no byte being edited twice.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, the first of several; nothing when even that one is too far away to
/// be a slip: more than a third of the longer word (at least 1, at most 3), or another word altogether.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string> candidates);

}  // namespace benchctl
