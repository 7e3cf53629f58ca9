#include "worker/buffers.hpp"

#include "workloads/generator.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

namespace benchctl {

namespace {

/// In turn. All bytes alike make, as f32 and f64: NaN, 3.4e38 or 1.4e306, 0.75 or 4.8e-4, -0.75 or -4.8e-4.
constexpr std::array poisons{nan_byte, std::byte{0x7F}, std::byte{0x3F}, std::byte{0xBF}};
/// At both ends of an output, poison is random.
constexpr std::uint64_t random_poison_bytes = 256;

/// Stream number of RandomStream. Workloads use low numbers.
constexpr std::uint64_t draw_stream = 0x64726177;
constexpr std::uint64_t guard_bytes = 4096;
/// Where not all is compared, inputs up to this size are, and spots of larger ones.
constexpr std::uint64_t small_bytes = 32ULL << 20;
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

void add_fault(Verification& verification, const std::string& text) {
  verification.ok = false;
  verification.reason += (verification.reason.empty() ? "" : "; ") + text;
}

}  // namespace

std::string declared_precision(const VariantInfo& variant, const ProblemSpec& spec) {
  if (variant.precision != "dtype") return variant.precision;
  const auto dtype = spec.parameters.find("dtype");
  return dtype != spec.parameters.end() ? std::get<std::string>(dtype->second) : "f32";
}

std::string changes_input(const std::string& input) { return "the kernel changed its input " + input; }

std::uint64_t guarded_bytes(std::uint64_t payload) { return (payload + 255) / 256 * 256 + guard_bytes; }

bool in_place(const ProblemSpec& spec) {
  return std::ranges::any_of(spec.buffers,
                             [](const BufferSpec& buffer) { return buffer.role == BufferRole::inout; });
}

std::uint64_t seed_of_draw(std::uint64_t seed, std::uint32_t draw) {
  return draw == 0 ? seed : RandomStream(seed, draw_stream).bits(draw);
}

ProblemBuffers::ProblemBuffers(Session& session, const Workload& workload, ProblemSpec spec,
                               std::vector<std::uint64_t> seeds, std::uint32_t sets, bool spare)
    : workload_(workload), spec_(std::move(spec)), judge_(workload_, spec_), sets_(sets) {
  for (std::uint32_t set = 0; set < sets + (spare ? 1 : 0); ++set) {
    seeds_.push_back(seeds[set % seeds.size()]);
  }
  std::minstd_rand random(static_cast<std::uint32_t>(unknown_seed()));
  for (const BufferSpec& buffer : spec_.buffers) {
    allocation_.push_back(guarded_bytes(buffer.bytes()));
    std::vector<std::byte>& guard = guards_.emplace_back(allocation_.back() - buffer.bytes(), nan_byte);
    const bool reads_as_nan = buffer.role != BufferRole::out && !is_whole(buffer.type);
    if (!reads_as_nan) std::ranges::generate(guard, [&] { return static_cast<std::byte>(random() >> 8); });
  }
  const auto all_sets = static_cast<std::uint32_t>(seeds_.size());
  problem_ = session.create_problem({spec_, all_sets, allocation_});
  for (std::uint32_t set = 0; set < all_sets; ++set) {
    write_guards(set);
    rewrite_inputs(set);
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
    std::uint64_t digest = digest_secret_;
    for (std::uint64_t offset = 0; offset < bytes; offset += slice_bytes) {
      slice.resize(std::min(slice_bytes, bytes - offset));
      generate_parallel(workload_, spec_, i, seeds_[set], offset, slice);
      problem_->write(set, i, offset, slice);
      if (role == BufferRole::in) digest = XXH3_64bits_withSeed(slice.data(), slice.size(), digest);
    }
    digests_[{set, i}] = digest;
  }
}

void ProblemBuffers::write_guards(std::uint32_t set) {
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    problem_->write(set, i, spec_.buffers[i].bytes(), guards_[i]);
  }
}

void ProblemBuffers::draw_inputs(std::uint32_t set, std::uint64_t seed) {
  if (seeds_[set] == seed) return;
  seeds_[set] = seed;
  rewrite_inputs(set);
}

void ProblemBuffers::rewrite_inputs(std::uint32_t set) {
  write_inputs(set, BufferRole::in);
  write_inputs(set, BufferRole::inout);
}

void ProblemBuffers::touch_inputs(std::uint32_t set) const {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    if (spec_.buffers[i].role == BufferRole::out) continue;
    bytes.resize(spec_.buffers[i].bytes());
    problem_->read(set, i, 0, bytes);
  }
}

void ProblemBuffers::poison_outputs(std::uint32_t set, std::byte with) {
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    if (spec_.buffers[i].role == BufferRole::out) {
      problem_->fill(set, i, 0, spec_.buffers[i].bytes(), with);
    }
  }
}

