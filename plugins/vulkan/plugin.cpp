// The Vulkan backend: every device of Vulkan 1.1 and up that can compute.
#include <benchctl/plugin.hpp>

#include "compile/compiler.hpp"
#include "driver/device_info.hpp"
#include "driver/instance.hpp"
#include "gpu/identity.hpp"
#include "gpu/session.hpp"
#include "kernels.hpp"

#include <memory>

namespace benchctl::vulkan {

namespace {

class VulkanBackend final : public Backend {
 public:
  [[nodiscard]] std::span<const VariantInfo> variants() const override {
    return gpu::Table<TimedDevice>::instance().infos();
  }

  [[nodiscard]] DeviceList devices() override {
    DeviceList list;
    try {
      const Instance& found_by = *instance();
      const FoundDevices found = find_devices(found_by);
      list.unavailable = found.unavailable;
      for (const FoundDevice& device : found.devices) {
        list.devices.push_back(describe(DeviceQuery(found_by.api(), device.device), device.id));
      }
    } catch (const Failure& failure) {
      if (failure.kind() != FailureKind::no_device) throw;
      list.unavailable = failure.what();
    }
    return list;
  }

  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& options) override {
    const std::shared_ptr<const Instance> found_by = instance();
    return std::make_unique<gpu::DeviceSession<TimedDevice>>(
        found_by, gpu::device_of(find_devices(*found_by), device, "Vulkan"), options);
  }

  [[nodiscard]] bool compiles_offline() const override { return true; }
  /// SPIR-V is the same for every architecture; the driver makes its own code of it when a kernel is
  /// loaded.
  CompileResult compile(const KernelPlan& plan, const std::string& /*architecture*/,
                        const SessionOptions& options) override {
    CompileResult result;
    result.cached = true;
    for (const PlannedLaunch& launch : plan.launches) {
      const Shader shader = compile_shader(launch, options);
      result.log += shader.log;
      result.cached = result.cached && shader.cached;
      if (!shader.cache_note.empty()) result.log += "not kept in the cache: " + shader.cache_note + "\n";
    }
    return result;
  }

 private:
  /// Made when it is first needed.
  [[nodiscard]] const std::shared_ptr<const Instance>& instance() {
    if (!instance_) instance_ = std::make_shared<const Instance>();
    return instance_;
  }

  std::shared_ptr<const Instance> instance_;
};

class VulkanPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"vulkan", "Vulkan", BENCHCTL_PLUGIN_VERSION, BENCHCTL_PLUGIN_BUILD, {"LP_", "MESA_", "VK_"}};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  VulkanBackend backend_;
};

}  // namespace

}  // namespace benchctl::vulkan

BENCHCTL_PLUGIN(benchctl::vulkan::VulkanPlugin)
