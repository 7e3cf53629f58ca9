#include "predict/traffic.hpp"

#include "expr/parsed.hpp"
#include "predict/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace benchctl::predict {

namespace {

constexpr std::uint64_t sampled_threads = 2048;
/// Names of a thread's place; what does not mention one is the same for all threads.
constexpr std::array<std::string_view, 8> place_names{"i", "t", "tx", "ty", "tz", "bx", "by", "bz"};

/// An expression of a pattern, evaluated once if no thread differs from another.
class PerThread {
 public:
  PerThread(const std::string& text, const Parameters& values) : expression_(parsed_expression(text)) {
    varies_ = std::ranges::any_of(
        place_names, [&](std::string_view name) { return expression_.names().contains(name); });
    if (!varies_) fixed_ = expression_.evaluate(values);
  }
  [[nodiscard]] std::uint64_t count(const Parameters& values) const {
    return varies_ ? expression_.count(values) : as_count(fixed_);
  }
  [[nodiscard]] bool holds(const Parameters& values) const {
    return varies_ ? expression_.holds(values) : std::get<bool>(fixed_);
  }

 private:
  [[nodiscard]] std::uint64_t as_count(const Value& value) const {
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr || *integer < 0) {
      throw PatternError(fmt::format("'{}' is no count", expression_.text()));
    }
    return static_cast<std::uint64_t>(*integer);
  }
  const Expression& expression_;
  bool varies_ = false;
  Value fixed_;
};

struct Threads {
  std::array<std::uint64_t, 3> block{1, 1, 1};
  std::array<std::uint64_t, 3> grid{1, 1, 1};
  [[nodiscard]] std::uint64_t per_block() const { return block[0] * block[1] * block[2]; }
  [[nodiscard]] std::uint64_t total() const { return per_block() * grid[0] * grid[1] * grid[2]; }
};

Threads threads_of(const VariantInfo& variant, const AccessSpec& access, const Parameters& values) {
  Threads threads;
  if (!access.threads.empty()) {
    threads.block[0] = std::max<std::uint64_t>(1, parsed_expression(access.threads).count(values));
    return threads;
  }
  if (!variant.kernel || access.launch >= variant.kernel->launches.size()) {
    throw PatternError(fmt::format("access to '{}' belongs to no launch, and says of no number of threads",
                                   access.operand));
  }
  const LaunchSpec& launch = variant.kernel->launches[access.launch];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    threads.block[axis] = parsed_expression(launch.block[axis]).count(values);
    threads.grid[axis] = parsed_expression(launch.grid[axis]).count(values);
  }
  return threads;
}

/// Puts the place of thread `i` of a launch into `values`.
void place(Parameters& values, const Threads& threads, std::uint64_t i) {
  const auto set = [&](const char* name, std::uint64_t number) {
    values[name] = static_cast<std::int64_t>(number);
  };
  const std::uint64_t t = i % threads.per_block();
  const std::uint64_t block = i / threads.per_block();
  set("i", i);
  set("t", t);
  set("tx", t % threads.block[0]);
  set("ty", t / threads.block[0] % threads.block[1]);
  set("tz", t / threads.block[0] / threads.block[1]);
  set("bx", block % threads.grid[0]);
  set("by", block / threads.grid[0] % threads.grid[1]);
  set("bz", block / threads.grid[0] / threads.grid[1]);
}

/// What the sampled threads ask for, warp after warp; threads that do not take part ask for 0 bytes.
std::vector<Access> sample(const AccessSpec& access, const Threads& threads, Parameters values) {
  place(values, threads, 0);
  const PerThread offset(access.offset, values);
  const PerThread bytes(access.bytes, values);
  const PerThread active(access.active, values);
  const std::uint64_t blocks = std::max<std::uint64_t>(1, sampled_threads / threads.per_block());
  const std::uint64_t count =
      std::min({threads.total(), blocks * threads.per_block(), std::uint64_t{2} * sampled_threads});
  std::vector<Access> accesses(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    place(values, threads, i);
    if (active.holds(values)) {
      accesses[i] = {offset.count(values), static_cast<std::uint32_t>(bytes.count(values))};
    }
  }
  return accesses;
}

