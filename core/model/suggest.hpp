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

/// A pattern (model/glob.hpp) that matches one of the texts, made from one that matches none: with a star
/// at both ends, or with those of its words that stand in no text replaced by the nearest that do.
[[nodiscard]] std::optional<std::string> nearest_pattern(const std::string& pattern,
                                                         std::span<const std::string> texts);

/// ` (did you mean 'tiled'?)`, or nothing.
[[nodiscard]] std::string did_you_mean(const std::optional<std::string>& nearest);

}  // namespace benchctl
