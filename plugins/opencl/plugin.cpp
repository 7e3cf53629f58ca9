// The OpenCL backend: every platform and device that the ICD loader knows.
#include <benchctl/plugin.hpp>

#include "compile/program.hpp"
#include "driver/device_info.hpp"
#include "driver/platforms.hpp"
#include "gpu/session.hpp"
#include "kernels.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

class OpenClBackend final : public Backend {
 public:
  [[nodiscard]] std::span<const VariantInfo> variants() const override {
    return gpu::Table<Device>::instance().infos();
  }

  [[nodiscard]] DeviceList devices() override {
    const FoundDevices found = find_devices();
    DeviceList list;
    list.unavailable = found.unavailable;
    for (const FoundDevice& device : found.devices) list.devices.push_back(describe(device));
    return list;
  }

  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& options) override {
    const FoundDevices found = find_devices();
    const auto match = std::ranges::find(found.devices, device, &FoundDevice::id);
    if (match != found.devices.end()) return std::make_unique<gpu::DeviceSession<Device>>(*match, options);
    std::string known = found.unavailable;
    for (const FoundDevice& other : found.devices) known += (known.empty() ? "there is " : ", ") + other.id;
    throw Failure(FailureKind::no_device, "no OpenCL device '" + device + "': " + known);
  }

  CompileResult compile(const KernelPlan& plan, const std::string& architecture,
                        const SessionOptions& options) override {
    for (const FoundDevice& found : find_devices().devices) {
      if (describe(found).architecture == architecture) return compile_plan({found, options}, plan);
    }
    throw Failure(FailureKind::no_device, "no OpenCL device of architecture '" + architecture + "'");
  }
};

class OpenClPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"opencl", "OpenCL", BENCHCTL_PLUGIN_VERSION, BENCHCTL_PLUGIN_BUILD, heeded_variables};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  OpenClBackend backend_;
};

}  // namespace

}  // namespace benchctl::opencl

BENCHCTL_PLUGIN(benchctl::opencl::OpenClPlugin)
