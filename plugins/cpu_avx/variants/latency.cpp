// Variants of workload `latency`.
#include "kernels/latency_chase.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

std::unique_ptr<Executable> make_latency(const PrepareRequest& /*request*/, const ProblemSpec& spec,
                                         Machine& machine) {
  const auto steps = static_cast<std::size_t>(scalar_of(spec, "steps"));
  const std::size_t chain = buffer_of(spec, "chain", DType::u32, spec.buffers.at(0).count);
  const std::size_t end = buffer_of(spec, "end", DType::u32, 1);
  const auto body = [=](RangeExecutable::Buffers buffers, Range /*range*/, unsigned /*thread*/) {
    *elements<std::uint32_t>(buffers, end) = latency_chase(elements<std::uint32_t>(buffers, chain), steps);
  };
  return std::make_unique<RangeExecutable>(machine, 1, 1, 1, body, "x86-64");
}

const Table::Registration latency_registration([] {
  VariantInfo chase =
      cpu_variant("latency", "chase",
                  "one pinned thread follows the chain; limited by the latency of the cache "
                  "or memory that holds it",
                  {});
  chase.dtypes.clear();
  return std::vector<Table::Entry>{{std::move(chase), &make_latency}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
