// What the store holds, as plain values. Times of day are UTC in ISO 8601: `2025-03-01T12:00:00.250Z`.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/sampling.hpp>

#include "model/measure.hpp"
#include "model/point.hpp"
#include "model/published.hpp"
#include "model/status.hpp"
#include "workloads/workload.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

/// Keys of rows: types of their own, so that a run is never taken for a point. Users see run numbers.
enum class RunId : std::int64_t {};
enum class PointId : std::int64_t {};

[[nodiscard]] constexpr std::int64_t to_number(RunId id) { return static_cast<std::int64_t>(id); }
[[nodiscard]] constexpr std::int64_t to_number(PointId id) { return static_cast<std::int64_t>(id); }

enum class RunState : std::uint8_t { running, interrupted, complete };

/// Which of the two checks of a point: before its first sample or after its last.
enum class VerificationPhase : std::uint8_t { before, after };

BENCHCTL_WORDS(RunState, running, interrupted, complete)
BENCHCTL_WORDS(VerificationPhase, before, after)

/// Does the process live that owns a run? It holds the lock on this file; also true where that cannot be
/// asked.
[[nodiscard]] bool is_locked(const std::filesystem::path& file);

/// Holds the lock of a run for as long as this process measures it, and removes the file afterwards.
class OwnerLock {
 public:
  /// The file beside a store that is locked by the owner of that run.
  [[nodiscard]] static std::filesystem::path file_of(const std::filesystem::path& store, RunId run);
  explicit OwnerLock(std::filesystem::path file);
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;
  ~OwnerLock();
  /// Somebody else has it.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  bool refused_ = false;
};

/// What is known of a run when it starts. It belongs to the process that creates it.
struct NewRun {
  std::string name;
  std::string title;
  std::string question = {};  ///< `[experiment] question`; empty: by structure (model/point.hpp)
  std::string config_text;    ///< the TOML as it was read
  std::string config_hash;    ///< hash of everything that decides which points there are
  std::string command;        ///< the command line
  std::string version;        ///< benchctl's
  std::uint64_t seed = 1;     ///< seed of inputs and orders: the config's, or drawn
  std::string environment;    ///< JSON text of an Environment
  std::vector<Lane> lanes;
  std::vector<Published> published;
};

/// A file that the config of a run brought along: a kernel's source, a reference.
struct RunFile {
  std::string name;  ///< relative to the config's folder
  std::string contents;

  bool operator==(const RunFile&) const = default;
};

struct RunRow {
  RunId id{};
  std::string name;
  std::string title;
  std::string question;
  std::string config_text;
  std::string config_hash;
  std::string command;
  std::string version;
  std::uint64_t seed = 1;
  std::string environment;
  std::vector<Published> published;
  RunState state = RunState::running;
  bool owner_lives = false;  ///< when the row was read
  std::string created_at;
  std::string placed_at;    ///< what runs are sorted by: created_at, but not before any run that was there
  std::string finished_at;  ///< when it was completed or interrupted; empty while running
};

/// A run of the self-test: few samples, probes of sizes of its own.
[[nodiscard]] inline bool is_selftest(const RunRow& run) { return run.name.starts_with("selftest_"); }

/// The state now: a running run whose owner is dead is interrupted.
[[nodiscard]] RunState state_now(const RunRow& run);

/// A point of a run. `point.status` and `point.reason` are what became of it; before that, what the
/// plan says of it.
struct PointRow {
  PointId id{};               ///< given by the store
  RunId run{};                ///< given by the store
  std::uint64_t ordinal = 0;  ///< place in the run; unique within it
  Point point;
  std::string content_key;
  bool vendor = false;
  Cost cost;
  /// Settled: a resumed run leaves it alone. Set by add_points for a point that the plan rules out, by
  /// finish_point and copy_point for the others.
  bool finished = false;
  std::optional<PointId> reused_from;  ///< whose measurement this is, if it was not made for this run
};

/// The samples of one point in one round of one session (= one process that worked on the run).
/// `replicate` counts the repetitions in fresh worker processes.
struct SampleRow {
  PointId point{};
  std::uint32_t session = 0;
  std::uint32_t replicate = 0;
  std::uint32_t round = 0;
  SampleBlock block;
  bool used = true;  ///< false: of an incomplete round, kept but in no statistic
  std::string stored_at;
};

/// A measured roof of a device, as a run used it.
struct RoofRow {
  std::string lane;
  std::string probe;      ///< parameter `probe` of the workload `peaks`: `dram_copy`, `fma_f32`
  double per_second = 0;  ///< bytes or operations
  PointId source{};       ///< the point that it was measured with, in this run or an older one
  /// As stored with that point: the 95 % interval, and the device's clock during it. 0 where unknown.
  double low_per_second = 0;
  double high_per_second = 0;
  double clock_mhz = 0;

  bool operator==(const RoofRow&) const = default;
};

/// Something that happened during a run: resumed, a worker replaced.
struct EventRow {
  std::string time;
  std::string text;
};

/// So begins the event of a run that goes on where an earlier session stopped.
inline constexpr std::string_view resuming_words = "resuming run";

/// A run that is known by a name, as something to compare with.
struct BaselineRow {
  std::string name;
  RunId run{};
  std::string set_at;
};

/// Where a run came from that another store had first.
struct MergedRun {
  RunId run{};
  std::string store;  ///< that store's file
  RunId original{};   ///< its number there
  /// The run here that is the same by time, machine and config, and has other results.
  std::optional<RunId> conflicts_with;
  std::string merged_at;
};

/// What merging one store did.
struct MergeOutcome {
  struct Pair {
    RunId from{};
    RunId into{};
  };
  std::vector<Pair> added;
  std::vector<Pair> known;      ///< were there already, with all that they hold
  std::vector<Pair> conflicts;  ///< added ones: `into` conflicts with a run that was there (MergedRun)
  /// Names of baselines that stood for another run already: what they are called here instead.
  std::map<std::string, std::string> renamed_baselines;
};

/// How many points of a run have each status.
using StatusCounts = std::map<Status, std::uint64_t>;

/// The times of all samples in use, in the order in which they were taken.
[[nodiscard]] std::vector<double> used_ns(const std::vector<SampleRow>& rows);

/// The note of a point whose samples were dropped on request: when, and how many.
inline constexpr std::string_view pruned_note = "pruned";

/// May a baseline be called so? Letters, digits, `_`, `-` and `.`, a letter first, at most 64; never `all`,
/// nor what ends like a file.
[[nodiscard]] bool is_baseline_name(std::string_view name);

/// Now, as the store writes it.
[[nodiscard]] std::string utc_now();

}  // namespace benchctl
