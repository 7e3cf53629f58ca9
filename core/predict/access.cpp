#include "predict/access.hpp"

#include <algorithm>
#include <vector>

namespace benchctl::predict {

namespace {

/// Numbers of all pieces that hold a byte asked for, ascending, each once.
std::vector<std::uint64_t> touched(std::span<const Access> accesses, std::uint32_t piece) {
  std::vector<std::uint64_t> numbers;
  for (const Access& access : accesses) {
    if (access.bytes == 0) continue;
    const std::uint64_t last = (access.offset + access.bytes - 1) / piece;
    for (std::uint64_t number = access.offset / piece; number <= last; ++number) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::uint32_t cycles_of_phase(std::span<const Access> accesses, std::uint32_t banks,
                              std::uint32_t bank_bytes) {
  std::vector<std::uint32_t> words_of_bank(banks, 0);
  std::uint32_t cycles = 0;
  for (const std::uint64_t word : touched(accesses, bank_bytes)) {
    cycles = std::max(cycles, ++words_of_bank[word % banks]);
  }
  return cycles;
}

}  // namespace

std::uint64_t pieces(std::span<const Access> accesses, std::uint32_t piece) {
  return touched(accesses, piece).size();
}

std::uint64_t requested_bytes(std::span<const Access> accesses) {
  std::uint64_t sum = 0;
  for (const Access& access : accesses) sum += access.bytes;
  return sum;
}

double efficiency(std::span<const Access> accesses, std::uint32_t piece) {
  const std::uint64_t moved = pieces(accesses, piece) * piece;
  return moved == 0 ? 0 : static_cast<double>(pieces(accesses, 1)) / static_cast<double>(moved);
}

BankCycles bank_cycles(std::span<const Access> accesses, std::uint32_t banks, std::uint32_t bank_bytes) {
  BankCycles result;
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

}  // namespace benchctl::predict
