// The plugin under test, in the process that tries it: its library, its backend, one of its devices,
// opened.
#pragma once

#include "conformance/cases.hpp"
#include "engine/buffers.hpp"
#include "plugins/plugin_host.hpp"
#include "sweep/lanes.hpp"

#include <memory>
#include <optional>

namespace benchctl::conformance {

/// The task of a process.
struct Task {
  std::string check;
  std::filesystem::path library;
  std::optional<Lane> lane;  ///< the device, for a check that is made on each device
  std::vector<Lane> lanes;   ///< all that take part
  bool full = false;
  std::size_t from = 0;          ///< first trial
  std::filesystem::path folder;  ///< for files, this process's own
};

/// A problem in a session with everything that judges what variants do to it.
class Bench {
 public:
  /// Throws what the plugin throws.
  Bench(Session& session, const ProblemSpec& problem, std::uint32_t sets = 1);

  [[nodiscard]] ProblemBuffers& buffers() { return *buffers_; }
  [[nodiscard]] const ProblemSpec& problem() const { return buffers_->spec(); }
  [[nodiscard]] std::uint32_t sets() const { return buffers_->sets(); }
  /// Poisons outputs and restores what is changed in place: what comes before an execution.
  void ready(std::uint32_t set);
  /// Draws the inputs of the only set anew and leaves its outputs as they are.
  void draw_anew();
  /// Throws Broken unless outputs, guards and inputs of the set are as they must be. `when` ends the
  /// sentence.
  void judge(const VariantInfo& variant, std::uint32_t set, const std::string& when);

 private:
  std::unique_ptr<ProblemBuffers> buffers_;
  Reference reference_;
};

class Subject {
 public:
  explicit Subject(Task task);

  [[nodiscard]] const Task& task() const { return task_; }
  [[nodiscard]] bool full() const { return task_.full; }
  /// Loaded at first use. Throws NotPossible with the reason why it is refused.
  [[nodiscard]] const LoadedPlugin& plugin();
  /// Throws NotPossible if the plugin only observes.
  [[nodiscard]] Backend& backend();
  [[nodiscard]] const BackendEntry& entry();
  [[nodiscard]] const Lane& lane() const { return *task_.lane; }
  /// The device, opened at first use.
  [[nodiscard]] Session& session();
  [[nodiscard]] std::unique_ptr<Session> open(const Lane& lane);
  [[nodiscard]] SessionOptions options() const;
  [[nodiscard]] const Cases& cases();
  /// Cases with one problem each; in a quick check at most one variant per workload.
  [[nodiscard]] std::vector<Case> typical();

  /// Makes a case's variant ready on a bench that holds its problem.
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Case& one, Bench& bench);
  /// What `prepare` asks the plugin for, on the device and on another.
  [[nodiscard]] PrepareRequest request(const Case& one, const ProblemSpec& problem);
  [[nodiscard]] PrepareRequest request_on(const Lane& lane, const Case& one, const ProblemSpec& problem);

 private:
  Task task_;
  std::optional<PluginHost> host_;
  std::optional<BackendEntry> entry_;
  std::optional<Cases> cases_;
  std::unique_ptr<Session> session_;
};

}  // namespace benchctl::conformance
