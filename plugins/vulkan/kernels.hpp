// A plan's kernels on a device: compiled, arguments bound.
#pragma once

#include "compile/compiler.hpp"
#include "device.hpp"

namespace benchctl::vulkan {

/// A compute pipeline of one shader.
class Kernel {
 public:
  /// Scalars are push constants, or a uniform block behind the buffers where the shader declares one.
  /// Failure compile_error when the shader's bindings and push constants are not what the launch lists;
  /// unsupported when the device has too little for it.
  Kernel(TimedDevice& device, const PlannedLaunch& launch, const std::vector<ScalarSpec>& scalars);

  /// Descriptor sets for these buffers, in the order of the launch's arguments. One call for each set that
  /// was reserved.
  void reserve(std::uint32_t sets);
  [[nodiscard]] VkDescriptorSet bind(const std::vector<const Buffer*>& buffers) const;
  void record(Commands& commands, VkDescriptorSet set) const;

  [[nodiscard]] const std::string& cache_note() const { return cache_note_; }

 private:
  void make_layouts();
  /// Scalars that the shader takes in a uniform block go there.
  void fill_block(const ShaderInterface& interface);
  [[nodiscard]] VkDescriptorType type_of(std::uint32_t binding) const;
  void make_pipeline(const std::vector<std::uint32_t>& words, const std::string& source);

  TimedDevice& device_;
  std::string entry_;
  std::array<std::uint32_t, 3> grid_{};
  std::vector<std::byte> push_;
  std::uint32_t buffers_ = 0;
  std::set<std::uint32_t> uniform_;  ///< bindings of uniform blocks
  Buffer block_;                     ///< with scalars, behind the buffers; or none
  std::string cache_note_;
  SetLayoutHandle set_layout_;
  PipelineLayoutHandle layout_;
  PipelineHandle pipeline_;
  DescriptorPoolHandle pool_;
};

class Kernels {
 public:
  /// Failures of Kernel; unsupported for inputs that the driver may change before a kernel sees them.
  Kernels(TimedDevice& device, const gpu::PlanMemory<TimedDevice>& memory, const KernelPlan& plan);

  /// Records the launch of that index on a set of buffers. What came before is behind a barrier.
  void launch(std::size_t index, std::uint32_t set);
  [[nodiscard]] static std::uint32_t copies() { return 0; }

  Resources resources;
  gpu::Notes notes;

 private:
  struct Launch {
    Kernel kernel;
    std::vector<VkDescriptorSet> sets;  ///< one per set of buffers; they are the kernel's
  };

  TimedDevice& device_;
  std::vector<Launch> launches_;
};

}  // namespace benchctl::vulkan
