// A kernel as data. A variant that is a source file is described by a KernelSpec: expressions over the
// problem's and the variant's parameters. The engine evaluates them for one point into a KernelPlan,
// plain numbers, which is what a backend compiles and launches. Built-in kernels and users' own have
// the same type.
//
// Expressions are those of `where` in a config (core/expr): arithmetic, comparison, `min`, `max`,
// `ceil_div`, `sizeof(dtype)`, `ctype(dtype)` (the C name of an element type). They may name
// problem parameters, tunables, `layout`, and of the device `compute_units`, `warp` (threads that run
// together, 1 where there is no such thing) and `last_level_cache` (bytes).
#pragma once

#include <benchctl/problem.hpp>
#include <benchctl/types.hpp>

#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// One argument of a launch: a text alone, or an expression and what it is passed as.
struct ArgumentSpec {
  /// The name of a buffer, a scratch buffer, a scalar or any value that expressions may name. Alternatives
  /// stand for a buffer that not every problem of the workload has: "y|x" is `y`, or `x` where there is no
  /// `y` and the kernel does not look at it. `*` (all_arguments) stands for all buffers of the problem and
  /// then all its scalars, in the workload's order. Any other text is an expression that gives such a name,
  /// "if(copied == 1, 'rows_of_a', 'A')", or a number. Whole numbers are passed as i32, reals as f32.
  std::string text;
  /// What the expression `text` is passed as: an element type, or `dtype`, that of the problem.
  /// `local_bytes`: a pointer to so many bytes of local memory (OpenCL). Empty: as said above.
  std::string as;

  ArgumentSpec() = default;
  ArgumentSpec(const char* name) : text(name) {}             ///< `launch.arguments = {"A", "n"}`
  ArgumentSpec(std::string name) : text(std::move(name)) {}  ///< the same
  /// `{ i32 = "num_blocks" }` is {"num_blocks", "i32"}.
  ArgumentSpec(std::string expression, std::string passed_as)
      : text(std::move(expression)), as(std::move(passed_as)) {}
  bool operator==(const ArgumentSpec&) const = default;  ///< by both texts
};

/// In ArgumentSpec::as.
inline constexpr const char* local_argument = "local_bytes";

/// One launch of a sequence. Texts are expressions unless said otherwise.
struct LaunchSpec {
  std::string source;  ///< file name, relative to the kernel directory of the backend or the config
  /// Name of the kernel function in it, or, where its language has templates, of one with its arguments:
  /// `add<REAL, TILE>`. Arguments may name definitions and any value that expressions may name.
  std::string entry;
  std::map<std::string, std::string, std::less<>> defines;  ///< macro name → expression
  std::array<std::string, 3> block{"1", "1", "1"};          ///< threads per block, x y z
  std::array<std::string, 3> grid{"1", "1", "1"};           ///< blocks, x y z
  std::string shared_bytes = "0";  ///< dynamic shared memory (CUDA); declared inside the kernel elsewhere
  std::string local_bytes = "0";   ///< all shared / local memory of a block; rules points out
  std::vector<ArgumentSpec> arguments;  ///< in the order of the kernel's parameters
  std::string when = "true";            ///< a condition: the launch is left out where it does not hold
  /// How often it runs, one after the other; its other expressions may name `substep`, which counts from 0.
  /// Empty: once.
  std::string repeat = {};
  /// Pairs of outputs and scratch buffers that change places in `arguments` after each repetition.
  std::vector<std::string> swap = {};
  /// It runs when scratch memory has been made and zeroed, not in the timed window. It takes scratch
  /// buffers and numbers, never the problem's buffers: no result can be made in advance.
  bool prepare = false;
  /// What its backend alone understands: name → expression.
  std::map<std::string, std::string, std::less<>> extras = {};
  /// Options of the compiler. What stands in braces is an expression: `--maxrregcount={registers}`.
  std::vector<std::string> options = {};
  /// Constant memory of the source: symbol → name of the buffer or scratch buffer that it is a copy of.
  std::map<std::string, std::string, std::less<>> constants = {};
};

/// In ArgumentSpec::text: every buffer, then every scalar.
inline constexpr const char* all_arguments = "*";

/// Memory that a variant needs beside the problem's buffers.
struct ScratchSpec {
  std::string name;         ///< its name in argument lists
  DType type = DType::f32;  ///< element type
  std::string count = "0";  ///< elements, an expression
  bool zeroed = false;      ///< zero it before every execution, inside the timed window
};

/// A variant that is one or more source files.
struct KernelSpec {
  std::vector<LaunchSpec> launches;  ///< run in order; together they are the timed unit
  std::vector<ScratchSpec> scratch;  ///< shared by all launches
  /// Named intermediate values, each with its expression, evaluated in this order. Later expressions may
  /// use them: those of launches, scratch and access patterns, and the variant's `require`.
  std::vector<std::pair<std::string, std::string>> derived = {};
  /// Work of the busiest compute unit, in any unit. A choice scales times that were measured for one
  /// problem to others by it. Empty: the workload's operations.
  std::string effort = {};
  /// How often the sequence of launches runs; as in a LaunchSpec, but the counter is `step`.
  std::string repeat = {};
  std::vector<std::string> swap = {};  ///< as in a LaunchSpec, after each repetition of the sequence
};

/// Where a launch argument comes from.
struct PlannedArgument {
  /// Which of the lists it is in: ProblemSpec::buffers, KernelPlan::scratch, KernelPlan::scalars. `local`
  /// has none.
  enum class Kind : std::uint8_t { buffer, scratch, scalar, local };
  Kind kind = Kind::buffer;  ///< the list
  std::size_t index = 0;     ///< the place in it; of `local` the bytes of local memory
};

/// A LaunchSpec, evaluated.
struct PlannedLaunch {
  std::string source;  ///< absolute path
  std::string entry;   ///< name of the kernel function, of a template with its arguments
  std::map<std::string, std::string, std::less<>> defines;  ///< macro name → text
  std::array<std::uint64_t, 3> block{1, 1, 1};              ///< threads per block, x y z
  std::array<std::uint64_t, 3> grid{1, 1, 1};               ///< blocks, x y z
  std::uint64_t shared_bytes = 0;                           ///< dynamic shared memory
  std::uint64_t local_bytes = 0;                            ///< all shared / local memory of a block
  std::vector<PlannedArgument> arguments;                   ///< in the order of the kernel's parameters
  bool prepare = false;  ///< runs at the end of Prepared::reset_scratch and after preparing, never timed
  /// Name → text, as of a definition. Compiling takes nothing from it. A backend refuses names that it does
  /// not know.
  std::map<std::string, std::string, std::less<>> extras = {};
  /// For the compiler; a backend refuses those that it does not know.
  std::vector<std::string> options = {};
  /// Symbol → the buffer or scratch buffer whose first bytes are copied there before the launch, in the
  /// timed window. Compiling takes nothing from it.
  std::map<std::string, PlannedArgument, std::less<>> constants = {};
};

/// A ScratchSpec, evaluated.
struct PlannedScratch {
  std::string name;         ///< as in the ScratchSpec
  DType type = DType::f32;  ///< element type
  std::uint64_t count = 0;  ///< elements
  bool zeroed = false;      ///< before every execution, inside the timed window
};

/// A KernelSpec, evaluated for one point: what a backend compiles and launches.
struct KernelPlan {
  std::vector<PlannedLaunch> launches;   ///< in order
  std::vector<PlannedScratch> scratch;   ///< to be allocated before the first execution
  std::vector<ScalarSpec> scalars = {};  ///< the problem's, then what expressions of arguments gave
};

}  // namespace benchctl
