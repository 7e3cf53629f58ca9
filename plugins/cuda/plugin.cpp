// The plugin's door to the host: what it is called, its devices, its variants, compiling without a device.
#include <benchctl/plugin.hpp>

#include "compile/compiler.hpp"
#if defined(BENCHCTL_CUDA_COUNTERS)
#include "counters/counter_observer.hpp"
#endif
#include "driver/device.hpp"
#include "gpu/session.hpp"
#include "kernels.hpp"

namespace benchctl::cuda {

namespace {

class CudaBackend final : public Backend {
 public:
  [[nodiscard]] std::span<const VariantInfo> variants() const override {
    return gpu::Table<Context>::instance().infos();
  }

  [[nodiscard]] DeviceList devices() override {
    try {
      DeviceList list = enumerate_devices(libraries_->driver());
      for (DeviceInfo& device : list.devices) add_compiler(device);
      return list;
    } catch (const Failure& failure) {
      if (failure.kind() != FailureKind::no_device) throw;
      return {{}, failure.what()};
    }
  }

  [[nodiscard]] std::unique_ptr<Session> open(const std::string& device,
                                              const SessionOptions& options) override {
    return std::make_unique<gpu::DeviceSession<Context>>(libraries_, device, options);
  }

  [[nodiscard]] bool compiles_offline() const override { return true; }

  CompileResult compile(const KernelPlan& plan, const std::string& architecture,
                        const SessionOptions& options) override {
    const Compiler compiler(libraries_->nvrtc(), options);
    CompileResult result;
    result.cached = true;
    const Modules modules = compiler.compile(plan, architecture);
    for (const PlannedLaunch& launch : plan.launches)
      merge_usage(result.resources, usage_of(modules.at(module_of(launch)), launch.entry, launch.source));
    for (const auto& [key, module] : modules) {
      result.log += module.log;
      result.cached = result.cached && module.cached;
    }
    return result;
  }

 private:
  void add_compiler(DeviceInfo& device) {
    try {
      const auto headers = find_toolkit_headers();
      device.properties["compiler"] =
          libraries_->nvrtc().identity() + (headers ? ", headers of the toolkit " + headers->version : "");
    } catch (const Failure&) {  // without it kernels say what is missing
    }
  }

  std::shared_ptr<Libraries> libraries_ = std::make_shared<Libraries>();
};

class CudaPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"cuda", "NVIDIA CUDA", BENCHCTL_CUDA_PLUGIN_VERSION,
            "headers of CUDA " BENCHCTL_CUDA_HEADERS ", " BENCHCTL_CUDA_COMPILER, heeded_variables};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }
#if defined(BENCHCTL_CUDA_COUNTERS)
  [[nodiscard]] Observer* observer() override { return &counters_; }
#endif

 private:
  CudaBackend backend_;
#if defined(BENCHCTL_CUDA_COUNTERS)
  CounterObserver counters_;
#endif
};

}  // namespace

}  // namespace benchctl::cuda

BENCHCTL_PLUGIN(benchctl::cuda::CudaPlugin)
