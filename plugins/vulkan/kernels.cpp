#include "kernels.hpp"

#include <benchctl/rounding.hpp>

#include "compile/push_constants.hpp"
#include "driver/error.hpp"

#include <algorithm>

namespace benchctl::vulkan {

namespace {

std::uint32_t buffers_of(const PlannedLaunch& launch) {
  return static_cast<std::uint32_t>(std::ranges::count_if(launch.arguments, [](const PlannedArgument& one) {
    return one.kind == PlannedArgument::Kind::buffer || one.kind == PlannedArgument::Kind::scratch;
  }));
}

std::string list_text(const std::set<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text.empty() ? "none" : text;
}

/// Does it take its scalars in a uniform block, which stands behind `buffers` buffers?
bool has_block(const ShaderInterface& declared, std::uint32_t buffers) {
  return declared.push.empty() && declared.bindings.size() == buffers + 1 &&
         declared.uniform.contains(buffers);
}

/// What the kernel declares has to be what its description lists: a driver would not look.
void check_interface(const PlannedLaunch& launch, const ShaderInterface& declared,
                     const PushConstants& push) {
  const std::string kernel = launch.source + ": kernel '" + launch.entry + "' ";
  const std::uint32_t buffers = buffers_of(launch);
  std::set<std::uint32_t> listed;
  for (std::uint32_t i = 0; i < buffers; ++i) listed.insert(i);
  const bool block = has_block(declared, buffers) && !push.members.empty();
  if (block) listed.insert(buffers);
  if (declared.other_sets) {
    throw Failure(FailureKind::compile_error, kernel + "binds buffers to a set other than 0");
  }
  if (declared.bindings != listed) {
    throw Failure(FailureKind::compile_error, kernel + "declares buffers at bindings " +
                                                  list_text(declared.bindings) +
                                                  ", but its description lists " + std::to_string(buffers) +
                                                  " buffers, at bindings " + list_text(listed));
  }
  const std::vector<PushMember>& scalars = block ? declared.uniform.at(buffers) : declared.push;
  if (scalars != push.members) {
    throw Failure(FailureKind::compile_error,
                  kernel + "declares " + (block ? "a uniform block of " : "push constants ") +
                      to_text(scalars) + ", but the scalars of its description are " +
                      to_text(push.members));
  }
}

/// Blocks and grids that the device cannot run are refused in words: a driver would be free to crash.
void check_size(const PlannedLaunch& launch, const DeviceInfo& info) {
  const auto refuse = [&](const std::string& what, std::uint64_t allowed, std::uint64_t asked) {
    throw Failure(FailureKind::unsupported, "on " + info.name + " " + what + " allows " +
                                                std::to_string(allowed) + ", kernel '" + launch.entry +
                                                "' asks for " + std::to_string(asked));
  };
  const std::uint64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  if (threads > info.limits.max_block_threads) {
    refuse("a workgroup", info.limits.max_block_threads, threads);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string dimension = "dimension " + std::to_string(axis);
    if (launch.block[axis] > info.limits.max_block[axis]) {
      refuse(dimension + " of a workgroup", info.limits.max_block[axis], launch.block[axis]);
    }
    if (launch.grid[axis] > info.limits.max_grid[axis]) {
      refuse(dimension + " of a launch", info.limits.max_grid[axis], launch.grid[axis]);
    }
  }
  if (launch.local_bytes > info.limits.local_memory_bytes) {
    refuse("the shared memory of a workgroup", info.limits.local_memory_bytes, launch.local_bytes);
  }
}

/// Numbers of such widths are push constants only where a device says so.
void check_widths(const PushConstants& push, const OpenDevice& device, const std::string& entry) {
  const auto& features = device.query().features();
  const auto needs = [&](std::uint32_t bits, PushMember::Kind kind, VkBool32 there, const char* feature) {
    const bool used = std::ranges::any_of(push.members, [&](const PushMember& member) {
      return member.bits == bits && (bits < 32 || member.kind == kind);
    });
    if (!used || there != VK_FALSE) return;
    throw Failure(FailureKind::unsupported, "kernel '" + entry + "' has scalars of " +
                                                std::to_string(bits) + " bits; " + device.info().name +
                                                " has no " + feature);
  };
  const VkPhysicalDeviceFeatures& core = features.core.features;
  needs(8, PushMember::Kind::integer, features.storage8.storagePushConstant8, "storagePushConstant8");
  needs(16, PushMember::Kind::integer, features.storage16.storagePushConstant16, "storagePushConstant16");
  needs(64, PushMember::Kind::integer, core.shaderInt64, "shaderInt64");
  needs(64, PushMember::Kind::real, core.shaderFloat64, "shaderFloat64");
}

/// What of it the device promises, in the widths that the shader uses.
FloatControls controls_of(const OpenDevice& device, const ShaderInterface& interface) {
  const auto& has = device.query().float_controls();
  FloatControls controls;
  if (has.shaderDenormPreserveFloat32 != VK_FALSE) controls.preserve_denormals.push_back(32);
  if (has.shaderSignedZeroInfNanPreserveFloat32 != VK_FALSE) controls.preserve_special.push_back(32);
  if (!interface.float64) return controls;
  if (has.shaderDenormPreserveFloat64 != VK_FALSE) controls.preserve_denormals.push_back(64);
  if (has.shaderSignedZeroInfNanPreserveFloat64 != VK_FALSE) controls.preserve_special.push_back(64);
  return controls;
}

/// Denormals that become 0 are the driver's right where it does not promise otherwise, and no fault of a
/// variant.
void refuse_denormals(const Parameters& parameters, const std::string& device) {
  const auto is = [&](const char* name, const std::string& word) {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->second == Value(word);
  };
  if (!is("values", "denormal") || is("dtype", "f64")) return;
  throw Failure(FailureKind::unsupported,
                "the driver of " + device +
                    " may flush denormals to 0 (it has no shaderDenormPreserveFloat32), and these inputs "
                    "are denormals");
}

}  // namespace

Kernel::Kernel(TimedDevice& device, const PlannedLaunch& launch, const std::vector<ScalarSpec>& scalars)
    : device_(device), entry_(launch.entry), buffers_(buffers_of(launch)) {
  const bool passes_local =
      std::ranges::count(launch.arguments, PlannedArgument::Kind::local, &PlannedArgument::kind) > 0;
  if (launch.shared_bytes > 0 || passes_local) {
    throw Failure(
        FailureKind::unsupported,
        "kernel '" + entry_ +
            "' asks for dynamic shared memory; a Vulkan kernel declares its shared memory itself");
  }
  check_size(launch, device.info());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    grid_[axis] = static_cast<std::uint32_t>(launch.grid[axis]);
  }
  PushConstants push = push_constants(launch, scalars);
  const std::uint32_t most_push = device.query().properties().limits.maxPushConstantsSize;
  if (push.bytes.size() > most_push) {
    throw Failure(FailureKind::unsupported, "kernel '" + entry_ + "' has scalars of " +
                                                std::to_string(push.bytes.size()) + " bytes, " +
                                                device.info().name + " takes " + std::to_string(most_push));
  }
  check_widths(push, device, entry_);
  const Shader shader = compile_shader(launch, device.options());
  check_interface(launch, shader.interface, push);
  cache_note_ = shader.cache_note;
  push_ = std::move(push.bytes);
  for (const auto& [binding, members] : shader.interface.uniform) uniform_.insert(binding);
  fill_block(shader.interface);
  make_layouts();
  make_pipeline(with_float_controls(shader.words, controls_of(device, shader.interface)), launch.source);
}

