#include "predict/access.hpp"

#include <algorithm>

namespace benchctl::predict {

namespace {

std::uint32_t cycles_of_phase(std::span<const Access> accesses, std::uint32_t banks,
                              std::uint32_t bank_bytes) {
  std::vector<std::uint32_t> words_of_bank(banks, 0);
  std::uint32_t cycles = 0;
  std::uint64_t next = 0;  // words before it are counted
  for (const Extent& extent : united(accesses)) {
    for (std::uint64_t word = std::max(next, extent.begin / bank_bytes); word * bank_bytes < extent.end;
         ++word) {
      cycles = std::max(cycles, ++words_of_bank[word % banks]);
      next = word + 1;
    }
  }
  return cycles;
}

}  // namespace

std::vector<Extent> united(std::span<const Access> accesses) {
  std::vector<Extent> extents;
  extents.reserve(accesses.size());
  for (const Access& access : accesses) {
    if (access.bytes > 0) extents.push_back({access.offset, access.offset + access.bytes});
  }
  std::ranges::sort(extents, {}, &Extent::begin);
  std::size_t last = 0;
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].begin <= extents[last].end) {
      extents[last].end = std::max(extents[last].end, extents[i].end);
    } else {
      extents[++last] = extents[i];
    }
  }
  if (!extents.empty()) extents.resize(last + 1);
  return extents;
}

std::uint64_t length(std::span<const Extent> extents) {
  std::uint64_t sum = 0;
  for (const Extent& extent : extents) sum += extent.end - extent.begin;
  return sum;
}

std::uint64_t pieces(std::span<const Extent> extents, std::uint32_t piece) {
  std::uint64_t count = 0;
  std::uint64_t next = 0;  // pieces before it are counted
  for (const Extent& extent : extents) {
    const std::uint64_t first = std::max(next, extent.begin / piece);
    next = (extent.end - 1) / piece + 1;
    count += next - std::min(first, next);
  }
  return count;
}

std::uint64_t pieces(std::span<const Access> accesses, std::uint32_t piece) {
  return pieces(united(accesses), piece);
}

std::uint64_t pieces_with_gaps(std::span<const Extent> extents, std::uint32_t part, std::uint32_t piece,
                               std::uint64_t limit) {
  std::uint64_t count = 0;
  std::uint64_t next = 0;  // pieces before it are counted or have no gap
  // A gap begins where an extent ends inside a part, or ends where one begins inside a part.
  const auto gap_at = [&](std::uint64_t place) {
    const bool at_the_end = limit > 0 && place >= limit;
    if (place % part == 0 || at_the_end || place / piece < next) return;
    ++count;
    next = place / piece + 1;
  };
  for (const Extent& extent : extents) {
    gap_at(extent.begin);
    gap_at(extent.end);
  }
  return count;
}

std::uint64_t requested_bytes(std::span<const Access> accesses) {
  std::uint64_t sum = 0;
  for (const Access& access : accesses) sum += access.bytes;
  return sum;
}

Turns bank_cycles(std::span<const Access> accesses, std::uint32_t banks, std::uint32_t bank_bytes) {
  Turns result;
  const auto widest = std::ranges::max_element(accesses, {}, &Access::bytes);
  if (widest == accesses.end() || widest->bytes == 0) return result;
  // As many threads at a time as can be served at best: a half or a quarter of a warp for wide words.
  const std::uint32_t words = std::max(1U, widest->bytes / bank_bytes);
  const std::size_t phase = std::max<std::size_t>(1, banks / words);
  for (std::size_t first = 0; first < accesses.size(); first += phase) {
    const auto part = accesses.subspan(first, std::min(phase, accesses.size() - first));
    const std::uint32_t cycles = cycles_of_phase(part, banks, bank_bytes);
    result.cycles += cycles;
    result.conflict_free += cycles > 0 ? 1 : 0;
  }
  return result;
}

Turns constant_turns(std::span<const Access> accesses) {
  std::vector<std::uint64_t> addresses;
  for (const Access& access : accesses) {
    if (access.bytes > 0) addresses.push_back(access.offset);
  }
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return {static_cast<std::uint32_t>(addresses.size()), addresses.empty() ? 0U : 1U};
}

}  // namespace benchctl::predict
