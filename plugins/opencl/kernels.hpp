// A plan's kernels on a device: compiled, arguments bound.
#pragma once

#include "compile/program.hpp"
#include "device.hpp"

namespace benchctl::opencl {

/// Compiles all launches and checks their kernels as Kernels does, without buffers. Failures as there.
[[nodiscard]] CompileResult compile_plan(const OpenDevice& device, const KernelPlan& plan);

class Kernels {
 public:
  /// Failure compile_error with the log; unsupported when a work-group is larger than the kernel or the
  /// device allows.
  Kernels(Device& device, const gpu::PlanMemory<Device>& memory, const KernelPlan& plan);

  /// Queues the launch of that index on a set of buffers.
  void launch(std::size_t index, std::uint32_t set);
  [[nodiscard]] static std::uint32_t copies() { return 0; }

  Resources resources;
  gpu::Notes notes;

 private:
  struct Launch {
    std::string entry;
    std::vector<KernelHandle> kernels;  ///< one per set, since arguments belong to the kernel object
    std::array<std::size_t, 3> global{};
    std::array<std::size_t, 3> local{};
  };

  Device& device_;
  std::vector<Launch> launches_;
};

}  // namespace benchctl::opencl
