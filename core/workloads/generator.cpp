#include "workloads/generator.hpp"

#include <algorithm>
#include <exception>
#include <random>
#include <thread>
#include <vector>

namespace benchctl {

// Sums of two mixed numbers: mixing alone could be undone.
RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) {
  const std::uint64_t start = mix(seed + increment) + (stream + 1) * increment;
  key_ = mix(start) + mix(~start);
  mask_ = mix(start + increment) + mix(~(start + increment));
}

std::uint64_t unknown_seed() {
  std::random_device device;
  constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
  return ((std::uint64_t{device()} << 32 | device()) & most) + 1;
}

void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stream.f32(first + i);
}

void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stream.f64(first + i);
}

void run_slices(std::size_t count, std::size_t slices, unsigned threads, const SliceRun& run) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t workers = std::clamp<std::size_t>(slices, 1, threads);
  std::vector<std::exception_ptr> errors(workers);
  const auto work = [&](std::size_t worker) {
    try {
      for (std::size_t slice = worker; slice < slices; slice += workers) {
        const std::size_t begin = count / slices * slice + std::min(slice, count % slices);
        run(slice, begin, count / slices + (slice < count % slices ? 1 : 0));
      }
    } catch (...) {
      errors[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t worker = 1; worker < workers; ++worker) helpers.emplace_back(work, worker);
    work(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void fill_parallel(std::uint64_t first, std::span<std::byte> out, std::size_t element_bytes,
                   unsigned threads, const SliceFill& fill) {
  // Below this a thread costs more to start than its slice takes to fill.
  constexpr std::size_t smallest_slice = std::size_t{1} << 16;
  const std::size_t count = out.size() / element_bytes;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t slices = std::clamp<std::size_t>(count / smallest_slice, 1, threads);
  run_slices(count, slices, threads, [&](std::size_t /*slice*/, std::size_t begin, std::size_t length) {
    fill(first + begin, out.subspan(begin * element_bytes, length * element_bytes));
  });
}

}  // namespace benchctl
