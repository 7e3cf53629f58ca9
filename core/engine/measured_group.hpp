// A group that is being measured: all points of one problem, on all their lanes and in all their sizes.
// What every phase does with its points: make one ready in its lane's worker, take samples, compare
// outputs, find who is to blame, give it its final status. And the three phases (engine/group_runner.cpp).
#pragma once

#include "engine/group_inputs.hpp"
#include "engine/round_rules.hpp"
#include "sweep/group.hpp"

#include <functional>
#include <list>

namespace benchctl {

/// A library on a device that has compiled kernels compiles its own, some for many seconds.
[[nodiscard]] bool compiles_kernels(const VariantInfo& library, const BackendEntry& backend);

class MeasuredGroup {
 public:
  /// The points of the group that are not finished.
  MeasuredGroup(RunContext& shared, const Group& chosen, const Turn& asked);
  MeasuredGroup(const MeasuredGroup&) = delete;
  MeasuredGroup& operator=(const MeasuredGroup&) = delete;
  ~MeasuredGroup();

  [[nodiscard]] std::vector<ActivePoint*> open_points();
  /// Goes on with the samples that are stored, or in hand from an earlier turn.
  void resume();
  /// Makes room for the next replicate, which gets fresh processes.
  void end_replicate();

  /// Runs one verb for a point. On failure gives the point its status and returns false.
  bool attempt(ActivePoint& active, const std::string& what, const std::function<void()>& action);
  /// Makes sure that its worker holds it prepared. False if it has its final status instead.
  bool ready(ActivePoint& active);
  /// Has it a kernel or a library that may take a compiler?
  [[nodiscard]] static bool may_compile(const ActivePoint& active);
  [[nodiscard]] bool was_compiled(const ActivePoint& active) const;
  void note_compiled(const ActivePoint& active, const Candidate& candidate);
  /// The kernel of a candidate that has a plan, for the lane of the point.
  [[nodiscard]] static CompileJob job_of(const ActivePoint& active, const Candidate& candidate);
  /// `round`: nothing while warming up.
  void sample(ActivePoint& active, std::optional<std::uint32_t> round);
  /// Warms up until samples count.
  void warm_up(ActivePoint& active);
  /// The outputs of the latest samples against the reference. False if that failed.
  bool check_outputs(ActivePoint& active);
  /// An execution and a block of samples, and what became of the outputs.
  [[nodiscard]] Verification execute_again(ActivePoint& active);
  /// Finishes a point whose results are wrong, `when` before the reason, unless others in its worker are to
  /// blame for that: then it is ready in a fresh one, and `outcome` is what `once_more` found there. Has it
  /// its final status?
  bool blame(ActivePoint& active, Verification& outcome, const std::string& when,
             const std::function<Verification()>& once_more);
  /// Its final status and its result into the store, with what roofs say of it; with `not_run` it is left
  /// to another session.
  void finish(ActivePoint& active, Status status, const std::string& reason);

  RunContext& run;
  const Group& group;
  const Turn& turn;
  const Workload& workload;
  const std::uint64_t id;
  GroupInputs inputs;
  std::list<GroupProblem> problems;  ///< by size
  std::list<GroupLane> lanes;
  std::list<ActivePoint> points;
  std::unique_ptr<RoundRules> rules;
  std::uint32_t replicates = 1;  ///< replicates of the most demanding point
  std::uint32_t replicate = 0;   ///< the current one
  std::int64_t first_round = 0;  ///< rounds of the current replicate in earlier sessions
  double rounds_began = 0;       ///< when those of the current replicate began in this session
  double rounds_end = 0;         ///< when they must have ended
  double last_audit = 0;         ///< when the last audit may begin that need not be
  double compile_seconds = 0;    ///< spent in this turn

 private:
  void add(RunPoint& entry);
  [[nodiscard]] static std::string kernel_key(const ActivePoint& active, const Candidate& candidate);
  /// The buffers that the point shares with others; made for the first of them.
  [[nodiscard]] GroupLane& lane_of(const Point& point);
  void bring_up(GroupLane& lane);
  /// In the worker that its lane has. Throws what the worker throws.
  void prepare(ActivePoint& active, double most_seconds);
  /// A choice has picked the candidate at that place: it stays with it.
  void pick(ActivePoint& active, std::size_t picked);
  /// `counts`: a time of 0 is a fault.
  [[nodiscard]] static SampleReply ask_samples(ActivePoint& active, bool counts);
  /// Another point after which that one, right by itself in a fresh worker, is wrong; or null. The worker
  /// is spoilt afterwards.
  [[nodiscard]] ActivePoint* who_spoils(ActivePoint& active,
                                        const std::function<Verification()>& once_more);

