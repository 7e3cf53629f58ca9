// Tunables that had another name before (TunableInfo::formerly): what was written then is read with today's
// names.
#pragma once

#include <benchctl/variant.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace benchctl {

/// Today's name by the former one.
using FormerNames = std::map<std::string, std::string, std::less<>>;

/// Former names of these variants' tunables. A name that one of them has today is left out.
[[nodiscard]] FormerNames former_names(std::span<const VariantInfo> variants);

/// `text`, an expression, with today's names.
[[nodiscard]] std::string renamed(std::string_view text, const FormerNames& names);
/// A value under today's name as well as under the former one stays under both.
[[nodiscard]] Parameters renamed(const Parameters& parameters, const FormerNames& names);

/// For the record of a run, whose readers know no variants: `matmul/tiled.band=raster
/// matmul/tiled.splits=split_k`.
[[nodiscard]] std::string recorded_names(std::span<const VariantInfo> variants);
/// What such a text says of a variant.
[[nodiscard]] FormerNames former_names_from(std::string_view text, std::string_view workload,
                                            std::string_view variant);

}  // namespace benchctl
