// The OpenCL backend: every platform and device that the ICD loader knows.
#include <benchctl/plugin.hpp>

#include "compile/program.hpp"
#include "driver/device_info.hpp"
#include "driver/platforms.hpp"
#include "gpu/identity.hpp"
#include "gpu/session.hpp"
#include "kernels.hpp"

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
    return std::make_unique<gpu::DeviceSession<Device>>(gpu::device_of(find_devices(), device, "OpenCL"),
                                                        options);
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
