// The worker's side: the verbs of a session, on the plugin, in this process. Holds problems and
// prepared variants by numbers that the coordinator chose.
#pragma once

#include "observe/busy_processes.hpp"
#include "observe/lane_watch.hpp"
#include "plugins/plugin_host.hpp"
#include "worker/buffers.hpp"
#include "worker/messages.hpp"
#include "worker/processor_state.hpp"

#include <nlohmann/json_fwd.hpp>

namespace benchctl {

class WorkerSession {
 public:
  explicit WorkerSession(const PluginHost& plugins) : plugins_(plugins) {}

  /// Carries out one verb. Throws Failure, or any other exception for a fault. Says `spoilt` when a kernel
  /// has changed what cannot be restored: others had better run in another process.
  [[nodiscard]] nlohmann::json handle(Verb verb, const nlohmann::json& arguments);

  /// What the verbs have made, for those who look at it in this process: the opened device, a problem's
  /// buffers, a prepared variant.
  [[nodiscard]] Session& device() { return *session_; }
  [[nodiscard]] ProblemBuffers& buffers(std::uint64_t problem) { return *problems_.at(problem).buffers; }
  [[nodiscard]] Prepared& prepared(std::uint64_t id) { return *prepared_.at(id).prepared; }

 private:
  template <class... Requests>
  [[nodiscard]] nlohmann::json dispatch(Verb verb, const nlohmann::json& arguments);
  struct HeldPrepared {
    std::uint64_t problem = 0;
    std::string precision;
    std::unique_ptr<Prepared> prepared;
    std::uint32_t next_set = 0;            ///< buffer set with which the next sample begins
    std::vector<std::uint32_t> used_sets;  ///< by the latest block of samples
    double set_check_seconds = 0;          ///< first time for comparing a set's outputs
    std::string harm;   ///< what its latest samples changed that is not theirs; empty: nothing
    std::string fault;  ///< what it was found to do to others; empty: nothing
  };
  struct Audit;
  struct HeldReference {
    std::filesystem::path file;
    std::optional<Reference> values;  ///< once they were needed
    const Reference& load();
  };
  struct HeldProblem {
    std::unique_ptr<ProblemBuffers> buffers;
    std::vector<HeldReference> references;  ///< one per set
    std::uint64_t fresh_seed = 0;           ///< seed of the inputs that audits were last given; 0: none yet
    HeldReference fresh;                    ///< the reference for those inputs
  };

  PluginEntry carry_out(const verbs::Describe& request);
  BlasReply carry_out(const verbs::Blas& request);
  Done carry_out(const verbs::Watch& request);
  DeviceList carry_out(const verbs::Probe& request);
  Done carry_out(const verbs::Open& request);
  ProblemReply carry_out(const verbs::Problem& request);
  PrepareReply carry_out(const verbs::Prepare& request);
  CheckReply carry_out(const verbs::Check& request);
  SampleReply carry_out(const verbs::Sample& request);
  AuditReply carry_out(const verbs::Audit& request);
  PassReply carry_out(const verbs::Observe& request);
  Done carry_out(const verbs::Drop& request);
  Done carry_out(const verbs::Reference& request);
  Done carry_out(const verbs::Outputs& request);
  CompileReply carry_out(const verbs::Compile& request);

  [[nodiscard]] std::unique_ptr<Prepared> make_ready(ProblemBuffers& buffers, const Candidate& one,
                                                     const std::string& label);
  /// The plugin's own entry; its name alone for a kernel.
  [[nodiscard]] const VariantInfo& variant(const std::string& workload, const std::string& name);
  [[nodiscard]] Backend& backend(const std::string& name) const;
  [[nodiscard]] const Workload& workload(const verbs::StatedProblem& stated);
  [[nodiscard]] SampleBlock take(HeldPrepared& held, SampleRequest request);
  /// Compares what is in the outputs of these sets, up to the first that is wrong.
  [[nodiscard]] Verification verify(HeldPrepared& held, std::span<const std::uint32_t> sets, bool whole);
  /// Judges what its latest execution left in a set. Inputs are compared `whole`, or by spots unless
  /// something is wrong. Where they or the state of the processor were changed, it executes once more on
  /// restored ones: it is to blame if it does that again.
  [[nodiscard]] Verification check_set(HeldPrepared& held, std::uint32_t set, const Reference& reference,
                                       bool whole);
  /// Restores what executions may not change: inputs of the set and, on a processor, its state. Returns
  /// what was changed, as a sentence.
  [[nodiscard]] std::string restore_changes(ProblemBuffers& buffers, std::uint32_t set, bool whole);
  [[nodiscard]] std::string restore_processor();
  /// Executes all others of its problem once, and notes which of them do that.
  void find_who_does_harm(HeldPrepared& innocent, std::uint32_t set);
  [[nodiscard]] Window execute_for(HeldPrepared& held, SampleRequest request, double execution_ns,
                                   double seconds);

  // Destroyed in reverse: prepared variants before problems before the session before the plugins.
  const PluginHost& plugins_;
  Backend* backend_ = nullptr;  ///< whose device is open
  std::unique_ptr<Session> session_;
  std::unique_ptr<LaneWatch> watch_;
  ProcessorState processor_;
  RunQueue run_queue_{"/proc/self"};
  std::map<std::string, std::unique_ptr<Workload>> declared_;           ///< by definition
  std::map<std::pair<std::string, std::string>, VariantInfo> kernels_;  ///< by workload and name
  std::map<std::uint64_t, HeldProblem> problems_;
  std::map<std::uint64_t, HeldPrepared> prepared_;
};

}  // namespace benchctl
