// The two sides of `benchctl ab`, as the command line names them, and both in one selection where kernels
// and variants of the same plugins are compared: each process then measures both, in common rounds.
#pragma once

#include "cli/selection.hpp"
#include "report/compare.hpp"

#include <array>

namespace benchctl::cli {

struct AbArguments {
  SelectionOptions selection;             ///< its config is that of base, or of both sides
  std::string other_config;               ///< new's, if it has one of its own
  std::vector<std::string> kernel_files;  ///< none or two: one that the config names, and one to put there
  std::vector<std::string> plugins;       ///< none or two: libraries, folders with some, installed prefixes
  std::string revisions;                  ///< `main..HEAD` of the repository that the config is in
};

/// Adds what names the sides, beside the options of a selection.
void add_ab_sides(CLI::App& command, AbArguments& options);

/// A side that can be measured.
struct AbSide {
  std::string name;  ///< what it is: a config, a kernel's file, a plugin, a revision
  SelectionOptions selection;
  Selection chosen;
};

/// Base and new. Each config is read once, whatever becomes of its file afterwards. Copies of revisions are
/// placed below `folder` of the workers, which outlives the sides. Throws UsageError, ConfigErrors,
/// WorkerNotStarted, std::runtime_error (from Git).
[[nodiscard]] std::array<AbSide, 2> make_ab_sides(Common& common, const AbArguments& options,
                                                  Workers& workers);

/// Makes one selection of both, in the place of base's: new's points stand behind base's. A kernel of new
/// that differs from base's kernel of that name is another variant there: `plain (new)`. Workloads, and so
/// the kernels that say what is right, are base's. False, and nothing changes, if each side needs processes
/// of its own: their plugins, or what their workloads compute, differ.
[[nodiscard]] bool put_together(const AbArguments& options, std::array<AbSide, 2>& sides);

/// Do both sides trust a kernel of the same name that differs? Then nothing says which results are right in
/// both, and the user is told so.
[[nodiscard]] bool refuse_other_truth(const std::array<AbSide, 2>& sides);

/// The sides of a run that holds both, of which `fresh` is new. The store must live as long as they.
[[nodiscard]] std::array<CompareSide, 2> sides_of(const Store& store, RunId both, const AbSide& fresh);

/// Gives new's points a run of their own, which this process owns, and leaves base's in `both`. Who is the
/// fastest is found anew in each.
[[nodiscard]] RunId take_apart(Store& store, RunId both, const std::array<AbSide, 2>& sides);

}  // namespace benchctl::cli
