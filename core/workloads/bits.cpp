#include "workloads/bits.hpp"

#include "workloads/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <vector>

namespace benchctl {

namespace {

static_assert(std::endian::native == std::endian::little, "random_bytes stores the lowest byte first");

/// The bytes of an element as a number, the highest byte first: `0xffffffff` for a poisoned word.
std::string hexadecimal(std::span<const std::byte> element) {
  std::string text = "0x";
  for (std::size_t i = element.size(); i > 0; --i) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(element[i - 1]));
  }
  return text;
}

/// Comparison of some elements.
struct Difference {
  std::uint64_t wrong = 0;
  std::uint64_t first = no_element;
  std::string found;  // of the first
  std::string expected;

  void add(const Difference& other) {
    wrong += other.wrong;
    if (other.first >= first) return;
    first = other.first;
    found = other.found;
    expected = other.expected;
  }
};

Difference compare(std::uint64_t first, std::span<const std::byte> found, std::span<const std::byte> truth,
                   std::size_t size) {
  Difference difference;
  if (std::memcmp(found.data(), truth.data(), found.size()) == 0) return difference;
  for (std::size_t offset = 0; offset < found.size(); offset += size) {
    const auto value = found.subspan(offset, size);
    const auto right = truth.subspan(offset, size);
    if (std::ranges::equal(value, right)) continue;
    if (difference.wrong++ > 0) continue;
    difference.first = first + offset / size;
    difference.found = hexadecimal(value);
    difference.expected = hexadecimal(right);
  }
  return difference;
}

}  // namespace

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

Verification check_bits(const ProblemSpec& spec, std::size_t buffer, const BitTruth& truth,
                        const BufferReader& read) {
  const BufferSpec& output = spec.buffers.at(buffer);
  const std::size_t size = size_of(output.type);
  Difference all;
  std::mutex mutex;
  read_slices(spec, buffer, read, [&](std::uint64_t first, std::span<const std::byte> slice) {
    std::vector<std::byte> expected(slice.size());
    truth(first * size, expected);
    const Difference part = compare(first, slice, expected, size);
    const std::lock_guard lock(mutex);
    all.add(part);
  });
  Verification outcome;
  outcome.checked = output.count;
  outcome.ok = all.wrong == 0;
  if (outcome.ok) return outcome;
  outcome.error_norm = static_cast<double>(all.wrong) / static_cast<double>(output.count);
  outcome.worst_element = fmt::format("{}[{}]", output.name, all.first);
  outcome.reason = fmt::format("{} of {} elements of {} are wrong, the first is number {}: {}, expected {}",
                               all.wrong, output.count, output.name, all.first, all.found, all.expected);
  return outcome;
}

}  // namespace benchctl
