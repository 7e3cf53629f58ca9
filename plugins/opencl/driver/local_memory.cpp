#include "driver/local_memory.hpp"

#include "compile/program.hpp"
#include "driver/error.hpp"
#include "driver/open_device.hpp"
#include "gpu/self_path.hpp"

#include <array>

namespace benchctl::opencl {

bool takes_local_memory(const OpenDevice& device, std::uint64_t bytes) {
  constexpr std::size_t items = 256;
  const std::size_t all = items * 4 * std::max<std::size_t>(1, device.info.compute_units);
  try {
    const std::filesystem::path file = gpu::plugin_directory() / "kernels/opencl/local_memory.cl";
    const BuiltProgram built = build_program(device, file, {{"BYTES", std::to_string(bytes)}}, items);
    const KernelHandle kernel = create_kernel(built, "local_memory", file);
    std::array<cl_uint, 2> counts{};
    const BufferHandle buffer = device.allocate(sizeof counts, "the counts of the trial of local memory");
    const cl_mem argument = buffer.get();
    check(api().clSetKernelArg(kernel.get(), 0, sizeof argument, &argument),
          "set an argument of local_memory");
    check(api().clEnqueueNDRangeKernel(device.queue.get(), kernel.get(), 1, nullptr, &all, &items, 0,
                                       nullptr, nullptr),
          "launch the trial of local memory");
    check(api().clEnqueueReadBuffer(device.queue.get(), buffer.get(), CL_TRUE, 0, sizeof counts,
                                    counts.data(), 0, nullptr, nullptr),
          "read the counts of the trial of local memory");
    return counts[0] == all && counts[1] == 0;
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace benchctl::opencl
