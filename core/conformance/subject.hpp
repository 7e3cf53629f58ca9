// What every check stands on: the trials of a check and what became of each, the plugin under test in the
// process that tries it, and its variants made ready with what verifies their results.
#pragma once

#include "conformance/cases.hpp"
#include "plugins/plugin_host.hpp"
#include "sweep/lanes.hpp"
#include "worker/buffers.hpp"

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
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

/// The plugin said that its session is lost: the rest is tried in another process.
class SessionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Broken with that text unless it holds.
inline void want(bool holds, const std::string& broken) {
  if (!holds) throw Broken(broken);
}

/// The trials of one check, one after another, and what became of each: told to the coordinator before and
/// after, so that a crash or a hang in one of them costs that one alone.
class Trials {
 public:
  using Tell = std::function<void(const nlohmann::json&)>;

  /// Trials before number `from` are left out: another process has tried them.
  Trials(std::size_t from, Tell tell) : from_(from), tell_(std::move(tell)) {}

  /// Tries one thing. It is broken when `trial` throws Broken or anything that is neither NotPossible nor a
  /// Failure of kind `unsupported`, which say that it cannot be tried. Throws SessionLost after a sticky
  /// Failure.
  void run(const std::string& what, const std::function<void()>& trial);
  /// What cannot be tried.
  void skip(const std::string& what, const std::string& why) {
    run(what, [&] { throw NotPossible(why); });
  }

 private:
  std::size_t from_;
  std::size_t next_ = 0;
  Tell tell_;
};

/// The task of a process.
struct Task {
  std::string check;
  std::filesystem::path library;
  std::filesystem::path kernels = {};  ///< not empty: of the library's variants those of this plugin
  std::optional<Lane> lane;            ///< the device, for a check that is made on each device
  std::vector<Lane> lanes;             ///< all that take part
  bool full = false;
  std::size_t from = 0;          ///< first trial
  std::filesystem::path folder;  ///< for files, this process's own
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
  /// The device, opened at first use.
  [[nodiscard]] Session& session();
  [[nodiscard]] std::unique_ptr<Session> open(const Lane& lane);
  [[nodiscard]] SessionOptions options() const { return {(task_.folder / "cache").string(), false}; }
  [[nodiscard]] const Cases& cases();
  /// One case per variant; in a quick check at most one variant per workload.
  [[nodiscard]] std::vector<Case> typical();
  /// Why the device cannot run a case, or an empty text.
  [[nodiscard]] std::string obstacle_to(const Case& one) { return obstacle(one, entry(), device()); }
  /// What the plugin is asked for when a case is prepared.
  [[nodiscard]] PrepareRequest request(const Case& one, const DeviceInfo& device);
  [[nodiscard]] PrepareRequest request(const Case& one) { return request(one, device()); }

 private:
  Task task_;
  std::optional<PluginHost> host_;
  std::optional<BackendEntry> entry_;
  std::optional<Cases> cases_;
  std::unique_ptr<Session> session_;
};

/// A problem in a session with what verifies their results.
class Bench {
 public:
  /// Throws what the plugin throws.
  Bench(Session& session, const ProblemSpec& problem, std::uint32_t sets = 1);

  [[nodiscard]] Problem& device() { return buffers_.device(); }
  /// Poisons outputs and restores what is changed in place: what comes before an execution.
  void clear(std::uint32_t set);
  /// Draws the inputs of the only set anew and leaves its outputs as they are.
  void draw_anew();
  /// Throws Broken unless outputs, guards and inputs of the set are as they must be. `when` ends the
  /// sentence.
  void verify(const VariantInfo& variant, std::uint32_t set, const std::string& when);

 private:
  ProblemBuffers buffers_;
  Reference reference_;
};

/// A case's variant, made ready on a bench.
class Ready {
 public:
  /// On a bench of its own, on the subject's device.
  Ready(Subject& subject, const Case& one, std::uint32_t sets = 1);
  /// On one that holds the case's problem, on any device.
  Ready(Subject& subject, const Case& one, std::shared_ptr<Bench> bench, const DeviceInfo& device);

  [[nodiscard]] Bench& bench() { return *bench_; }
  /// Executes once, on whatever is in the buffers.
  void run(std::uint32_t set = 0) { static_cast<void>(prepared_->run(set)); }
  /// Executes once, on outputs that were cleared.
  void execute(std::uint32_t set = 0);
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) { return prepared_->sample(request); }
  /// Bench::verify of this variant.
  void verify(std::uint32_t set, const std::string& when) { bench_->verify(*variant_, set, when); }
  /// Executes once and verifies.
  void prove(const std::string& when);

 private:
  const VariantInfo* variant_;
  std::shared_ptr<Bench> bench_;
  std::unique_ptr<Prepared> prepared_;
};

/// Asks for a native variant that the plugin does not have: a case's variant under another name.
void prepare_stranger(Subject& subject, Bench& bench, const Case& one);
/// Gives a launch a source of garbage, in the folder of the process.
void replace_by_garbage(PlannedLaunch& launch, const Subject& subject);

}  // namespace benchctl::conformance
