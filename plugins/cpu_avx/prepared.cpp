#include "prepared.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "counters.hpp"
#include "session.hpp"

namespace benchctl::cpu_avx {

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

constexpr std::uint64_t largest_eviction = std::uint64_t{256} << 20;
constexpr std::uint64_t eviction_if_unknown = std::uint64_t{64} << 20;

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
  const auto buffers = problem_.buffers(request.set);
  const bool end_to_end = request.basis == Basis::end_to_end;
  if (end_to_end) prepare_staging(request.set);
  if (request.cache == CacheMode::cold) machine_->pool.require(executable_->threads());

  std::optional<PinnedScope> pinned;
  executable_->activate();
  if (executable_->pinned()) pinned.emplace(machine_->pool.core(0));

  SampleBlock block;
  block.batch = std::max(1U, request.batch);
  auto& switches = block.readings["context_switches"];
  auto& steal = block.readings["steal_ns"];
  block.ns.reserve(request.count);
  switches.reserve(request.count);
  steal.reserve(request.count);
  StealClock steal_clock(machine_->topology.cores);
  for (std::uint32_t taken = 0; taken < request.count; ++taken) {
    if (request.cache == CacheMode::cold) evict_caches();
    const double switches_before = context_switches();
    const auto start = Clock::now();
    for (std::uint32_t i = 0; i < block.batch; ++i) {
      if (end_to_end) {
        execute_end_to_end(buffers);
      } else {
        executable_->execute(buffers);
      }
    }
    const auto stop = Clock::now();
    block.ns.push_back(nanoseconds(stop - start) / block.batch);
    switches.push_back(context_switches() - switches_before);
    steal.push_back(steal_clock.since_last(taken + 1 == request.count));
  }
  if (request.cache == CacheMode::cold && block.batch > 1) {
    block.note = "caches are evicted once per sample: only the first execution of each batch is cold";
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

// Reading, not writing: written lines would be written back inside the sample. Each core reads all of it,
// since last-level caches may belong to a few cores each.
void CpuPrepared::evict_caches() {
  if (!eviction_) {
    const std::uint64_t cache = machine_->topology.last_level_cache_bytes;
    eviction_.emplace(cache == 0 ? eviction_if_unknown : std::min(2 * cache, largest_eviction));
    std::ranges::fill(eviction_->bytes(), std::byte{1});
  }
  const auto* words = eviction_->as<const volatile std::uint64_t>();
  const std::size_t count = eviction_->bytes().size() / sizeof(std::uint64_t);
  machine_->pool.run(executable_->threads(), [words, count](unsigned) {
    constexpr std::size_t words_per_line = 8;
    for (std::size_t i = 0; i < count; i += words_per_line) static_cast<void>(words[i]);
  });
}

}  // namespace benchctl::cpu_avx
