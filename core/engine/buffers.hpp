// What the engine does to a problem's buffers: inputs, poison, guard areas. Buffers belong to the
// plugin; their contents to us.
#pragma once

#include <benchctl/backend.hpp>

#include "workloads/workload.hpp"

namespace benchctl {

/// Bytes to allocate for a payload: guard bytes follow it. The payload's end is not rounded, so that an
/// overrun by one byte is seen. The pack of 16 bytes in which it ends is whole: a kernel may read that.
[[nodiscard]] std::uint64_t guarded_bytes(std::uint64_t payload);

/// Is there a buffer that executions change in place? Then no sample may hold two executions.
[[nodiscard]] bool in_place(const ProblemSpec& spec);

/// The value of every byte of a poisoned output (a NaN for floating-point types) and of a guard area.
inline constexpr std::byte poison_byte{0xFF};
inline constexpr std::byte guard_byte{0xA5};

/// One problem on one device with everything needed to judge what kernels do to it.
class ProblemBuffers {
 public:
  /// Allocates through the session, writes inputs, poison and guards. Throws what the plugin throws.
  ProblemBuffers(Session& session, const Workload& workload, ProblemSpec spec, std::uint64_t seed,
                 std::uint32_t sets);

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint32_t sets() const { return sets_; }
  [[nodiscard]] Problem& device() { return *problem_; }
  /// Bytes on the device, guards and all sets included.
  [[nodiscard]] std::uint64_t allocated_bytes() const;

  /// Makes every output of a set unlike any result.
  void poison_outputs(std::uint32_t set);
  /// Writes inout buffers of a set as they were generated.
  void restore_inouts(std::uint32_t set);
  /// Compares outputs, guards and inputs of a set with what they must be. What a faulty kernel has
  /// overwritten is written anew, so that it cannot harm the next one.
  [[nodiscard]] Verification verify(std::uint32_t set, std::string_view precision,
                                    const Reference& reference);
  /// Workload::reference_from of a set. Throws Failure when the kernel left elements unwritten.
  [[nodiscard]] Reference outputs_as_reference(std::uint32_t set) const;
  /// Workload::metrics of a set.
  [[nodiscard]] std::map<std::string, double, std::less<>> metrics(std::uint32_t set) const;

 private:
  [[nodiscard]] BufferReader reader(std::uint32_t set) const;
  void write_inputs(std::uint32_t set, BufferRole role);
  void write_guards(std::uint32_t set);
  [[nodiscard]] std::uint64_t changed_guard_bytes(std::uint32_t set) const;
  [[nodiscard]] std::string changed_input(std::uint32_t set) const;

  const Workload& workload_;
  ProblemSpec spec_;
  std::uint64_t seed_;
  std::uint32_t sets_;
  std::vector<std::uint64_t> allocation_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace benchctl
