#include "swizzled_best.hpp"

#include "gpu/transpose_ways.hpp"
#include "prepared_kernel.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_swizzled_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProblemSpec& spec = problem.spec();
  const gpu::TransposeSize size = gpu::transpose_size(spec);
  const gpu::TransposeWay way = gpu::choose_transpose(size, problem.context().info().compute_units);
  const std::filesystem::path source = plugin_directory() / "kernels/cuda/transpose_swizzled.cu";
  auto prepared =
      std::make_unique<PreparedKernel>(problem, gpu::plan_transpose(spec, size, way, source, "THREADS"));
  prepared->add_note("way", to_text(way));
  return prepared;
}

}  // namespace benchctl::cuda
