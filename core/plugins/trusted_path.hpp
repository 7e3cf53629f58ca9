// Where code may be loaded from. A plugin runs with all rights of the user, so nobody else may have put it
// there. Kernels may be native code, too, and what is in a cache is executed later.
//
// The rule: the file and every folder above it, up to the root, belong to root or to the user who runs
// benchctl, and nobody else may write to them. Symbolic links are followed one by one, each belongs to one
// of the two, and the folders that it stands in are held to the rule like those that it leads to.
// - A group that may write counts as somebody else, unless it is the user's own: it has the user's name, is
//   the user's primary group and lists no other member (and no access list says more).
// - A sticky folder of root, like /tmp, is open to all, but nobody can rename or replace what another user
// has
//   in it: folders in it are fine if they keep the rule. A plugin directly in it is refused, since others
//   could have put files of such names there.
#pragma once

#include <filesystem>
#include <string>

namespace benchctl {

/// Why a file is not to be trusted: which path, who may change it and what to do. Empty if it keeps the
/// rule, or if there is no such file.
[[nodiscard]] std::string distrust_of(const std::filesystem::path& file);
/// The same of a folder and of everything in it; empty for an empty name.
[[nodiscard]] std::string distrust_of_all(const std::filesystem::path& folder);
/// The part of it about who owns the file itself, wherever it is.
[[nodiscard]] std::string foreign_owner_of(const std::filesystem::path& file);

}  // namespace benchctl
