// A kernel file made ready: compiled, loaded, arguments bound.
#pragma once

#include "compile/compiler.hpp"
#include "driver/tensor_map.hpp"
#include "measure/execution.hpp"

#include <vector>

namespace benchctl::cuda {

class PreparedKernel final : public PreparedExecution {
 public:
  /// Those arguments of the last launch that `views` name are passed as tensor maps of their buffers. Where
  /// `overlapping`, launches behind the first may begin before the one ahead of them has ended, for which
  /// their kernels wait themselves (kernels/launch_order.cuh).
  /// Throws Failure: compile_error, out_of_memory for scratch, unsupported for what the GPU cannot launch.
  PreparedKernel(DeviceProblem& problem, const KernelPlan& plan, const std::vector<TensorView>& views = {},
                 bool overlapping = false);
  ~PreparedKernel() override;

  [[nodiscard]] Resources resources() const override { return resources_; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override { return notes_; }
  void reset_scratch() override;
  void add_note(const std::string& name, std::string text) { notes_[name] = std::move(text); }

 protected:
  void enqueue(std::uint32_t set) override;
  [[nodiscard]] std::uint32_t operations() const override;
  [[nodiscard]] std::string title() const override { return title_; }

 private:
  struct Scratch {
    DeviceMemory memory;
    std::uint64_t bytes;
    bool zeroed;
  };
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
    bool prepare = false;                  ///< runs in reset_scratch alone
    std::vector<Constant> constants = {};  ///< copied before it
  };
  /// Argument values of one launch on one set, and pointers to them as cuLaunchKernel takes them.
  struct Arguments {
    std::vector<std::uint64_t> values;
    std::vector<CUtensorMap> maps;
    std::vector<void*> pointers;
  };

  void load(const KernelPlan& plan, bool overlapping);
  void allocate_scratch(const KernelPlan& plan);
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
  void launch_kernel(const Launch& launch, Arguments& arguments, std::uint32_t set) const;
  void replace_by_maps(Arguments& arguments, const std::vector<TensorView>& views) const;

  std::string title_;
  std::string architecture_;
  std::map<std::string, std::string, std::less<>> notes_;
  Resources resources_;
  std::vector<Module> modules_;
  std::map<CUdeviceptr, std::size_t> filled_;  ///< which input constant memory has when all is queued
  std::vector<Scratch> scratch_;
  std::vector<Launch> launches_;
  std::vector<std::vector<Arguments>> arguments_;  ///< by set and launch
};

}  // namespace benchctl::cuda
