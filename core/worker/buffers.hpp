// What the engine does to a problem's buffers: inputs, poison, guard areas. Buffers belong to the
// plugin; their contents to us.
#pragma once

#include <benchctl/backend.hpp>

#include "worker/config_program.hpp"
#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

#include <map>
#include <utility>

namespace benchctl {

/// Bytes to allocate for a payload: guard bytes follow it. The payload's end is not rounded, so that an
/// overrun by one byte is seen. The pack of 16 bytes in which it ends is whole: a kernel may read that.
[[nodiscard]] std::uint64_t guarded_bytes(std::uint64_t payload);

/// Is there a buffer that executions change in place? Then no sample may hold two executions.
[[nodiscard]] bool in_place(const ProblemSpec& spec);

/// A byte that makes every type of floating-point numbers a NaN: the first poison of outputs, and what
/// stands behind inputs.
inline constexpr std::byte nan_byte{0xFF};

/// Sets of buffers differ in their inputs up to this number; further ones repeat them.
inline constexpr std::uint32_t most_draws = 3;
/// The seed of a draw of inputs: the first is the run's own.
[[nodiscard]] std::uint64_t seed_of_draw(std::uint64_t seed, std::uint32_t draw);

/// The precision that a variant's results are judged by: "dtype" stands for the problem's own element type.
[[nodiscard]] std::string declared_precision(const VariantInfo& variant, const ProblemSpec& spec);

/// What is said of a kernel that writes where it may only read.
[[nodiscard]] std::string changes_input(const std::string& input);

/// One problem on one device with everything needed to judge what kernels do to it.
class ProblemBuffers {
 public:
  /// Allocates through the session, writes inputs, poison and guards. The sets take the seeds in turn.
  /// `spare`: one set more, which no sample uses. Throws what the plugin throws.
  ProblemBuffers(Session& session, const Workload& workload, ProblemSpec spec,
                 std::vector<std::uint64_t> seeds, std::uint32_t sets, bool spare = false);

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  /// Without the spare one, whose number this is.
  [[nodiscard]] std::uint32_t sets() const { return sets_; }
  /// Seed of a set's inputs.
  [[nodiscard]] std::uint64_t seed(std::uint32_t set) const { return seeds_.at(set); }
  [[nodiscard]] bool has_spare() const { return seeds_.size() > sets_; }
  [[nodiscard]] Problem& device() { return *problem_; }
  /// Bytes on the device, guards and all sets but the spare one included.
  [[nodiscard]] std::uint64_t allocated_bytes() const;

  /// Makes every output of a set unlike any result, and unlike what it was before: NaNs, huge numbers and
  /// plausible ones in turn.
  void poison_outputs(std::uint32_t set);
  /// The same with one byte throughout.
  void poison_outputs(std::uint32_t set, std::byte with);
  /// Draws the inputs of a set anew.
  void draw_inputs(std::uint32_t set, std::uint64_t seed);
  /// Writes the inputs of a set as they are.
  void rewrite_inputs(std::uint32_t set);
  /// Reads the inputs of a set, so that they are where the host's reading leaves them: in its caches.
  void touch_inputs(std::uint32_t set) const;
  /// Writes inout buffers of a set as they were generated.
  void restore_inouts(std::uint32_t set);
  /// Workload::known_outputs
  [[nodiscard]] Reference known_outputs(const Reference& reference) const {
    return workload_.known_outputs(spec_, reference);
  }
  /// Compares outputs and guards of a set with what they must be. Guards that were overwritten are written
  /// anew.
  [[nodiscard]] Verification check_outputs(std::uint32_t set, std::string_view precision,
                                           const Reference& reference);
  /// The name of an input of the set that is not as it was written, or nothing; all inputs are written anew
  /// then. Not `whole`: of large inputs only spots are compared.
  [[nodiscard]] std::string restore_changed_input(std::uint32_t set, bool whole);
  /// Both, with inputs compared whole, after an execution on restored buffers.
  [[nodiscard]] Verification verify(std::uint32_t set, std::string_view precision,
                                    const Reference& reference);
  /// Workload::reference_from of a set after `execute`. Throws Failure when that left elements unwritten.
  [[nodiscard]] Reference outputs_as_reference(std::uint32_t set, const std::function<void()>& execute);
  /// Reads the buffers of a set.
  [[nodiscard]] BufferReader reader(std::uint32_t set) const;
  /// Workload::metrics of a set.
  [[nodiscard]] std::map<std::string, double, std::less<>> metrics(std::uint32_t set) const;

 private:
  void write_inputs(std::uint32_t set, BufferRole role);
  void write_guards(std::uint32_t set);
  [[nodiscard]] std::uint64_t changed_guard_bytes(std::uint32_t set) const;
  [[nodiscard]] std::string changed_input(std::uint32_t set, bool whole) const;

  const Workload& workload_;
  ProblemSpec spec_;
  std::vector<std::uint64_t> seeds_;  ///< one seed per set
  Judge judge_;
  /// By set and buffer, of the inputs as they were written.
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint64_t> digests_;
  std::uint32_t sets_;
  std::vector<std::uint64_t> allocation_;
  std::vector<std::vector<std::byte>> guards_;    ///< what stands behind each buffer
  std::uint64_t digest_secret_ = unknown_seed();  ///< so that nobody finds other inputs of the same digest
  std::uint64_t poisonings_ = 0;
  std::unique_ptr<Problem> problem_;
};

}  // namespace benchctl
