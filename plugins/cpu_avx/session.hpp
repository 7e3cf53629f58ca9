// A processor, opened: buffers in main memory, and variants that are timed on them.
#pragma once

#include <benchctl/backend.hpp>

#include <memory>
#include <vector>

#include "executable.hpp"
#include "host_memory.hpp"
#include "machine.hpp"

namespace benchctl::cpu_avx {

class CpuProblem final : public Problem {
 public:
  /// Failure unsupported for a space that main memory is not, out_of_memory.
  CpuProblem(const ProblemRequest& request, std::shared_ptr<Machine> machine);

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override;
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override;
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override;

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  /// All buffers of a set with their guard bytes. Failure launch_error when there is no such set.
  [[nodiscard]] std::span<const std::span<std::byte>> buffers(std::uint32_t set) const;

 private:
  [[nodiscard]] std::span<std::byte> piece(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                           std::uint64_t bytes) const;

  ProblemSpec spec_;
  std::shared_ptr<Machine> machine_;
  std::vector<HostMemory> memory_;
  std::vector<std::vector<std::span<std::byte>>> sets_;
};

class CpuSession final : public Session {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override;

 private:
  std::shared_ptr<Machine> machine_ = std::make_shared<Machine>();
};

}  // namespace benchctl::cpu_avx
