#include "session.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>
#include <cstring>

#include "prepared.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

CpuProblem::CpuProblem(const ProblemRequest& request, std::shared_ptr<Machine> machine)
    : spec_(request.spec), machine_(std::move(machine)) {
  std::uint64_t needed = 0;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const BufferSpec& buffer = spec_.buffers[i];
    if (buffer.space == Space::host_pinned) {
      throw Failure(
          FailureKind::unsupported,
          "buffer '" + buffer.name + "' needs pinned host memory, which a processor does not have");
    }
    if (i >= request.allocation.size() || request.allocation[i] < buffer.bytes()) {
      throw Failure(FailureKind::launch_error,
                    "the allocation of buffer '" + buffer.name + "' is smaller than its payload");
    }
    needed += request.allocation[i] * request.sets;
  }
  // An overcommitted system would grant this and end the process when the pages are touched.
  if (const std::uint64_t limit = memory_limit_bytes(); needed > limit) {
    throw Failure(FailureKind::out_of_memory, "the buffers take " + std::to_string(needed) +
                                                  " bytes, but this process may use " +
                                                  std::to_string(limit) + " bytes of main memory");
  }
  sets_.resize(request.sets);
  for (auto& set : sets_) {
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
      set.push_back(memory_.emplace_back(request.allocation[i]).bytes());
    }
  }
}

std::span<const std::span<std::byte>> CpuProblem::buffers(std::uint32_t set) const {
  if (set >= sets_.size()) {
    throw Failure(FailureKind::launch_error, "set " + std::to_string(set) +
                                                 " of buffers was asked for, but " +
                                                 std::to_string(sets_.size()) + " exist");
  }
  return sets_[set];
}

std::span<std::byte> CpuProblem::piece(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                                       std::uint64_t bytes) const {
  const auto all = buffers(set);
  if (buffer >= all.size() || offset > all[buffer].size() || bytes > all[buffer].size() - offset) {
    throw Failure(FailureKind::launch_error,
                  "bytes beyond buffer " + std::to_string(buffer) + " were asked for");
  }
  return all[buffer].subspan(offset, bytes);
}

void CpuProblem::write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                       std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, piece(set, buffer, offset, bytes.size()).begin());
}

void CpuProblem::read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
                      std::span<std::byte> bytes) const {
  std::ranges::copy(piece(set, buffer, offset, bytes.size()), bytes.begin());
}

void CpuProblem::fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
                      std::byte value) {
  std::ranges::fill(piece(set, buffer, offset, bytes), value);
}

std::unique_ptr<Prepared> CpuProblem::prepare(const PrepareRequest& request) {
  const VariantInfo& variant = *request.variant;
  const MakeNative make = Table::instance().native(variant);
  if (make == nullptr || request.kernel) {
    throw Failure(FailureKind::unsupported, "cpu_avx has no variant '" + variant.name + "' of workload '" +
                                                variant.workload + "', and compiles no kernels");
  }
  for (const std::string& feature : variant.features) {
    if (!machine_->has(feature)) {
      throw Failure(FailureKind::unsupported,
                    "variant '" + variant.name + "' needs the instruction set " + feature +
                        ", which this processor or its operating system does not offer");
    }
  }
  return std::make_unique<CpuPrepared>(*this, machine_, make(request, spec_, *machine_));
}

std::unique_ptr<Problem> CpuSession::create_problem(const ProblemRequest& request) {
  return std::make_unique<CpuProblem>(request, machine_);
}

}  // namespace benchctl::cpu_avx
