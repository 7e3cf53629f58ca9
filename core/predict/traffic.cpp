#include "predict/traffic.hpp"

#include <algorithm>
#include <map>

namespace benchctl::predict {

namespace {

/// Bytes of memory that accesses to one buffer touch, summed over patterns that cannot be united.
struct Touched {
  AccessKind kind = AccessKind::read;
  double buffer_bytes = 0;  ///< 0: unknown
  double dram = 0;          ///< in pieces that memory delivers
  double apart = 0;         ///< in those whose neighbours in their line are not touched
  double in_sectors = 0;    ///< in sectors
  double asked_for = 0;
  double filled = 0;  ///< pieces with sectors that are stored to in part

  [[nodiscard]] double at_most_the_buffer(double bytes) const {
    return buffer_bytes > 0 ? std::min(bytes, buffer_bytes) : bytes;
  }
};

class Count {
 public:
  Count(const ProblemSpec& problem, const MemoryGeometry& memory) : problem_(problem), memory_(memory) {}

  void add(std::span<const Pattern> united_patterns) {
    const AccessSpace space = united_patterns.front().spec->space;
    for (const Pattern& pattern : united_patterns) {
      traffic_.requested_bytes += pattern.scale() * static_cast<double>(requested_bytes(pattern.sample));
      if (memory_.warp == 0) continue;
      if (space != AccessSpace::global) {
        add_turns(pattern);
      } else if (memory_.sector > 0) {
        add_requests(pattern);
      }
    }
    if (space != AccessSpace::global) return;
    if (memory_.warp > 0 && memory_.sector > 0) add_to_caches(united_patterns);
    if (memory_.dram > 0) add_to_memory(united_patterns);
  }

  [[nodiscard]] Traffic result() const {
    Traffic traffic = traffic_;
    for (const auto& [place, touched] : touched_) {
      const double bytes = touched.at_most_the_buffer(touched.dram);
      if (touched.kind == AccessKind::read) {
        traffic.dram_read += bytes;
        // Where all of the buffer is read, other threads read the neighbours.
        if (bytes >= touched.dram) traffic.dram_apart += touched.apart;
        continue;
      }
      traffic.dram_written += bytes;
      // Gaps that other threads' stores close do not count.
      const bool closed =
          touched.at_most_the_buffer(touched.asked_for) >= touched.at_most_the_buffer(touched.in_sectors);
      if (!closed) traffic.dram_filled += touched.at_most_the_buffer(touched.filled);
    }
    const double sector_bytes = traffic.sectors * memory_.sector;
    traffic.useful_share = sector_bytes > 0 ? useful_ / sector_bytes : 0;
    traffic.line_share = line_bytes_ > 0 ? useful_ / line_bytes_ : 0;
    return traffic;
  }

 private:
  void add_requests(const Pattern& pattern) {
    const double scale = pattern.scale();
    pattern.each_part(memory_.warp, [&](std::span<const Access> request) {
      const std::vector<Extent> extents = united(request);
      if (extents.empty()) return;
      traffic_.requests += scale;
      traffic_.sectors += scale * static_cast<double>(pieces(extents, memory_.sector));
      useful_ += scale * static_cast<double>(length(extents));
      line_bytes_ += scale * static_cast<double>(pieces(extents, memory_.line) * memory_.line);
    });
  }

  /// What a block loads stays in a first-level cache for its other instructions; stores pass it by.
  void add_to_caches(std::span<const Pattern> united_patterns) {
    const Pattern& first = united_patterns.front();
    double sectors = 0;
    if (first.spec->kind == AccessKind::write) {
      for (const Pattern& pattern : united_patterns) {
        pattern.each_part(memory_.warp, [&](std::span<const Access> request) {
          sectors += static_cast<double>(pieces(request, memory_.sector));
        });
      }
    } else {
      const std::uint64_t per_block = first.threads.per_block();
      std::vector<Access> of_block;
      for (std::uint64_t block = 0; block < first.sample.size(); block += per_block) {
        of_block.clear();
        for (const Pattern& pattern : united_patterns) {
          const auto begin = pattern.sample.begin() + static_cast<std::ptrdiff_t>(block);
          const auto count = std::min<std::uint64_t>(per_block, pattern.sample.size() - block);
          of_block.insert(of_block.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
        }
        sectors += static_cast<double>(pieces(of_block, memory_.sector));
      }
    }
    traffic_.cache_bytes += first.scale() * sectors * memory_.sector;
  }

  void add_to_memory(std::span<const Pattern> united_patterns) {
    const AccessSpec& spec = *united_patterns.front().spec;
    const double scale = united_patterns.front().scale();
    const auto buffer = problem_.buffer_index(spec.operand);
    const std::uint64_t buffer_bytes = buffer ? problem_.buffers[*buffer].bytes() : 0;
    std::vector<Access> all;
    for (const Pattern& pattern : united_patterns) {
      all.insert(all.end(), pattern.sample.begin(), pattern.sample.end());
    }
    const std::vector<Extent> extents = united(all);
    const auto bytes = [&](std::uint64_t count, std::uint32_t piece) {
      return scale * static_cast<double>(count) * static_cast<double>(piece);
    };
    Touched& touched = touched_[{spec.operand, spec.kind}];
    touched.kind = spec.kind;
    touched.buffer_bytes = static_cast<double>(buffer_bytes);
    touched.dram += bytes(pieces(extents, memory_.dram), memory_.dram);
    if (memory_.line == 2 * memory_.dram) {
      // One or both of two pieces of a line are touched.
      const std::uint64_t alone = 2 * pieces(extents, memory_.line) - pieces(extents, memory_.dram);
      touched.apart += bytes(alone, memory_.dram);
    }
    // Where a cache knows its lines by sectors it keeps what is stored until it must write it. Other caches
    // read a line before anything is stored to it, whole or not, and the measured roofs have that in them.
    if (spec.kind == AccessKind::read || memory_.sector == 0 || memory_.sector >= memory_.line) return;
    touched.asked_for += bytes(length(extents), 1);
    touched.in_sectors += bytes(pieces(extents, memory_.sector), memory_.sector);
    touched.filled +=
        bytes(pieces_with_gaps(extents, memory_.sector, memory_.dram, buffer_bytes), memory_.dram);
  }

  void add_turns(const Pattern& pattern) {
    const double scale = pattern.scale();
    const bool shared = pattern.spec->space == AccessSpace::shared;
    if (shared && memory_.banks == 0) return;
    pattern.each_part(memory_.warp, [&](std::span<const Access> request) {
      const Turns turns =
          shared ? bank_cycles(request, memory_.banks, memory_.bank_bytes) : constant_turns(request);
      if (shared) traffic_.shared_cycles += scale * turns.cycles;
      traffic_.turns += scale * turns.cycles;
      traffic_.best_turns += scale * turns.conflict_free;
    });
  }

  const ProblemSpec& problem_;
  const MemoryGeometry& memory_;
  Traffic traffic_;
  double useful_ = 0;
  double line_bytes_ = 0;
  std::map<std::pair<std::string, AccessKind>, Touched> touched_;
};

}  // namespace

Traffic count_traffic(const VariantInfo& variant, const ProblemSpec& problem, const Parameters& values,
                      const MemoryGeometry& memory) {
  std::vector<Pattern> patterns = sampled_patterns(variant, values);
  Count count(problem, memory);
  for (auto first = patterns.begin(); first != patterns.end();) {
    const auto last = std::stable_partition(
        first, patterns.end(), [&, head = *first](const Pattern& other) { return other.goes_with(head); });
    count.add({first, last});
    first = last;
  }
  return count.result();
}

}  // namespace benchctl::predict
