// Variants of workload `spin`.
#include <time.h>
#include <x86intrin.h>

#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

#include <algorithm>

namespace benchctl::cpu_avx {

namespace {

/// Nanoseconds of a clock that is never adjusted; samples use another, which may be slewed.
std::uint64_t raw_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Ticks of the time stamp counter in a nanosecond, known to some 20 in a million: only where the kernel
/// ends depends on it, not what it says of its duration.
double ticks_per_ns() {
  constexpr std::uint64_t calibration_ns = 2'000'000;
  const std::uint64_t start_ns = raw_ns();
  const std::uint64_t start = __rdtsc();
  std::uint64_t passed = 0;
  do passed = raw_ns() - start_ns;
  while (passed < calibration_ns);
  return static_cast<double>(__rdtsc() - start) / static_cast<double>(passed);
}

std::unique_ptr<Executable> make_spin(const PrepareRequest& request, const ProblemSpec& spec,
                                      Machine& machine) {
  const auto scalar = spec.scalar_index("duration_ns");
  const auto* duration = scalar ? std::get_if<std::int64_t>(&spec.scalars[*scalar].value) : nullptr;
  if (duration == nullptr || *duration < 0) unsupported("a problem without a duration");
  const std::int64_t stretched = *duration * (1000 + integer_tunable(request, "stretch")) / 1000;
  const auto wanted = static_cast<std::uint64_t>(static_cast<double>(stretched) * ticks_per_ns());
  const auto added = static_cast<std::uint32_t>(*duration);
  const std::size_t token = buffer_of(spec, "token", DType::u32, 1);
  const std::size_t echo = buffer_of(spec, "echo", DType::u32, 1);
  const std::size_t clock = buffer_of(spec, "clock", DType::u32, 6);
  const auto body = [=](RangeExecutable::Buffers buffers, Range /*range*/, unsigned /*thread*/) {
    std::uint64_t ticks = 0;
    std::uint64_t edge_ticks = 0;
    std::uint64_t edge_ns = 0;
    if (wanted > 0) {
      const std::uint64_t entered = __rdtsc();
      const std::uint64_t first_ns = raw_ns();
      const std::uint64_t first = __rdtsc();
      // The time is over when the clock has been read once more, which takes as long again.
      const std::uint64_t reading = std::min(first - entered, wanted);
      while (__rdtsc() - entered < wanted - reading) {
      }
      edge_ns = raw_ns() - first_ns;
      const std::uint64_t last = __rdtsc();
      edge_ticks = last - first;
      ticks = last - entered;
    }
    *elements<std::uint32_t>(buffers, echo) = *elements<std::uint32_t>(buffers, token) + added;
    auto* counted = elements<std::uint64_t>(buffers, clock);
    counted[0] = ticks;
    counted[1] = edge_ticks;
    counted[2] = edge_ns;
  };
  return std::make_unique<RangeExecutable>(machine, 1, 1, 1, body, "x86-64");
}

const Table::Registration spin_registration([] {
  VariantInfo clock =
      cpu_variant("spin", "clock", "one pinned thread reads the time stamp counter until the time is over",
                  {{"stretch",
                    std::int64_t{0},
                    "thousandths by which the duration is prolonged: a planted slowdown",
                    {"stretch >= 0 and stretch <= 1000"},
                    {}}});
  clock.dtypes.clear();
  return std::vector<Table::Entry>{{std::move(clock), &make_spin}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
