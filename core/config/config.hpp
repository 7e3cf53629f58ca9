// A config, typed. Every part keeps its place in the text, so that checks that need to know backends
// and workloads (core/sweep) can point at it too.
#pragma once

#include <benchctl/types.hpp>

#include "config/diagnostic.hpp"
#include "config/kernels.hpp"
#include "expr/expression.hpp"
#include "model/comparison.hpp"
#include "model/measure.hpp"
#include "model/point.hpp"
#include "model/published.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Where the roofs come from that predictions and shares are made with.
enum class Roofs : std::uint8_t {
  run,     ///< measured in this run, before everything else
  cached,  ///< the newest of this device in the store, if its driver and clock are the same
  none,
};

/// In which order problems are measured; with a budget the smallest come first.
enum class ProblemOrder : std::uint8_t {
  random,  ///< drawn from the run's seed, so that a device that heats up hits no size in particular
  written,
};

BENCHCTL_WORDS(ProblemOrder, random, written)
BENCHCTL_WORDS(Roofs, run, cached, none)

struct Experiment {
  std::string name;
  std::string title;  ///< the name when none is given
  std::string description;
  std::string question = {};  ///< an axis: "tile"; empty: by what the points vary (model/point.hpp)
  Roofs roofs = Roofs::cached;
  ProblemOrder order = ProblemOrder::random;
};

/// Published figures with their place in the config.
struct PublishedEntry {
  Published figures;
  Position position;
  Position match_position;
};

/// Values of one parameter. A range is written out already.
struct Axis {
  std::string name;
  Position position;  ///< where the name is
  std::vector<Value> values;
  /// Where each value is; all values of a range have the range's position.
  std::vector<Position> value_positions;
  /// Values that an earlier one equals, as written: only an axis that is tied to others may have some.
  std::vector<Word> repeats;
};

/// Compares places by the values that axes have there, the first axis first.
struct TupleOrder {
  const std::vector<const Axis*>& axes;

  bool operator()(std::size_t a, std::size_t b) const {
    const ValueOrder less;
    for (const Axis* axis : axes) {
      if (less(axis->values[a], axis->values[b])) return true;
      if (less(axis->values[b], axis->values[a])) return false;
    }
    return false;
  }
};

/// Keys of a `measure` table, as written: what is absent leaves the setting above it as it is.
struct MeasureEntry {
  std::string key;
  Value value;                   ///< a list's words are joined by blanks
  Position position;             ///< where the value is
  std::vector<Word> words = {};  ///< the words, if the value is a list
};
using MeasurePatch = std::vector<MeasureEntry>;

/// Which points of a sweep are measured, and in which order.
struct SearchSettings {
  Word strategy{"all", {}};         ///< a name of sweep/strategy.hpp's table
  std::uint64_t max_points = 0;     ///< per problem and lane; 0: the strategy's default
  std::uint64_t seed = 1;           ///< seeds all that the search draws
  Word objective{"median_ns", {}};  ///< a metric that has a better direction
  Position position;
  /// Set by `benchctl tune`, by nothing else: the search is for configurations of this variant.
  std::string tuned = {};
};

/// Lanes that an override is for: all that is given must agree.
struct Match {
  std::optional<Word> backend;
  std::optional<DeviceType> device_type;
  std::optional<Word> device;  ///< pattern of a lane's name, `opencl:*`
};

struct Override {
  Position position;
  Match match;
  std::vector<Axis> axes;
  MeasurePatch measure;
};

struct ZipGroup {
  Position position;
  std::vector<Word> names;
};

struct Condition {
  Expression expression;
  Position position;  ///< where the opening quote is
};

struct VariantExpectation {
  Word variant;
  Expect expect = Expect::right;
};

struct Sweep {
  std::string name;
  Position position;
  Word workload;
  std::optional<std::vector<Word>> backends;  ///< absent: every backend there is
  std::vector<Word> devices;                  ///< patterns of lane names; empty: all but simulators
  std::optional<std::vector<Word>> variants;  ///< absent: every variant that a backend has
  std::vector<Axis> axes;                     ///< as written
  std::vector<ZipGroup> zips;
  std::vector<Condition> where;
  std::vector<Override> overrides;  ///< later wins
  MeasurePatch measure;
  std::optional<SearchSettings> search;  ///< absent: the config's
  Expect expect = Expect::right;         ///< for variants that `expectations` does not name
  std::vector<VariantExpectation> expectations;

  /// Does it mean the backend? Without `backends` it means all.
  [[nodiscard]] bool takes_backend(std::string_view backend) const {
    return !backends || find_by(*backends, backend, &Word::text) != nullptr;
  }
};

struct Config {
  Experiment experiment;
  MeasureSettings measure;
  CompareSettings compare;
  Position baseline_position;    ///< where `baseline` in [compare] is
  MeasurePatch measure_entries;  ///< what `[measure]` and `--set measure.…` say
  std::vector<Sweep> sweeps;
  SearchSettings search;
  std::vector<KernelEntry> kernels;  ///< the sweep's own kernels
  Workloads workloads;               ///< all that its points may be of
  std::vector<SourceFile>
      data_files;   ///< inputs and reference results, as far as they are worth keeping with a run
  FileRules files;  ///< where its files are
  std::vector<PublishedEntry> published;
  std::string text;               ///< the file's contents
  std::string path;               ///< as given by the user
  std::vector<std::string> sets;  ///< `--set` arguments applied, in order

  /// A reporter that knows the file and the `--set` arguments.
  [[nodiscard]] Reporter reporter() const;
};

/// Limits of a config; what goes beyond is refused. Those of tables and lists are in document.hpp, that of
/// the values of all axes together in Reporter::Room.
inline constexpr std::size_t max_config_bytes = std::size_t{10} << 20;
inline constexpr std::size_t max_axis_values = 100'000;  ///< on one axis
/// In all sweeps on a machine, those that conditions rule out included, and in one search.
inline constexpr std::size_t max_combinations = 100'000;
/// Bytes of a sweep's `where`, which is evaluated for each combination.
inline constexpr std::size_t max_condition_bytes = 2000;

/// The text of a config's or a policy's file. Throws ConfigErrors if it cannot be read, or is larger than
/// max_config_bytes.
[[nodiscard]] std::string read_config_text(const std::filesystem::path& path);

/// In place of a config's file.
inline constexpr std::string_view standard_input = "-";

/// Reads and checks a file, or `standard_input` with the current folder as the config's, without knowledge
/// of backends and workloads. Throws ConfigErrors with everything that is wrong. Files that the config
/// names are looked for, and must be, in its folder, unless `allow_outside`.
[[nodiscard]] Config load_config(const std::filesystem::path& path, bool allow_outside = false);
/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Config parse_config(const std::string& text, const std::string& name, FileRules files = {});

/// `n=[256]`: gives every sweep that has the axis these values instead, overrides included. If none has it,
/// every sweep gets it whose workload has that parameter.
/// `SWEEP.n=[256]`: the sweep of that name only. `measure.max_seconds=0.5`: a measure setting, for all.
/// Values are TOML; a bare word (`dtype=f64`) is a string. Throws ConfigErrors.
void apply_set(Config& config, const std::string& assignment);

}  // namespace benchctl