void ProblemBuffers::poison_outputs(std::uint32_t set) {
  const std::byte with = poisons[poisonings_ % poisons.size()];
  poison_outputs(set, with);
  ++poisonings_;
  if (with == nan_byte) return;
  std::minstd_rand random(static_cast<std::uint32_t>(unknown_seed()));
  std::vector<std::byte> ends;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const std::uint64_t bytes = spec_.buffers[i].bytes();
    if (spec_.buffers[i].role != BufferRole::out || bytes == 0) continue;
    ends.resize(std::min(bytes, random_poison_bytes));
    std::ranges::generate(ends, [&] { return static_cast<std::byte>(random() >> 8); });
    problem_->write(set, i, 0, ends);
    if (bytes > ends.size()) problem_->write(set, i, bytes - ends.size(), ends);
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
    for (std::size_t at = 0; at < guard.size(); ++at) changed += guard[at] == guards_[i][at] ? 0 : 1;
  }
  return changed;
}

std::string ProblemBuffers::changed_input(std::uint32_t set, bool whole) const {
  std::vector<std::byte> expected;
  std::vector<std::byte> found;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    if (spec_.buffers[i].role != BufferRole::in) continue;
    const std::uint64_t bytes = spec_.buffers[i].bytes();
    if (whole || bytes <= small_bytes) {
      std::uint64_t digest = digest_secret_;
      for (std::uint64_t offset = 0; offset < bytes; offset += slice_bytes) {
        found.resize(std::min(slice_bytes, bytes - offset));
        problem_->read(set, i, offset, found);
        digest = XXH3_64bits_withSeed(found.data(), found.size(), digest);
      }
      if (digest != digests_.at({set, i})) return spec_.buffers[i].name;
      continue;
    }
    for (std::uint64_t offset = 0; offset < bytes; offset += bytes / spots / 8 * 8) {
      expected.resize(std::min(spot_bytes, bytes - offset));
      found.resize(expected.size());
      workload_.generate(spec_, i, seeds_[set], offset / size_of(spec_.buffers[i].type), expected);
      problem_->read(set, i, offset, found);
      if (std::memcmp(expected.data(), found.data(), found.size()) != 0) return spec_.buffers[i].name;
    }
  }
  return {};
}

std::string ProblemBuffers::restore_changed_input(std::uint32_t set, bool whole) {
  std::string input = changed_input(set, whole);
  if (!input.empty()) write_inputs(set, BufferRole::in);
  return input;
}

BufferReader ProblemBuffers::reader(std::uint32_t set) const {
  return [this, set](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    problem_->read(set, index, offset, out);
  };
}

std::map<std::string, double, std::less<>> ProblemBuffers::metrics(std::uint32_t set) const {
  return workload_.metrics(spec_, reader(set));
}

Reference ProblemBuffers::outputs_as_reference(std::uint32_t set, const std::function<void()>& execute) {
  poison_outputs(set, nan_byte);
  restore_inouts(set);
  execute();
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
    const BufferSpec& buffer = spec_.buffers[i];
    // Poison is NaN, so no computed real looks like it.
    if (buffer.role != BufferRole::out || is_whole(buffer.type)) continue;
    const std::uint64_t size = size_of(buffer.type);
    for (std::uint64_t offset = 0; offset < buffer.bytes(); offset += slice_bytes) {
      bytes.resize(std::min(slice_bytes, buffer.bytes() - offset));
      problem_->read(set, i, offset, bytes);
      for (std::uint64_t at = 0; at < bytes.size(); at += size) {
        const std::span<const std::byte> element = std::span(bytes).subspan(at, size);
        if (!std::ranges::all_of(element, [](std::byte value) { return value == nan_byte; })) continue;
        throw Failure(FailureKind::launch_error,
                      fmt::format("it does not write {}[{}], so its outputs cannot serve as a reference",
                                  buffer.name, (offset + at) / size));
      }
    }
  }
  return workload_.reference_from(spec_, reader(set));
}

Verification ProblemBuffers::check_outputs(std::uint32_t set, std::string_view precision,
                                           const Reference& reference) {
  Verification verification = workload_.judge_program() != nullptr
                                  ? judge_.ask(seed(set), reader(set))
                                  : workload_.check(spec_, precision, reference, reader(set));
  verification.guard_bytes_changed = changed_guard_bytes(set);
  if (verification.guard_bytes_changed > 0) {
    add_fault(verification, fmt::format("{} bytes past the end of a buffer were overwritten",
                                        verification.guard_bytes_changed));
    write_guards(set);
  }
  return verification;
}

Verification ProblemBuffers::verify(std::uint32_t set, std::string_view precision,
                                    const Reference& reference) {
  Verification verification = check_outputs(set, precision, reference);
  const std::string input = restore_changed_input(set, true);
  if (!input.empty()) add_fault(verification, changes_input(input));
  return verification;
}

}  // namespace benchctl
