// What every check stands on: its trials, and the plugin under test in the process that tries it, asked as
// the engine asks it.
#pragma once

#include "conformance/cases.hpp"
#include "worker/lane_worker.hpp"
#include "worker/session.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

namespace benchctl::conformance {

/// The contract is broken. The text says what was expected, what was found and what to do.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It cannot be tried here; the text says why.
class NotPossible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Broken with that text unless it holds.
inline void want(bool holds, const std::string& broken) {
  if (!holds) throw Broken(broken);
}

enum class Outcome : std::uint8_t { passed, failed, skipped };

/// What became of a trial.
struct Tried {
  Outcome outcome = Outcome::passed;
  std::string reason = {};  ///< why it did not pass
  bool lost = false;  ///< the plugin said that its session is lost: the rest is tried in another process
};

/// The trials of one check. They outlive the check's function, so that they may refer to its subject alone.
class Trials {
 public:
  /// It is broken when `trial` throws Broken or anything that is neither NotPossible nor a Failure of kind
  /// `unsupported`, which say that it cannot be tried.
  void add(std::string what, std::function<void()> trial) {
    names_.push_back(std::move(what));
    trials_.push_back(std::move(trial));
  }
  /// What cannot be tried.
  void skip(std::string what, const std::string& why) {
    add(std::move(what), [why] { throw NotPossible(why); });
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Tried attempt(std::size_t number) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::function<void()>> trials_;
};

/// The task of a process.
struct Task {
  std::string check;
  std::filesystem::path library;
  std::filesystem::path kernels = {};  ///< not empty: of the library's variants those of this plugin
  std::optional<Lane> lane = {};       ///< the device, for a check that is made on each device
  std::vector<Lane> lanes = {};        ///< all that take part
  bool full = false;
  std::filesystem::path folder = {};  ///< for files, this check's own
};

/// A device's worker in this process, opened when it is asked first.
struct Opened {
  Opened(const PluginHost& host, const Lane& lane, const BackendEntry& backend, SessionOptions options)
      : factory(host), worker(lane, backend, factory, std::move(options), infinite_seconds) {}

  LocalChannelFactory factory;
  LaneWorker worker;
  /// What the worker has made.
  [[nodiscard]] WorkerSession& session() {
    worker.ensure_open();
    return factory.session();
  }
};

class Subject {
 public:
  explicit Subject(Task task) : task_(std::move(task)) {}

  [[nodiscard]] const Task& task() const { return task_; }
  [[nodiscard]] bool full() const { return task_.full; }
  /// Loaded at first use. Throws NotPossible with the reason why it is refused.
  [[nodiscard]] const LoadedPlugin& plugin();
  /// Throws NotPossible if the plugin only observes.
  [[nodiscard]] Backend& backend();
  [[nodiscard]] const BackendEntry& entry();
  [[nodiscard]] const DeviceInfo& device() const { return task_.lane->device; }
  [[nodiscard]] std::unique_ptr<Opened> open(const Lane& lane);
  /// The device.
  [[nodiscard]] Opened& here();
  [[nodiscard]] SessionOptions options() const { return {(task_.folder / "cache").string(), false}; }
  [[nodiscard]] const Cases& cases();
  /// One case per variant; in a quick check at most one variant per workload.
  [[nodiscard]] std::vector<Case> typical();
  /// Why the device cannot run a case, or an empty text.
  [[nodiscard]] std::string obstacle_to(const Case& one) {
    return benchctl::obstacle_to(one.on(entry(), device()));
  }
  [[nodiscard]] std::vector<Candidate> candidates(const Case& one, const DeviceInfo& device) {
    return candidates_of(one.on(entry(), device));
  }
  /// A file with the reference of a problem for inputs of that seed.
  [[nodiscard]] std::filesystem::path reference(const ProblemSpec& problem, std::uint64_t seed);
  [[nodiscard]] std::uint64_t next_id() { return ++last_id_; }

 private:
  Task task_;
  std::optional<PluginHost> host_;
  std::optional<BackendEntry> entry_;
  std::optional<Cases> cases_;
  std::unique_ptr<Opened> here_;
  std::map<std::string, std::filesystem::path> references_;  ///< by problem and seed
  std::uint64_t last_id_ = 0;
};

/// A problem in a worker. Throws what the plugin throws.
class Bench {
 public:
  Bench(Subject& subject, Opened& on, const ProblemSpec& problem, std::uint32_t sets = 1);

  [[nodiscard]] bool holds(const ProblemSpec& problem) const;
  [[nodiscard]] LaneWorker& worker() { return on_.worker; }
  [[nodiscard]] WorkerSession& session() { return on_.factory.session(); }
  [[nodiscard]] ProblemBuffers& buffers() { return session().buffers(id_); }
  [[nodiscard]] std::uint32_t sets() const { return sets_; }
  /// Prepares; what was prepared in that slot before is let go of. The number of what is prepared.
  std::uint64_t prepare(const VariantInfo& variant, std::vector<Candidate> candidates,
                        std::uint64_t slot = 0);

 private:
  Opened& on_;
  std::uint64_t id_;
  std::uint32_t sets_;
  LaneProblem problem_;
};

/// A case's variant, made ready on a bench.
class Ready {
 public:
  /// On a bench of its own.
  Ready(Subject& subject, const Case& one, std::uint32_t sets = 1);
  /// On one that holds the case's problem.
  Ready(Subject& subject, const Case& one, std::shared_ptr<Bench> bench, std::uint64_t slot = 0);

  [[nodiscard]] ProblemBuffers& buffers() { return bench_->buffers(); }
  /// The plugin's own, for what no verb does.
  [[nodiscard]] Prepared& prepared() { return bench_->session().prepared(id_); }
  [[nodiscard]] std::uint64_t id() const { return id_; }
  /// Executes once on each set and verifies. `when` ends the sentence of what is Broken.
  CheckReply check(const std::string& when);
  /// Samples, and verifies what they leave.
  void sample(const SampleRequest& request, const std::string& when);
  /// Draws inputs anew.
  void check_with_new_inputs(const std::filesystem::path& reference, std::uint64_t seed,
                             const std::string& when);

 private:
  std::shared_ptr<Bench> bench_;
  std::uint64_t id_;
};

/// Asks for a native variant that the plugin does not have: a case's variant under another name.
void prepare_stranger(Bench& bench, const Case& one);
/// Gives a launch a source of garbage, in the folder of the process.
void replace_by_garbage(PlannedLaunch& launch, const Subject& subject);

}  // namespace benchctl::conformance

BENCHCTL_WORDS(benchctl::conformance::Outcome, passed, failed, skipped)
