// What a [[kernel]] takes over from others. Internal to this room.
#pragma once

#include "config/document.hpp"

#include <vector>

namespace benchctl {

/// Lays a value over another. In two tables the members are laid over each other, in two lists of tables
/// with names (`scratch`) those of one name; what only `upper` has comes last. Else `upper` takes the place
/// of `lower`.
void lay_over(Node& lower, const Node& upper);

/// Adds the [[kernel]] tables of the array `kernels` to `list`, each laid over the one above it that its
/// `like` names, or over `common`. A table with name and workload of one that `list` has already is laid
/// over that one, in its place. What `like` cannot find is reported.
void add_kernels(Reporter& reporter, const Node& kernels, const Node& common, std::vector<Node>& list);

/// Takes out those that are `abstract`: they were only for `like`.
void drop_abstract(std::vector<Node>& kernels);

}  // namespace benchctl
