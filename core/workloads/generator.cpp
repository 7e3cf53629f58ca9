#include "workloads/generator.hpp"

#include <benchctl/rounding.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <random>
#include <thread>
#include <vector>

namespace benchctl {

namespace {

/// Known once: the system reads a file for each answer.
unsigned processors() {
  static const unsigned number = std::max(1U, std::thread::hardware_concurrency());
  return number;
}

}  // namespace

// Sums of two mixed numbers: mixing alone could be undone.
RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) {
  const std::uint64_t start = mix(seed + increment) + (stream + 1) * increment;
  key_ = mix(start) + mix(~start);
  mask_ = mix(start + increment) + mix(~(start + increment));
}

RandomOrder::RandomOrder(const RandomStream& stream, std::uint64_t length)
    : stream_(stream),
      length_(length),
      left_(static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(length))))),
      right_(ceil_div(length, left_)) {}

std::uint64_t RandomOrder::place(std::uint64_t position) const {
  do {
    std::uint64_t a = position / right_;
    std::uint64_t b = position % right_;
    for (std::uint64_t round = 0; round < rounds; round += 2) {
      a = (a + draw(round, b) % left_) % left_;
      b = (b + draw(round + 1, a) % right_) % right_;
    }
    position = a * right_ + b;
  } while (position >= length_);
  return position;
}

std::uint64_t RandomOrder::position(std::uint64_t place) const {
  do {
    std::uint64_t a = place / right_;
    std::uint64_t b = place % right_;
    for (std::uint64_t round = rounds; round > 0; round -= 2) {
      b = (b + right_ - draw(round - 1, a) % right_) % right_;
      a = (a + left_ - draw(round - 2, b) % left_) % left_;
    }
    place = a * right_ + b;
  } while (place >= length_);
  return place;
}

std::uint64_t unknown_seed() {
  thread_local std::random_device device;  // to open it takes longer than to ask it
  constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
  return ((std::uint64_t{device()} << 32 | device()) & most) + 1;
}

void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stream.f32(first + i);
}

void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stream.f64(first + i);
}

static_assert(std::endian::native == std::endian::little, "random_bytes stores the lowest byte first");

void random_bytes(const RandomStream& stream, std::uint64_t first, std::span<std::byte> out) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  std::size_t done = 0;
  const auto part = [&](std::size_t skipped) {
    const std::uint64_t bits = stream.bits((first + done) / word);
    const std::size_t length = std::min(word - skipped, out.size() - done);
    std::memcpy(out.data() + done, reinterpret_cast<const std::byte*>(&bits) + skipped, length);
    done += length;
  };
  if (first % word != 0 && !out.empty()) part(first % word);
  for (std::uint64_t index = (first + done) / word; done + word <= out.size(); done += word, ++index) {
    const std::uint64_t bits = stream.bits(index);
    std::memcpy(out.data() + done, &bits, word);
  }
  if (done < out.size()) part(0);
}

void run_slices(std::size_t count, std::size_t slices, unsigned threads, const SliceRun& run) {
  if (threads == 0) threads = processors();
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
  if (threads == 0) threads = processors();
  const std::size_t slices = std::clamp<std::size_t>(count / smallest_slice, 1, threads);
  run_slices(count, slices, threads, [&](std::size_t /*slice*/, std::size_t begin, std::size_t length) {
    fill(first + begin, out.subspan(begin * element_bytes, length * element_bytes));
  });
}

}  // namespace benchctl
