#include <benchctl/plugin.hpp>

#include "backend.hpp"

namespace benchctl::cpu_avx {

namespace {

class CpuPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"cpu_avx",
            "x86-64 processor, native code",
            BENCHCTL_PLUGIN_VERSION,
            BENCHCTL_PLUGIN_BUILD,
            {"GOTO_NUM_THREADS", "OPENBLAS_"}};
  }
  [[nodiscard]] Backend* backend() override { return &backend_; }

 private:
  CpuBackend backend_;
};

}  // namespace

}  // namespace benchctl::cpu_avx

BENCHCTL_PLUGIN(benchctl::cpu_avx::CpuPlugin)
