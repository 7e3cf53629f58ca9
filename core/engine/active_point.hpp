// A point of the group that is being measured, the lane that it is measured on, and what observers say of
// it.
#pragma once

#include "engine/pairing.hpp"
#include "engine/replicates.hpp"
#include "engine/run_context.hpp"
#include "engine/sampling.hpp"
#include "model/keys.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace benchctl {

/// What the workers' replies tell of one point beside its samples.
class PointObservation {
 public:
  /// How often samples of one point are put aside before they have to count.
  static constexpr int most_retries = 10;

  /// Takes what observers said in the reply to `sample`. True: the samples must be put aside and taken
  /// again, for which the device was given a moment to recover.
  bool discard(const Observed& observed, std::size_t samples);
  /// Takes the reply to `observe`.
  void add_pass(const PassReply& reply);
  /// There was no such reply: readings that were asked for without a value are absent.
  void pass_failed(std::span<const std::string> asked, const std::string& reason);
  /// Adds figures and notes to a point's result, from all that is stored of its samples.
  void conclude(Result& result, std::span<const SampleRow> rows, const Catalogue& catalogue) const;

 private:
  Notes absent_;
  Resources pass_;
  int retries_ = 0;
  std::size_t discarded_ = 0;
  std::string why_discarded_;
  std::string why_kept_;  ///< samples count although they should not
};

/// Inputs of audits that no kernel has been given.
struct FreshInputs {
  std::uint64_t seed = 0;
  std::filesystem::path reference;
  double seconds = 0;  ///< time for making the reference
};

/// What points of one size share. A group has one, unless its workload has size_tunables().
struct GroupProblem {
  std::uint64_t id = 0;  ///< in the workers
  const Point& point;    ///< the first of them
  ProblemKey key;        ///< the workload with problem_values()
  ProblemSpec spec;
  std::vector<std::filesystem::path> references;  ///< one file per draw of inputs
  std::optional<FreshInputs> fresh;               ///< for audits
};

/// A device's part in a group, with buffers of one size.
struct GroupLane {
  LaneWorker* worker = nullptr;
  const BackendEntry* backend = nullptr;
  GroupProblem* problem = nullptr;
  std::uint64_t generation = 0;  // of the worker that knows our problem
  std::uint32_t sets = 1;        // of buffers, as many as its most demanding point wants
  bool spare = true;             // is there memory for one set more?
  std::uint64_t bytes = 0;       // that the problem takes on the device, all sets together
  const void* latest = nullptr;  // the point whose samples left the outputs as they are
  double quickest_ns =
      std::numeric_limits<double>::infinity();  // an execution in any block of samples that counts

  /// Does its worker know the problem?
  [[nodiscard]] bool is_up() const { return worker->running() && generation == worker->generation(); }
};

struct ActivePoint {
  RunPoint* entry = nullptr;
  GroupLane* lane = nullptr;
  const VariantInfo* variant = nullptr;
  std::uint64_t prepared_id = 0;
  std::uint64_t generation = 0;  // of the worker that holds it prepared
  std::uint32_t sets = 1;        // of buffers that its executions use in turn
  MeasureSettings settings;
  SamplingTime time;      // of one replicate
  bool in_place = false;  // executions change their own input
  DeviceInfo device;
  std::unique_ptr<PointSampler> sampler;
  bool sampled = false;                  // in this replicate, to its end
  bool unaudited = false;                // the budget left no time for it
  std::optional<StopReason> last_round;  // its next round is its last, for that reason
  std::vector<Replicate> replicates;     // those that are complete
  ActivePoint* baseline = nullptr;       // the point to compare with
  RoundValues rounds;                    // of all replicates
  std::optional<Verification> before;
  double verified_ns = 0;  // of the execution that verified it first, by the host's clock
  std::optional<Verification> after;
  Resources resources;
  Resources preparation;  // compile_ns and prepare_ns
  std::map<std::string, std::string, std::less<>> notes;
  std::string resumed;
  PointObservation observed;

  [[nodiscard]] Point& point() const { return entry->point; }
  /// Does its lane's worker hold it prepared?
  [[nodiscard]] bool is_ready() const { return prepared_id != 0 && generation == lane->generation; }
  /// In this replicate there is nothing left to sample.
  [[nodiscard]] bool is_over() const { return sampled || entry->finished || sampler->done(); }
  [[nodiscard]] bool is_open() const { return !is_over() && !entry->put_off; }
  [[nodiscard]] bool has_samples() const { return !sampler->samples().empty(); }
  /// Was it found to be wrong, implausible or nothing that an audit could believe?
  [[nodiscard]] bool has_fallen() const {
    return entry->finished && (!entry->median_ns || notes.contains(audit_undecided_note));
  }
  /// Does it leave the rounds when it is shown slower?
  [[nodiscard]] bool leaves() const {
    return settings.precision == Precision::answer && settings.mode == RoundMode::independent &&
           settings.fixed_samples == 0 && point().expect == Expect::right;
  }
  /// Takes the samples of a round that count.
  void add_round(std::uint32_t replicate, std::uint32_t round, std::span<const double> ns) {
    const double median = rounds[stats::round_key(replicate, round)] = stats::median(ns);
    lane->quickest_ns = std::min(lane->quickest_ns, median);
  }
  /// Its rounds beside those of its baseline, which it must have.
  [[nodiscard]] Pair pair() const;
  /// Half the width of its interval, or of that of its ratio, over the target; infinite without interval.
  [[nodiscard]] double excess() const;
  void begin_sampling() {
    sampler = std::make_unique<PointSampler>(settings, device, in_place, time);
    last_round.reset();
    after.reset();
  }
};

}  // namespace benchctl
