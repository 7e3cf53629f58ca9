#include "workloads/generator.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace benchctl {

// Two rounds, so that neighbouring seeds and neighbouring streams share nothing.
RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream)
    : key_(mix(mix(seed + increment) + (stream + 1) * increment)) {}

void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stream.f32(first + i);
}

void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stream.f64(first + i);
}

void fill_parallel(std::uint64_t first, std::span<std::byte> out, std::size_t element_bytes,
                   unsigned threads, const SliceFill& fill) {
  // Below this a thread costs more to start than its slice takes to fill.
  constexpr std::size_t smallest_slice = std::size_t{1} << 16;
  const std::size_t count = out.size() / element_bytes;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t slices = std::clamp<std::size_t>(count / smallest_slice, 1, threads);

  std::vector<std::exception_ptr> errors(slices);
  const auto run_slice = [&](std::size_t slice) {
    const std::size_t begin = count / slices * slice + std::min(slice, count % slices);
    const std::size_t length = count / slices + (slice < count % slices ? 1 : 0);
    try {
      fill(first + begin, out.subspan(begin * element_bytes, length * element_bytes));
    } catch (...) {
      errors[slice] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t slice = 1; slice < slices; ++slice) helpers.emplace_back(run_slice, slice);
    run_slice(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace benchctl
