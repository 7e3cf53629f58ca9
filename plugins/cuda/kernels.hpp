// A plan's kernels made ready: compiled, loaded, arguments bound.
#pragma once

#include "compile/compiler.hpp"
#include "driver/context.hpp"
#include "mapped_product.hpp"

#include <array>
#include <vector>

namespace benchctl::cuda {

class Kernels {
 public:
  using Memory = gpu::PlanMemory<Context>;

  /// Throws Failure: compile_error, unsupported for what the GPU cannot launch.
  Kernels(Context& context, const Memory& memory, const KernelPlan& plan);

  /// Queues the launch of that index on a set of buffers.
  void launch(std::size_t index, std::uint32_t set);
  /// Copies into constant memory in one execution.
  [[nodiscard]] std::uint32_t copies() const;

  Resources resources;
  gpu::Notes notes;

 private:
  /// Constant memory that is a copy of a buffer or scratch buffer.
  struct Constant {
    CUdeviceptr address;
    std::uint64_t bytes;
    PlannedArgument memory;
  };
  struct Launch {
    CUfunction function;
    std::string entry;
    std::array<unsigned, 3> grid;
    std::array<unsigned, 3> block;
    unsigned shared_bytes;
    bool overlaps = false;
    std::vector<Constant> constants = {};  ///< copied before it
  };
  /// Argument values of one launch on one set, and pointers to them as cuLaunchKernel takes them.
  struct Arguments {
    std::vector<std::uint64_t> values;
    std::vector<CUtensorMap> maps;
    std::vector<void*> pointers;
  };

  void load(const KernelPlan& plan, bool overlapping);
  /// `name` is that of the launch's entry in the module.
  [[nodiscard]] CUfunction find_function(const Module& module, const PlannedLaunch& launch,
                                         const std::string& name) const;
  /// What has to be copied before the launch: all of it, but for inputs that an earlier launch's are.
  [[nodiscard]] std::vector<Constant> find_constants(const Module& module, const PlannedLaunch& launch);
  void add_driver_resources(const PlannedLaunch& planned, const Launch& launch);
  void check_parameters(const PlannedLaunch& launch, CUfunction function,
                        const std::vector<ScalarSpec>& scalars) const;
  [[nodiscard]] Arguments bind_arguments(const PlannedLaunch& launch, const KernelPlan& plan,
                                         std::uint32_t set) const;
  void replace_by_maps(Arguments& arguments, const std::vector<TensorView>& views) const;

  Context& context_;
  const Memory& memory_;
  std::vector<Module> modules_;
  std::map<CUdeviceptr, std::size_t> filled_;  ///< which input constant memory has when all is queued
  std::vector<Launch> launches_;
  std::vector<std::vector<Arguments>> arguments_;  ///< by set and launch
};

}  // namespace benchctl::cuda
