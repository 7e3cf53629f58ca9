// A variant bound to a problem, as far as sampling it is concerned.
#pragma once

#include "problem.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace benchctl::cuda {

/// Base of everything that a Problem prepares: what remains to be said by a derived class is how one
/// execution is put into the stream. A derived class that owns driver objects makes the context current in
/// its destructor.
class PreparedExecution : public Prepared {
 public:
  explicit PreparedExecution(DeviceProblem& problem) : problem_(problem) {}
  ~PreparedExecution() override;

  double run(std::uint32_t set) override;
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override;

 protected:
  [[nodiscard]] DeviceProblem& problem() const noexcept { return problem_; }
  [[nodiscard]] Context& context() const noexcept { return problem_.context(); }

  /// Queues one execution. Allocates nothing and waits for nothing.
  virtual void enqueue(std::uint32_t set) = 0;
  /// Upper bound of the device operations that `enqueue` queues.
  [[nodiscard]] virtual std::uint32_t operations() const = 0;
  /// Why this variant must not be queued behind a closed gate, or empty.
  [[nodiscard]] virtual std::string own_gate_objection() const { return {}; }
  /// For errors: "variant matmul/vendor", "kernel 'x'".
  [[nodiscard]] virtual std::string title() const = 0;

 private:
  /// Executions of a request, from the `first` on, as a graph, captured at first use.
  [[nodiscard]] CUgraphExec graph(const SampleRequest& request, std::uint64_t first,
                                  std::uint32_t executions);
  /// Captures all graphs of so many executions that a request needs, if it is for graphs at all.
  void capture_graphs(const SampleRequest& request, std::uint32_t executions);
  /// Queues executions of a request, from the `first` on.
  void enqueue_batch(const SampleRequest& request, std::uint64_t first, std::uint32_t executions);
  [[nodiscard]] SampleBlock sample_device(const SampleRequest& request, std::uint32_t batch);
  /// The samples of one block, gated or not. Empty when the gate fell open by itself.
  [[nodiscard]] std::vector<double> take_device_samples(const SampleRequest& request, std::uint32_t batch,
                                                        bool gated);
  [[nodiscard]] SampleBlock sample_host(const SampleRequest& request, std::uint32_t batch);
  /// Why a block cannot be gated, or empty.
  [[nodiscard]] std::string gate_objection(const SampleRequest& request, std::uint32_t batch);

  DeviceProblem& problem_;
  Event start_;
  Event stop_;
  /// By first set, number of executions, and number of sets that these use in turn.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, GraphExec> graphs_;
};

}  // namespace benchctl::cuda