void Kernel::fill_block(const ShaderInterface& interface) {
  if (push_.empty() || !has_block(interface, buffers_)) return;
  for (const PushMember& member : interface.uniform.at(buffers_)) {
    if (member.bits >= 32) continue;
    throw Failure(FailureKind::unsupported, "kernel '" + entry_ + "' takes scalars of " +
                                                std::to_string(member.bits) +
                                                " bits in a uniform block: take them as push constants");
  }
  constexpr std::uint64_t end_of_block = 16;  // std140 rounds a block's size up to it
  block_ = device_.allocate(Space::device, round_up(push_.size(), end_of_block),
                            "scalars of kernel '" + entry_ + "'");
  device_.upload(block_, 0, push_);
  device_.finish("the scalars of a kernel");
  push_.clear();
  ++buffers_;
}

VkDescriptorType Kernel::type_of(std::uint32_t binding) const {
  return uniform_.contains(binding) ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

void Kernel::make_layouts() {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (std::uint32_t i = 0; i < buffers_; ++i) {
    bindings.push_back({.binding = i,
                        .descriptorType = type_of(i),
                        .descriptorCount = 1,
                        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                        .pImmutableSamplers = nullptr});
  }
  const VkDescriptorSetLayoutCreateInfo set{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = nullptr,
                                            .flags = 0,
                                            .bindingCount = buffers_,
                                            .pBindings = bindings.data()};
  VkDevice raw = device_.device().get();
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  check(device_.api().vkCreateDescriptorSetLayout(raw, &set, nullptr, &set_layout),
        "describe the buffers of kernel '" + entry_ + "'");
  set_layout_ = SetLayoutHandle(device_.device(), set_layout);
  const VkPushConstantRange push{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                 .offset = 0,
                                 .size = static_cast<std::uint32_t>(push_.size())};
  const VkPipelineLayoutCreateInfo create{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .setLayoutCount = 1,
                                          .pSetLayouts = &set_layout,
                                          .pushConstantRangeCount = push_.empty() ? 0U : 1U,
                                          .pPushConstantRanges = &push};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check(device_.api().vkCreatePipelineLayout(raw, &create, nullptr, &layout),
        "describe the arguments of kernel '" + entry_ + "'");
  layout_ = PipelineLayoutHandle(device_.device(), layout);
}

void Kernel::make_pipeline(const std::vector<std::uint32_t>& words, const std::string& source) {
  VkDevice raw = device_.device().get();
  const VkShaderModuleCreateInfo module{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .pNext = nullptr,
                                        .flags = 0,
                                        .codeSize = words.size() * sizeof(std::uint32_t),
                                        .pCode = words.data()};
  VkShaderModule shader = VK_NULL_HANDLE;
  check(device_.api().vkCreateShaderModule(raw, &module, nullptr, &shader), "load " + source);
  const ShaderHandle owner(device_.device(), shader);
  VkComputePipelineCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  create.stage.module = shader;
  VkPipelineRobustnessCreateInfoEXT unchecked{};
  unchecked.sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
  unchecked.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
  unchecked.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
  if (device_.query().features().robustness.pipelineRobustness != VK_FALSE) create.pNext = &unchecked;
  create.stage.pName = "main";
  create.layout = layout_.get();
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      device_.api().vkCreateComputePipelines(raw, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline);
  if (result == VK_ERROR_UNKNOWN || result == VK_ERROR_INVALID_SHADER_NV) {
    throw Failure(FailureKind::compile_error, "the driver of " + device_.info().name + " rejects kernel '" +
                                                  entry_ + "' of " + source + ": " + result_name(result));
  }
  check(result, "compile kernel '" + entry_ + "' of " + source);
  pipeline_ = PipelineHandle(device_.device(), pipeline);
}

void Kernel::reserve(std::uint32_t sets) {
  const std::array<VkDescriptorPoolSize, 2> sizes{
      {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = std::max(1U, buffers_ * sets)},
       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .descriptorCount = std::max(1U, buffers_ * sets)}}};
  const VkDescriptorPoolCreateInfo create{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .maxSets = sets,
                                          .poolSizeCount = 2,
                                          .pPoolSizes = sizes.data()};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(device_.api().vkCreateDescriptorPool(device_.device().get(), &create, nullptr, &pool),
        "make room for the arguments of kernel '" + entry_ + "'");
  pool_ = DescriptorPoolHandle(device_.device(), pool);
}