struct Totals {
  double useful = 0;
  double line_bytes = 0;
};

template <class Use>
void each_warp(std::span<const Access> accesses, std::size_t per_block, std::uint32_t warp, Use use) {
  // A block's last warp may be part empty; the next block begins a warp of its own.
  for (std::size_t block = 0; block < accesses.size(); block += per_block) {
    const std::size_t end = std::min(accesses.size(), block + per_block);
    for (std::size_t first = block; first < end; first += warp) {
      use(accesses.subspan(first, std::min<std::size_t>(warp, end - first)));
    }
  }
}

void add_global(Traffic& traffic, Totals& totals, const AccessSpec& spec, std::span<const Access> accesses,
                const Threads& threads, double scale, double buffer_bytes, const MemoryGeometry& memory) {
  if (memory.dram > 0) {
    const double distinct =
        static_cast<double>(pieces(accesses, memory.dram)) * static_cast<double>(memory.dram) * scale;
    const double bytes = buffer_bytes > 0 ? std::min(distinct, buffer_bytes) : distinct;
    (spec.kind == AccessKind::read ? traffic.dram_read : traffic.dram_written) += bytes;
  }
  if (memory.warp == 0 || memory.sector == 0) return;
  each_warp(accesses, threads.per_block(), memory.warp, [&](std::span<const Access> request) {
    const std::uint64_t sectors = pieces(request, memory.sector);
    if (sectors == 0) return;
    traffic.requests += scale;
    traffic.sectors += scale * static_cast<double>(sectors);
    totals.useful += scale * static_cast<double>(pieces(request, 1));
    totals.line_bytes += scale * static_cast<double>(pieces(request, memory.line) * memory.line);
  });
}

void add_shared(Traffic& traffic, std::span<const Access> accesses, const Threads& threads, double scale,
                const MemoryGeometry& memory) {
  if (memory.banks == 0 || memory.warp == 0) return;
  each_warp(accesses, threads.per_block(), memory.warp, [&](std::span<const Access> request) {
    const BankCycles cycles = bank_cycles(request, memory.banks, memory.bank_bytes);
    traffic.shared_cycles += scale * cycles.cycles;
    traffic.shared_best_cycles += scale * cycles.conflict_free;
  });
}

}  // namespace

Traffic count_traffic(const VariantInfo& variant, const ProblemSpec& problem, const Parameters& values,
                      const MemoryGeometry& memory) {
  Traffic traffic;
  Totals totals;
  for (const AccessSpec& spec : variant.access) {
    try {
      const Threads threads = threads_of(variant, spec, values);
      const std::vector<Access> accesses = sample(spec, threads, values);
      const double times = static_cast<double>(parsed_expression(spec.times).count(values));
      const double scale =
          times * static_cast<double>(threads.total()) / static_cast<double>(accesses.size());
      if (spec.space == AccessSpace::shared) {
        add_shared(traffic, accesses, threads, scale, memory);
        continue;
      }
      const auto buffer = problem.buffer_index(spec.operand);
      const double bytes = buffer ? static_cast<double>(problem.buffers[*buffer].bytes()) : 0;
      add_global(traffic, totals, spec, accesses, threads, scale, bytes, memory);
    } catch (const ExpressionError& error) {
      throw PatternError(fmt::format("access to '{}' of {}/{}: {}", spec.operand, variant.workload,
                                     variant.name, error.what()));
    }
  }
  traffic.cache_bytes = traffic.sectors * memory.sector;
  traffic.useful_share = traffic.cache_bytes > 0 ? totals.useful / traffic.cache_bytes : 0;
  traffic.line_share = totals.line_bytes > 0 ? totals.useful / totals.line_bytes : 0;
  return traffic;
}

}  // namespace benchctl::predict
