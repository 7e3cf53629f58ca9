#include "swizzled_best.hpp"

#include "gpu/transpose_ways.hpp"
#include "kernel_directory.hpp"
#include "kernel_work.hpp"

namespace benchctl::opencl {

std::unique_ptr<Work> make_swizzled_best(const OpenDevice& device, const Buffers& buffers,
                                         const PrepareRequest& /*request*/) {
  const ProblemSpec& spec = buffers.spec();
  const gpu::TransposeSize size = gpu::transpose_size(spec);
  const gpu::TransposeWay way =
      gpu::choose_transpose(size, static_cast<std::uint32_t>(device.info.compute_units));
  auto work = std::make_unique<KernelWork>(
      device, buffers,
      gpu::plan_transpose(spec, size, way, kernel_directory() / "transpose_swizzled.cl", "ITEMS"));
  work->add_note("way", to_text(way));
  return work;
}

}  // namespace benchctl::opencl
