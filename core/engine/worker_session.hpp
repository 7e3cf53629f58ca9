// The worker's side: the verbs of a session, on the plugin, in this process. Holds problems and
// prepared variants by numbers that the coordinator chose.
#pragma once

#include "engine/buffers.hpp"
#include "engine/processor_state.hpp"
#include "observe/lane_watch.hpp"
#include "plugins/plugin_host.hpp"

#include <nlohmann/json_fwd.hpp>

namespace benchctl {

/// The verbs, as they are spelled in messages. docs/architecture.md describes arguments and answers.
enum class Verb : std::uint8_t {
  describe,   ///< describes the loaded plugin
  blas,       ///< tell which library computes references
  watch,      ///< let its observer watch devices for a moment
  probe,      ///< enumerate a backend's devices
  open,       ///< open a device
  define,     ///< tell the variants that will be prepared
  problem,    ///< allocate and fill the buffers of a problem
  prepare,    ///< compile, load and bind a variant for a problem
  check,      ///< execute once on poisoned outputs and compare, or compare what is there
  sample,     ///< take samples
  audit,      ///< execute on inputs old and new, each execution timed and its outputs compared
  observe,    ///< execute in a pass of its own for readings that need one
  drop,       ///< let go of a prepared variant or of a problem with all that was prepared for it
  reference,  ///< compute a problem's reference into a file
  compile,    ///< compile a plan without a device into the disk cache
};

namespace detail {
template <>
struct Spellings<Verb> {
  static constexpr std::array<Spelling<Verb>, 15> table{{{Verb::describe, "describe"},
                                                         {Verb::blas, "blas"},
                                                         {Verb::watch, "watch"},
                                                         {Verb::probe, "probe"},
                                                         {Verb::open, "open"},
                                                         {Verb::define, "define"},
                                                         {Verb::problem, "problem"},
                                                         {Verb::prepare, "prepare"},
                                                         {Verb::check, "check"},
                                                         {Verb::sample, "sample"},
                                                         {Verb::audit, "audit"},
                                                         {Verb::observe, "observe"},
                                                         {Verb::drop, "drop"},
                                                         {Verb::reference, "reference"},
                                                         {Verb::compile, "compile"}}};
};
}  // namespace detail

class WorkerSession {
 public:
  explicit WorkerSession(const PluginHost& plugins) : plugins_(plugins) {}

  /// Carries out one verb. Throws Failure, or any other exception for a fault. Says `spoilt` when a kernel
  /// has changed what cannot be restored: others had better run in another process.
  [[nodiscard]] nlohmann::json handle(Verb verb, const nlohmann::json& arguments);

 private:
  [[nodiscard]] nlohmann::json carry_out(Verb verb, const nlohmann::json& arguments);
  struct HeldVariant {
    VariantInfo info;
    std::filesystem::path kernel_directory;
  };
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

  nlohmann::json describe(const nlohmann::json& arguments);
  nlohmann::json blas(const nlohmann::json& arguments);
  nlohmann::json watch(const nlohmann::json& arguments);
  nlohmann::json probe(const nlohmann::json& arguments);
  nlohmann::json open(const nlohmann::json& arguments);
  nlohmann::json define(const nlohmann::json& arguments);
  nlohmann::json problem(const nlohmann::json& arguments);
  nlohmann::json prepare(const nlohmann::json& arguments);
  /// `variant` is not a choice.
  [[nodiscard]] std::unique_ptr<Prepared> make_ready(ProblemBuffers& buffers, const HeldVariant& variant,
                                                     const Parameters& tunables,
                                                     const std::string& label) const;
  nlohmann::json check(const nlohmann::json& arguments);
  nlohmann::json sample(const nlohmann::json& arguments);
  nlohmann::json audit(const nlohmann::json& arguments);
  nlohmann::json observe(const nlohmann::json& arguments);
  nlohmann::json drop(const nlohmann::json& arguments);
  nlohmann::json reference(const nlohmann::json& arguments);
  nlohmann::json compile(const nlohmann::json& arguments);

  [[nodiscard]] Backend& backend(const std::string& name) const;
  [[nodiscard]] const Workload& workload(const std::string& name) const;
  [[nodiscard]] ProblemSpec spec_of(const nlohmann::json& arguments) const;
  [[nodiscard]] HeldPrepared& held_prepared(const nlohmann::json& arguments);
  [[nodiscard]] SampleBlock take(HeldPrepared& held, SampleRequest request);
  /// Compares what is in the outputs of these sets, up to the first that is wrong.
  [[nodiscard]] Verification verify(HeldPrepared& held, std::span<const std::uint32_t> sets, bool whole);
  /// Judges what its latest execution left in a set. Inputs are compared `whole`, or by spots unless
  /// something is wrong. Where they or the state of the processor were changed, it executes once more on
  /// restored ones: it is to blame if it does that again.
  [[nodiscard]] Verification judge(HeldPrepared& held, std::uint32_t set, const Reference& reference,
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
  std::unique_ptr<Session> session_;
  std::unique_ptr<LaneWatch> watch_;
  ProcessorState processor_;
  Parameters device_values_;
  Workloads workloads_;                                                  ///< as `define` told
  std::map<std::pair<std::string, std::string>, HeldVariant> variants_;  ///< by workload and name
  std::map<std::uint64_t, HeldProblem> problems_;
  std::map<std::uint64_t, HeldPrepared> prepared_;
};

}  // namespace benchctl
