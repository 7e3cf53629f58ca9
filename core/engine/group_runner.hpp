// Measures one group: all points of one problem, on all their lanes and in all their sizes, interleaved in
// rounds.
#pragma once

#include "engine/active_point.hpp"
#include "sweep/group.hpp"
#include "worker/messages.hpp"

#include <functional>
#include <list>
#include <optional>

namespace benchctl {

/// Points of one key have the same compiled kernel, up to what a backend compiles for a problem alone.
[[nodiscard]] std::string kernel_key(const Point& point);

/// A library on a device that has compiled kernels compiles its own, some for many seconds.
[[nodiscard]] bool compiles_kernels(const VariantInfo& library, const BackendEntry& backend);

class GroupRunner {
 public:
  GroupRunner(RunContext& context, const Group& group);
  GroupRunner(const GroupRunner&) = delete;
  GroupRunner& operator=(const GroupRunner&) = delete;
  ~GroupRunner();

  /// Every point of the group has its final status in the store afterwards, unless the run was
  /// interrupted: then what was sampled is there and the rest is open. Throws StoreError only.
  void run();

 private:
  void measure();
  void resume_samples();
  /// Evaluates what is to be compiled and sent; of a choice what it has picked before in this run.
  void plan(ActivePoint& active, const ProblemSpec& problem) const;
  void choose_pairs();
  /// Points that need no compiler come first, then our kernels, then vendors' libraries, which may compile
  /// for longest.
  [[nodiscard]] std::vector<ActivePoint*> in_order_of_readiness();
  /// Is there no time left to make it ready?
  [[nodiscard]] bool must_wait(const ActivePoint& active) const;
  /// A first sample as soon as it is ready: it has a time then, whatever comes. It does not count as a
  /// common round.
  void cover(ActivePoint& active);
  /// Paired: points whose executions last about as long get equally many in a sample.
  void share_batches();
  /// Everything from opened devices to the last round, in worker processes that know nothing of the points.
  void run_replicate();
  /// The buffers that the point shares with others; made for the first of them.
  [[nodiscard]] GroupLane& lane_of(const Point& point);
  /// The references of all draws of inputs, for each size. False if none could be made.
  bool make_references();
  bool make_references(GroupProblem& problem);
  /// Points of the trusted kernel itself end with its status, all others of that size with launch_error.
  void end_without_reference(const GroupProblem& problem, const std::string& why, Status of_trusted);
  [[nodiscard]] std::filesystem::path make_reference(const GroupProblem& problem, std::uint64_t seed);
  /// Returns the seconds that computing it took.
  double compute_reference(const Point& point, std::uint64_t seed, const std::filesystem::path& file);
  /// Where nothing is timed on processors, they compute meanwhile what audits and the next group will need.
  void compute_ahead();
  void compile();
  void bring_up(GroupLane& lane);
  bool prepare(ActivePoint& active);
  /// In the worker that its lane has. Throws what the worker throws.
  void make_ready(ActivePoint& active, double most_seconds);
  [[nodiscard]] bool may_compile(const ActivePoint& active) const;
  /// A choice has picked the candidate at that place: it stays with it.
  void pick(ActivePoint& active, std::size_t picked);
  void verify_and_warm_up(ActivePoint& active);
  /// Does another point of its lane take a small part of its time?
  [[nodiscard]] bool is_far_slower(const ActivePoint& active) const;
  void sample_rounds();
  /// What common rounds say by now: whoever is shown slower leaves.
  void look();
  /// `round`: nothing while warming up.
  void sample_once(ActivePoint& active, std::optional<std::uint32_t> round);
  /// `counts`: a time of 0 is a fault.
  [[nodiscard]] static SampleReply ask_samples(ActivePoint& active, bool counts);
  /// Paired: after so many rounds, whose next round is to be the last.
  void choose_last_rounds(std::int64_t rounds);
  /// Paired: are all ratios known well enough, or can no more rounds be had?
  [[nodiscard]] bool enough_rounds(std::int64_t round);
  /// Verifies, audits and stores what was sampled, those that are named as the fastest first. Under a
  /// budget others are left unaudited when the time is up. False if there must be rounds again: one fell
  /// that others had been slower than.
  bool conclude_all();
  /// Takes back into the rounds those that left them on the lane of `fallen`. Are there any?
  bool reopen(const ActivePoint& fallen);
  void conclude(ActivePoint& active, bool audited);
  /// The outputs of the latest samples against the reference. False if that failed.
  bool check_outputs(ActivePoint& active);
  /// Finishes a point whose results are wrong, `when` before the reason, unless others in its worker are to
  /// blame for that: then it is ready in a fresh one, and `outcome` is what `once_more` found there. Has it
  /// its final status?
  bool blame(ActivePoint& active, Verification& outcome, const std::string& when,
             const std::function<Verification()>& once_more);
  /// Another point after which that one, right by itself in a fresh worker, is wrong; or null. The worker
  /// is spoilt afterwards.
  [[nodiscard]] ActivePoint* who_spoils(ActivePoint& active,
                                        const std::function<Verification()>& once_more);
  /// An execution and a block of samples, and what became of the outputs.
  [[nodiscard]] Verification sampled_once_more(ActivePoint& active);
  /// Is the point's time believable? If not it has its final status afterwards.
  bool audit(ActivePoint& active);
  /// Replicating: did the run's first process audit it, without doubt? Takes what that found.
  [[nodiscard]] bool was_audited(ActivePoint& active) const;
  /// `doubted`: all audits, and larger ones. False if it has its final status afterwards.
  bool run_audits(ActivePoint& active, double median_ns, bool doubted);
  /// Inputs that no kernel has been given, instead of the latest.
  void draw_fresh_inputs(const ActivePoint& active);
  void forget_fresh_inputs(GroupProblem& problem);
  /// Stores who is the fastest.
  void compare();
  void observe(ActivePoint& active);
  /// Runs one verb for a point. On failure gives the point its status and returns nothing.
  bool attempt(ActivePoint& active, const std::string& what, const std::function<void()>& action);
  void finish(ActivePoint& active, Status status, const std::string& reason);
  void finish_all(GroupLane& lane, Status status, const std::string& reason);
  [[nodiscard]] std::vector<ActivePoint*> open_points();

  RunContext& context_;
  const Group& group_;
  std::uint64_t seed_ = 1;
  std::uint64_t id_;
  std::vector<std::uint64_t> draw_seeds_;
  std::optional<std::uint64_t> next_fresh_seed_;  ///< whose reference is being computed
  std::list<GroupProblem> problems_;              ///< by size
  std::list<GroupLane> lanes_;
  std::list<ActivePoint> active_;
  bool paired_ = false;
  double start_ = 0;      ///< when the current replicate began
  double deadline_ = 0;   ///< when its rounds must end
  double last_call_ = 0;  ///< when the last audit may begin that need not be
  double compile_seconds_ = 0;
  std::uint32_t replicates_ = 1;  ///< replicates of the most demanding point
  std::uint32_t replicate_ = 0;   ///< the current one
  std::int64_t first_round_ = 0;  ///< rounds of the current replicate in earlier sessions
  double rounds_start_ = 0;       ///< when the current replicate's rounds began in this session
  int blaming_tries_ = 0;         ///< pairs of points that were executed to find who spoils the other
  std::int64_t next_look_ = 0;    ///< round after which the ratios are looked at again
};

}  // namespace benchctl
