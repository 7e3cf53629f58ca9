#include "swizzled_best.hpp"

#include "kernel_work.hpp"
#include "self_path.hpp"
#include "transpose_ways.hpp"

namespace benchctl::opencl {

std::unique_ptr<Work> make_swizzled_best(const OpenDevice& device, const Buffers& buffers,
                                         const PrepareRequest& /*request*/) {
  const ProblemSpec& spec = buffers.spec();
  const auto scalar = [&](const char* name) {
    return static_cast<std::uint64_t>(
        std::get<std::int64_t>(spec.scalars[spec.scalar_index(name).value()].value));
  };
  const bool wide = spec.buffers[spec.buffer_index("in").value()].type == DType::f64;
  const TransposeSize size{scalar("rows"), scalar("columns"), wide ? 8U : 4U};
  const TransposeWay way = choose_transpose(size, static_cast<std::uint32_t>(device.info.compute_units));
  auto work =
      std::make_unique<KernelWork>(device, buffers, plan_transpose(spec, size, way, kernel_directory()));
  work->add_note("way", to_text(way));
  return work;
}

}  // namespace benchctl::opencl
