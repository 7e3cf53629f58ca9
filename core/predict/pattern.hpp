// What the threads of a launch ask for, evaluated from a variant's description on a sample of them.
#pragma once

#include <benchctl/problem.hpp>
#include <benchctl/variant.hpp>

#include "predict/access.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <vector>

namespace benchctl::predict {

/// An access pattern that cannot be evaluated: a fault of the variant's description.
class PatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The threads of a launch.
struct Threads {
  std::array<std::uint64_t, 3> block{1, 1, 1};
  std::array<std::uint64_t, 3> grid{1, 1, 1};
  [[nodiscard]] std::uint64_t per_block() const { return block[0] * block[1] * block[2]; }
  [[nodiscard]] std::uint64_t total() const { return per_block() * grid[0] * grid[1] * grid[2]; }
  bool operator==(const Threads&) const = default;
};

/// One memory instruction.
struct Pattern {
  const AccessSpec* spec = nullptr;
  Threads threads;
  std::uint64_t times = 1;  ///< executions by each thread
  /// Accesses of the sampled threads in their order, whole blocks from the launch's start; those that do
  /// not take part ask for 0 bytes.
  std::vector<Access> sample;

  /// Executions by all threads over those in the sample.
  [[nodiscard]] double scale() const {
    if (sample.empty()) return 0;
    return static_cast<double>(times) * static_cast<double>(threads.total()) /
           static_cast<double>(sample.size());
  }
  /// Calls `use` with the accesses of each `part` neighbouring threads of a block; the last may be fewer.
  template <class Use>
  void each_part(std::uint64_t part, const Use& use) const {
    const std::span<const Access> all = sample;
    for (std::uint64_t block = 0; block < all.size(); block += threads.per_block()) {
      const std::uint64_t end = std::min<std::uint64_t>(all.size(), block + threads.per_block());
      for (std::uint64_t first = block; first < end; first += part)
        use(all.subspan(first, std::min(part, end - first)));
    }
  }
  /// The same threads carry out both equally often: what they ask for can be united.
  [[nodiscard]] bool goes_with(const Pattern& other) const {
    return spec->operand == other.spec->operand && spec->space == other.spec->space &&
           spec->kind == other.spec->kind && spec->launch == other.spec->launch &&
           threads == other.threads && times == other.times;
  }
};

/// All patterns of `variant.access`, on 2048 threads or so. `values` are those of kernel_values()
/// (core/sweep). Throws PatternError.
[[nodiscard]] std::vector<Pattern> sampled_patterns(const VariantInfo& variant, const Parameters& values);

}  // namespace benchctl::predict