VkDescriptorSet Kernel::bind(const std::vector<const Buffer*>& buffers) const {
  VkDescriptorSetLayout layout = set_layout_.get();
  const VkDescriptorSetAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .pNext = nullptr,
                                             .descriptorPool = pool_.get(),
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(device_.api().vkAllocateDescriptorSets(device_.device().get(), &allocate, &set),
        "bind the arguments of kernel '" + entry_ + "'");
  for (std::uint32_t i = 0; i < buffers_; ++i) {
    const Buffer& buffer = i < buffers.size() ? *buffers[i] : block_;
    // All of it, but of a uniform block what the device allows.
    const bool whole =
        !uniform_.contains(i) || buffer.bytes <= device_.query().properties().limits.maxUniformBufferRange;
    const VkDescriptorBufferInfo info{
        .buffer = buffer.handle.get(),
        .offset = 0,
        .range = whole ? VK_WHOLE_SIZE : device_.query().properties().limits.maxUniformBufferRange};
    const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                     .pNext = nullptr,
                                     .dstSet = set,
                                     .dstBinding = i,
                                     .dstArrayElement = 0,
                                     .descriptorCount = 1,
                                     .descriptorType = type_of(i),
                                     .pImageInfo = nullptr,
                                     .pBufferInfo = &info,
                                     .pTexelBufferView = nullptr};
    device_.api().vkUpdateDescriptorSets(device_.device().get(), 1, &write, 0, nullptr);
  }
  return set;
}

