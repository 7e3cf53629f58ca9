#include "prepared.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/rounding.hpp>

#include <emmintrin.h>
#include <algorithm>
#include <chrono>
#include <cstring>

#include "session.hpp"

namespace benchctl::cpu_avx {

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

constexpr std::size_t line_bytes = 64;  // of every x86-64 processor to date

}  // namespace

CpuPrepared::CpuPrepared(const CpuProblem& problem, std::shared_ptr<Machine> machine,
                         std::unique_ptr<Executable> executable)
    : problem_(problem), machine_(std::move(machine)), executable_(std::move(executable)) {}

double CpuPrepared::run(std::uint32_t set) {
  const auto buffers = problem_.buffers(set);
  std::optional<PinnedScope> pinned;
  executable_->activate();
  if (executable_->pinned()) pinned.emplace(machine_->pool.core(0));
  const auto start = Clock::now();
  executable_->execute(buffers);
  return nanoseconds(Clock::now() - start);
}

SampleBlock CpuPrepared::sample(const SampleRequest& request) {
  if (request.launch == LaunchMode::graph) {
    throw Failure(FailureKind::unsupported,
                  "launch = \"graph\" has no meaning on a processor: use \"stream\"");
  }
  const bool end_to_end = request.basis == Basis::end_to_end;
  if (end_to_end) prepare_staging(request.set);
  if (request.cache == CacheMode::cold) machine_->pool.require(executable_->threads());

  std::optional<PinnedScope> pinned;
  executable_->activate();
  if (executable_->pinned()) pinned.emplace(machine_->pool.core(0));

  SampleBlock block;
  block.batch = std::max(1U, request.batch);
  block.ns.reserve(request.count);
  for (std::uint32_t taken = 0; taken < request.count; ++taken) {
    const std::uint64_t first = std::uint64_t{taken} * block.batch;
    if (request.cache == CacheMode::cold) flush_caches(request, first);
    if (request.hook != nullptr) request.hook->begin();
    const auto start = Clock::now();
    // The next set without a division, which takes as long as a hundred elements of a sum.
    std::uint32_t set = set_of(request, first);
    for (std::uint32_t i = 0; i < block.batch; ++i) {
      const auto buffers = problem_.buffers(set);
      set = set + 1 < request.sets ? set + 1 : 0;
      if (end_to_end) {
        execute_end_to_end(buffers);
      } else {
        executable_->execute(buffers);
      }
    }
    const auto stop = Clock::now();
    if (request.hook != nullptr) request.hook->end();
    block.ns.push_back(nanoseconds(stop - start) / block.batch);
  }
  return block;
}

void CpuPrepared::prepare_staging(std::uint32_t set) {
  const auto& specs = problem_.spec().buffers;
  const auto buffers = problem_.buffers(set);
  if (staging_.empty()) {
    for (const BufferSpec& spec : specs) staging_.emplace_back(spec.bytes());
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::memcpy(staging_[i].bytes().data(), buffers[i].data(), specs[i].bytes());
  }
}

void CpuPrepared::execute_end_to_end(std::span<const std::span<std::byte>> buffers) {
  const auto& specs = problem_.spec().buffers;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == BufferRole::out) continue;
    std::memcpy(buffers[i].data(), staging_[i].bytes().data(), specs[i].bytes());
  }
  executable_->execute(buffers);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == BufferRole::in) continue;
    std::memcpy(staging_[i].bytes().data(), buffers[i].data(), specs[i].bytes());
  }
}

// The very lines, by the instruction that is there for it: exact, and cheaper than reading a buffer larger
// than caches of hundreds of megabytes. Changed lines are written back here, before the clock starts.
void CpuPrepared::flush_caches(const SampleRequest& request, std::uint64_t first) {
  const std::uint32_t sets = std::min(request.sets, std::max(1U, request.batch));
  const unsigned threads = executable_->threads();
  machine_->pool.run(threads, [&](unsigned thread) {
    for (std::uint32_t i = 0; i < sets; ++i) {
      for (const std::span<std::byte> buffer : problem_.buffers(set_of(request, first + i))) {
        const std::size_t lines = ceil_div(buffer.size(), line_bytes);
        for (std::size_t line = thread; line < lines; line += threads) {
          _mm_clflush(buffer.data() + line * line_bytes);
        }
      }
    }
    _mm_mfence();
  });
}

}  // namespace benchctl::cpu_avx
