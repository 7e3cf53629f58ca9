// Timing of a native variant by the steady clock.
#pragma once

#include <benchctl/backend.hpp>

#include <memory>
#include <optional>
#include <vector>

#include "executable.hpp"
#include "host_memory.hpp"
#include "machine.hpp"

namespace benchctl::cpu_avx {

class CpuProblem;

class CpuPrepared final : public Prepared {
 public:
  CpuPrepared(const CpuProblem& problem, std::shared_ptr<Machine> machine,
              std::unique_ptr<Executable> executable);

  [[nodiscard]] Resources resources() const override { return {}; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return executable_->notes();
  }
  double run(std::uint32_t set) override;
  /// Bases device and host_sync are the same here: the steady clock around the executions. Readings:
  /// `context_switches` of the calling thread, `steal_ns` of all cores that may be used.
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override;

 private:
  void prepare_staging(std::uint32_t set);
  void execute_end_to_end(std::span<const std::span<std::byte>> buffers);
  /// Takes all sets that the sample from the `first` execution on will use out of the caches.
  void flush_caches(const SampleRequest& request, std::uint64_t first);

  const CpuProblem& problem_;
  std::shared_ptr<Machine> machine_;
  std::unique_ptr<Executable> executable_;
  std::vector<HostMemory> staging_;  ///< host copies of the buffers' payloads, for end_to_end
};

}  // namespace benchctl::cpu_avx