void Kernel::record(Commands& commands, VkDescriptorSet set) const {
  const DeviceApi& api = device_.api();
  commands.begin(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  if (commands.binds(pipeline_.get(), set)) {
    api.vkCmdBindPipeline(commands.get(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
    api.vkCmdBindDescriptorSets(commands.get(), VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set,
                                0, nullptr);
    if (!push_.empty()) {
      api.vkCmdPushConstants(commands.get(), layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<std::uint32_t>(push_.size()), push_.data());
    }
  }
  api.vkCmdDispatch(commands.get(), grid_[0], grid_[1], grid_[2]);
}

Kernels::Kernels(TimedDevice& device, const gpu::PlanMemory<TimedDevice>& memory, const KernelPlan& plan)
    : device_(device) {
  if (device.query().float_controls().shaderDenormPreserveFloat32 == VK_FALSE) {
    refuse_denormals(memory.buffers.spec().parameters, device.info().name);
    notes["denormals"] = "may become 0: the driver has no shaderDenormPreserveFloat32";
  }
  for (const PlannedLaunch& planned : plan.launches) {
    Launch launch{Kernel(device, planned, plan.scalars), {}};
    if (!launch.kernel.cache_note().empty()) notes["kernel_cache"] = launch.kernel.cache_note();
    launch.kernel.reserve(memory.buffers.sets());
    for (std::uint32_t set = 0; set < memory.buffers.sets(); ++set) {
      std::vector<const Buffer*> bound;
      for (const PlannedArgument& argument : planned.arguments) {
        if (argument.kind != PlannedArgument::Kind::scalar) bound.push_back(&memory.of(argument, set));
      }
      launch.sets.push_back(launch.kernel.bind(bound));
    }
    launches_.push_back(std::move(launch));
  }
}

void Kernels::launch(std::size_t index, std::uint32_t set) {
  launches_[index].kernel.record(device_.commands(), launches_[index].sets.at(set));
  device_.commands().barrier();
}

}  // namespace benchctl::vulkan