  int blaming_tries_ = 0;  ///< pairs of points that were executed to find who spoils the other
};

/// The first phase: references, compiled kernels, opened devices, uploaded problems, prepared and verified
/// variants.
class Prepare {
 public:
  explicit Prepare(MeasuredGroup& group) : group_(group), run_(group.run) {}

  /// What is compiled and sent for each point, unless an earlier turn has planned it; of a choice what it
  /// has picked before in this run.
  void plan();
  /// The references of all draws of inputs, for each size. False if none could be made.
  [[nodiscard]] bool make_references();
  /// Compiles what can be compiled without a device, several kernels at a time.
  void compile();
  /// Makes points ready and hands over each that is right: first those that need no compiler, then our
  /// kernels, then vendors' libraries, which may compile for longest. What there is no time for is put off.
  void each(const std::function<void(ActivePoint&)>& take);
  /// While GPUs are timed, the processor computes references.
  void compute_ahead();

 private:
  /// Points of the trusted kernel itself end with its status, all others of that size with launch_error.
  void end_without_reference(const GroupProblem& problem, const std::string& why, Status of_trusted);
  /// Is there no time left to make it ready?
  [[nodiscard]] bool must_wait(const ActivePoint& active) const;
  void verify(ActivePoint& active);

  MeasuredGroup& group_;
  RunContext& run_;
};

/// The second phase: points that are ready are sampled in turns, until each has what it needs.
class Rounds {
 public:
  /// The rounds of the group's current replicate. From now on its time runs.
  explicit Rounds(MeasuredGroup& group);

  /// Warms a ready point up, and samples it as soon as it is: it has a time then, whatever comes. This does
  /// not count as a common round.
  void cover(ActivePoint& active);
  /// Whoever can be is ready: those that compiled for long get some rounds nevertheless.
  void begin();
  /// Rounds in an order that is drawn anew, until no point is open or the time is up.
  void take();

 private:
  /// False when the time is up.
  [[nodiscard]] bool take_one(const std::vector<ActivePoint*>& order);

  MeasuredGroup& group_;
  RunContext& run_;
  double seconds_;  ///< for all open points, with verifying and auditing
};

/// The last phase: what was sampled is verified again, audited and stored, and it is settled who is the
/// fastest.
class Conclude {
 public:
  explicit Conclude(MeasuredGroup& group) : group_(group), run_(group.run) {}

  /// Verifies, audits and stores all points, those that are named as the fastest first. Under a budget
  /// others are left unaudited when the time is up. False if there must be rounds again: one fell that
  /// others had been slower than.
  [[nodiscard]] bool all();
  /// Stores who is the fastest.
  void compare();

 private:
  void conclude(ActivePoint& active);
  /// Verifies and audits. Is its time to be stored?
  [[nodiscard]] bool is_believable(ActivePoint& active);
  /// Takes back into the rounds those that left them on the lane of `fallen`. Are there any?
  [[nodiscard]] bool reopen(const ActivePoint& fallen);
  /// Is the point's time believable? If not it has its final status afterwards.
  bool audit(ActivePoint& active);
  /// Did the run's first process audit it, without doubt? Takes what that found.
  [[nodiscard]] bool was_audited(ActivePoint& active) const;
  /// `doubted`: all audits, and larger ones. False if it has its final status afterwards.
  bool run_audits(ActivePoint& active, double median_ns, bool doubted);
  /// Readings that need a pass of their own, which nothing is timed in.
  void observe(ActivePoint& active);

  MeasuredGroup& group_;
  RunContext& run_;
};

/// Every point of the group has its final status in the store afterwards, unless the run was interrupted:
/// then what was sampled is there and the rest is open. Throws StoreError only.
void run_group(RunContext& run, const Group& group, const Turn& turn);

}  // namespace benchctl
