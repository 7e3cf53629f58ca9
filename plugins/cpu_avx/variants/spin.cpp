// Variants of workload `spin`.
#include <time.h>

#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Nanoseconds of a clock that nobody adjusts: samples are taken with another, which may be slewed.
std::uint64_t raw_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

std::unique_ptr<Executable> make(const PrepareRequest& request, const ProblemSpec& spec, Machine& machine) {
  const auto scalar = spec.scalar_index("duration_ns");
  const auto* duration = scalar ? std::get_if<std::int64_t>(&spec.scalars[*scalar].value) : nullptr;
  if (duration == nullptr || *duration < 0) unsupported("a problem without a duration");
  const std::int64_t stretched = *duration * (1000 + integer_tunable(request, "stretch")) / 1000;
  const auto wanted = static_cast<std::uint64_t>(stretched);
  const auto added = static_cast<std::uint32_t>(*duration);
  const std::size_t token = buffer_of(spec, "token", DType::u32, 1);
  const std::size_t echo = buffer_of(spec, "echo", DType::u32, 1);
  const std::size_t clock = buffer_of(spec, "clock", DType::u32, 6);
  const auto body = [=](RangeExecutable::Buffers buffers, Range /*range*/, unsigned /*thread*/) {
    std::uint64_t spun = 0;
    if (wanted > 0) {
      const std::uint64_t start = raw_ns();
      do spun = raw_ns() - start;
      while (spun < wanted);
    }
    *elements<std::uint32_t>(buffers, echo) = *elements<std::uint32_t>(buffers, token) + added;
    // The clock is both the fine one and the true one.
    const std::uint64_t one = wanted > 0 ? 1 : 0;
    auto* counted = elements<std::uint64_t>(buffers, clock);
    counted[0] = spun;
    counted[1] = one;
    counted[2] = one;
  };
  return std::make_unique<RangeExecutable>(machine, 1, 1, 1, body, "x86-64");
}

const Table::Registration registration([] {
  VariantInfo clock = cpu_variant(
      "spin", "clock", "one pinned thread reads the system's raw monotonic clock until the time is over",
      {{"stretch",
        std::int64_t{0},
        "thousandths by which the duration is prolonged: a planted slowdown",
        {"stretch >= 0 and stretch <= 1000"},
        {}}});
  clock.dtypes.clear();
  return std::vector<Table::Entry>{{std::move(clock), &make}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
