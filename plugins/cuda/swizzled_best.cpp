#include "prepared_kernel.hpp"
#include "transpose_ways.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_swizzled_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProblemSpec& spec = problem.spec();
  const auto scalar = [&](const char* name) {
    return static_cast<std::uint64_t>(
        std::get<std::int64_t>(spec.scalars[spec.scalar_index(name).value()].value));
  };
  const bool wide = spec.buffers[spec.buffer_index("in").value()].type == DType::f64;
  const TransposeSize size{scalar("rows"), scalar("columns"), wide ? 8U : 4U};
  const TransposeWay way = choose_transpose(size, problem.context().info().compute_units);
  auto prepared = std::make_unique<PreparedKernel>(
      problem, plan_transpose(spec, size, way, plugin_directory() / "kernels/cuda"));
  prepared->add_note("way", to_text(way));
  return prepared;
}

}  // namespace benchctl::cuda
