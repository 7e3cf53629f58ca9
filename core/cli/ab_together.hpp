// Both sides of `benchctl ab` in one selection, where kernels and variants of the same plugins are
// compared: each process then measures both, in common rounds.
#pragma once

#include "cli/ab_sides.hpp"
#include "report/compare_side.hpp"

namespace benchctl::cli {

/// New's points stand behind base's. Where new has a kernel of its own that base has in another form, it is
/// another variant: `plain (new)`. Workloads, and so the kernels that say what is right, are base's.
struct Together {
  Catalogue catalogue;
  std::vector<Point> points;
  std::size_t of_base = 0;            ///< the first so many are base's
  std::vector<std::string> variants;  ///< what new's points are called in its own config
};

/// Nothing if each side needs processes of its own: their plugins, or what their workloads compute, differ.
[[nodiscard]] std::optional<Together> put_together(const AbArguments& options,
                                                   const std::array<AbSide, 2>& sides);

/// The sides of a run that holds both. The store must live as long as they.
[[nodiscard]] std::array<CompareSide, 2> sides_of(const Store& store, RunId both, const Together& together);

/// Gives new's points a run of their own, which this process owns, and leaves base's in `both`. Who is the
/// fastest is found anew in each.
[[nodiscard]] RunId take_apart(Store& store, RunId both, const Together& together,
                               const std::array<AbSide, 2>& sides);

}  // namespace benchctl::cli
