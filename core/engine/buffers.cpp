#include "engine/buffers.hpp"

#include "workloads/generator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

constexpr std::uint64_t guard_bytes = 4096;
/// Inputs up to this size are compared whole after an execution, larger ones by slices.
constexpr std::uint64_t compared_whole = 32ULL << 20;
constexpr std::uint64_t slice_bytes = 4ULL << 20;
constexpr std::uint64_t spot_bytes = 4096;
constexpr std::uint64_t spots = 256;
/// Below this, threads cost more than they save.
constexpr std::size_t parallel_bytes = 1U << 20;

/// Generates a part of a buffer, from byte `first_byte` on, on all cores.
void generate_parallel(const Workload& workload, const ProblemSpec& spec, std::size_t buffer,
                       std::uint64_t seed, std::uint64_t first_byte, std::span<std::byte> out) {
  const std::size_t element = size_of(spec.buffers[buffer].type);
  const unsigned threads = out.size() < parallel_bytes ? 1 : 0;
  fill_parallel(first_byte / element, out, element, threads,
                [&](std::uint64_t first, std::span<std::byte> slice) {
                  workload.generate(spec, buffer, seed, first, slice);
                });
}

}  // namespace

std::uint64_t guarded_bytes(std::uint64_t payload) { return (payload + 255) / 256 * 256 + guard_bytes; }

bool in_place(const ProblemSpec& spec) {
  return std::ranges::any_of(spec.buffers,
                             [](const BufferSpec& buffer) { return buffer.role == BufferRole::inout; });
}

ProblemBuffers::ProblemBuffers(Session& session, const Workload& workload, ProblemSpec spec,
                               std::uint64_t seed, std::uint32_t sets)
    : workload_(workload), spec_(std::move(spec)), seed_(seed), sets_(sets) {
  for (const BufferSpec& buffer : spec_.buffers) allocation_.push_back(guarded_bytes(buffer.bytes()));
  problem_ = session.create_problem({spec_, sets_, allocation_});
  for (std::uint32_t set = 0; set < sets_; ++set) {
    write_guards(set);
    write_inputs(set, BufferRole::in);
    write_inputs(set, BufferRole::inout);
    poison_outputs(set);
  }
}

std::uint64_t ProblemBuffers::allocated_bytes() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : allocation_) sum += bytes;
  return sum * sets_;
}

void ProblemBuffers::write_inputs(std::uint32_t set, BufferRole role) {
  std::vector<std::byte> slice;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    if (spec_.buffers[i].role != role) continue;
    const std::uint64_t bytes = spec_.buffers[i].bytes();
    for (std::uint64_t offset = 0; offset < bytes; offset += slice_bytes) {
      slice.resize(std::min(slice_bytes, bytes - offset));
      generate_parallel(workload_, spec_, i, seed_, offset, slice);
      problem_->write(set, i, offset, slice);
    }
  }
}

void ProblemBuffers::write_guards(std::uint32_t set) {
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const std::uint64_t bytes = spec_.buffers[i].bytes();
    const std::vector<std::byte> guard(allocation_[i] - bytes, guard_byte);
    problem_->write(set, i, bytes, guard);
  }
}

void ProblemBuffers::poison_outputs(std::uint32_t set) {
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    if (spec_.buffers[i].role == BufferRole::out)
      problem_->fill(set, i, 0, spec_.buffers[i].bytes(), poison_byte);
  }
}

void ProblemBuffers::restore_inouts(std::uint32_t set) { write_inputs(set, BufferRole::inout); }

std::uint64_t ProblemBuffers::changed_guard_bytes(std::uint32_t set) const {
  std::uint64_t changed = 0;
  std::vector<std::byte> guard;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const std::uint64_t bytes = spec_.buffers[i].bytes();
    guard.resize(allocation_[i] - bytes);
    problem_->read(set, i, bytes, guard);
    changed += static_cast<std::uint64_t>(
        std::ranges::count_if(guard, [](std::byte value) { return value != guard_byte; }));
  }
  return changed;
}

std::string ProblemBuffers::changed_input(std::uint32_t set) const {
  std::vector<std::byte> expected;
  std::vector<std::byte> found;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    if (spec_.buffers[i].role != BufferRole::in) continue;
    const std::uint64_t bytes = spec_.buffers[i].bytes();
    const std::uint64_t step = bytes <= compared_whole ? slice_bytes : bytes / spots / 8 * 8;
    const std::uint64_t length = bytes <= compared_whole ? slice_bytes : spot_bytes;
    for (std::uint64_t offset = 0; offset < bytes; offset += step) {
      expected.resize(std::min(length, bytes - offset));
      found.resize(expected.size());
      generate_parallel(workload_, spec_, i, seed_, offset, expected);
      problem_->read(set, i, offset, found);
      if (!std::ranges::equal(expected, found)) return spec_.buffers[i].name;
    }
  }
  return {};
}

BufferReader ProblemBuffers::reader(std::uint32_t set) const {
  return [this, set](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    problem_->read(set, index, offset, out);
  };
}

std::map<std::string, double, std::less<>> ProblemBuffers::metrics(std::uint32_t set) const {
  return workload_.metrics(spec_, reader(set));
}

Reference ProblemBuffers::outputs_as_reference(std::uint32_t set) const {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const BufferSpec& buffer = spec_.buffers[i];
    // Poison is no number, so no real that was computed looks like it.
    if (buffer.role != BufferRole::out || (buffer.type != DType::f32 && buffer.type != DType::f64))
      continue;
    const std::uint64_t size = size_of(buffer.type);
    for (std::uint64_t offset = 0; offset < buffer.bytes(); offset += slice_bytes) {
      bytes.resize(std::min(slice_bytes, buffer.bytes() - offset));
      problem_->read(set, i, offset, bytes);
      for (std::uint64_t at = 0; at < bytes.size(); at += size) {
        const std::span<const std::byte> element = std::span(bytes).subspan(at, size);
        if (!std::ranges::all_of(element, [](std::byte value) { return value == poison_byte; })) continue;
        throw Failure(FailureKind::launch_error,
                      fmt::format("it does not write {}[{}], so its outputs are no reference", buffer.name,
                                  (offset + at) / size));
      }
    }
  }
  return workload_.reference_from(spec_, reader(set));
}

Verification ProblemBuffers::verify(std::uint32_t set, std::string_view precision,
                                    const Reference& reference) {
  Verification verification = workload_.check(spec_, precision, reference, reader(set));
  verification.guard_bytes_changed = changed_guard_bytes(set);
  const std::string input = changed_input(set);
  const auto fault = [&](const std::string& text) {
    verification.ok = false;
    verification.reason += (verification.reason.empty() ? "" : "; ") + text;
  };
  if (verification.guard_bytes_changed > 0) {
    fault(fmt::format("{} bytes past the end of a buffer were overwritten",
                      verification.guard_bytes_changed));
    write_guards(set);
  }
  if (!input.empty()) {
    fault(fmt::format("the kernel changed its input {}", input));
    write_inputs(set, BufferRole::in);
  }
  return verification;
}

}  // namespace benchctl
