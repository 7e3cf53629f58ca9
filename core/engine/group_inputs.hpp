// The inputs of a group's problems, by their seeds, and the references of what is computed from them.
#pragma once

#include "engine/active_point.hpp"

#include <list>

namespace benchctl {

class GroupInputs {
 public:
  GroupInputs(RunContext& run, const Workload& workload, const Turn& turn, std::uint64_t id)
      : run_(run), workload_(workload), turn_(turn), id_(id) {}

  /// All points have the same: the config's seed, or the run's.
  void choose_draws(std::uint64_t seed, std::uint32_t most_sets);
  [[nodiscard]] const std::vector<std::uint64_t>& seeds() const { return seeds_; }
  /// The references of all draws. Throws Failure, WorkerLost, and what TrustedKernels throw.
  void make_references(GroupProblem& problem);
  /// Where nothing is timed on processors, they compute meanwhile what audits and the next group will need.
  void compute_ahead(const Point& point);
  /// Inputs that no kernel has been given, instead of the latest.
  void draw_fresh(GroupProblem& problem);
  void forget_fresh(GroupProblem& problem);
  /// Deletes all that was made.
  void forget(GroupProblem& problem);

 private:
  [[nodiscard]] std::filesystem::path file_of(std::uint64_t number, const std::string& name) const;
  [[nodiscard]] std::filesystem::path make(const GroupProblem& problem, std::uint64_t seed);
  /// Returns the seconds that it took.
  double compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file);

  RunContext& run_;
  const Workload& workload_;
  const Turn& turn_;
  std::uint64_t id_;
  std::uint64_t seed_ = 1;
  std::vector<std::uint64_t> seeds_;         ///< one for each draw
  std::optional<std::uint64_t> next_fresh_;  ///< whose reference is being computed
  bool ahead_ = false;                       ///< the next group's is begun
};

}  // namespace benchctl
