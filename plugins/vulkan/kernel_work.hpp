// A KernelPlan on a device: compiled, arguments bound.
#pragma once

#include "buffers.hpp"
#include "compile/compiler.hpp"
#include "work.hpp"

namespace benchctl::vulkan {

/// A compute pipeline of one shader.
class Kernel {
 public:
  /// Scalars are push constants, or a uniform block behind the buffers where the shader declares one.
  /// Failure compile_error when the shader's bindings and push constants are not what the launch lists;
  /// unsupported when the device has too little for it.
  Kernel(const OpenDevice& device, const PlannedLaunch& launch, const std::vector<ScalarSpec>& scalars);

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

  const OpenDevice& device_;
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

class KernelWork final : public Work {
 public:
  /// Failure out_of_memory for scratch buffers, and those of Kernel.
  KernelWork(const OpenDevice& device, const Buffers& buffers, const KernelPlan& plan);

  void record(Commands& commands, std::uint32_t set) const override;
  void reset_scratch() override;
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override { return notes_; }

 private:
  struct Launch {
    Kernel kernel;
    std::vector<VkDescriptorSet> sets;  ///< one per set of buffers; they are the kernel's
    bool prepare = false;               ///< runs in reset_scratch alone
  };
  struct Scratch {
    Buffer buffer;
    bool zeroed = false;
  };

  const OpenDevice& device_;
  std::vector<Scratch> scratch_;
  std::vector<Launch> launches_;
  std::map<std::string, std::string, std::less<>> notes_;
};

}  // namespace benchctl::vulkan
