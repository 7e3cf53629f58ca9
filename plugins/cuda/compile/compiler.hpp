// From a kernel file to a cubin, through NVRTC and the cache.
#pragma once

#include <benchctl/backend.hpp>

#include "gpu/kernel_cache.hpp"

#include "compile/nvrtc_api.hpp"
#include "gpu/ptxas_log.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace benchctl::cuda {

using Defines = std::map<std::string, std::string, std::less<>>;
/// Source, definitions and options: launches that have the same share their code.
using ModuleKey = std::tuple<std::string, Defines, std::vector<std::string>>;
[[nodiscard]] inline ModuleKey module_of(const PlannedLaunch& launch) {
  return {launch.source, launch.defines, launch.options};
}
using Modules = std::map<ModuleKey, gpu::CompiledKernel>;

/// How the names of the environment variables begin that the driver and its libraries heed.
inline const std::vector<std::string> heeded_variables{"CUDA_", "CUDA_VISIBLE_DEVICES", "CUBLAS",
                                                       "NVIDIA_TF32_OVERRIDE", "NVRTC_"};

class Compiler {
 public:
  /// `nvrtc` must outlive it.
  Compiler(const NvrtcApi& nvrtc, const SessionOptions& options)
      : nvrtc_(nvrtc),
        cache_("cuda", options.cache_dir, heeded_variables),
        device_debug_(options.device_debug) {}

  /// Compiles what the plan launches for `architecture` (`sm_90a`). With `device_debug` the code carries
  /// debug information under the sources' paths and is not optimised. Throws Failure: compile_error with
  /// the compiler's log, unsupported for an architecture that this NVRTC does not know and for kernels that
  /// take textures.
  [[nodiscard]] Modules compile(const KernelPlan& plan, const std::string& architecture) const;

 private:
  using Entries = std::set<std::string>;

  [[nodiscard]] gpu::CompiledKernel compile_module(const ModuleKey& module, const Entries& entries,
                                                   const std::string& architecture) const;
  [[nodiscard]] gpu::CompiledKernel run_nvrtc(const std::string& source, const std::string& text,
                                              const std::vector<std::string>& options,
                                              const std::string& architecture,
                                              const Entries& entries) const;

  const NvrtcApi& nvrtc_;
  gpu::KernelCache cache_;
  bool device_debug_;
};

/// The name that the kernel `entry` has in the code: C++ mangles those that are not extern "C".
[[nodiscard]] std::string lowered_name(const gpu::CompiledKernel& module, const std::string& entry);

/// What the log says of `entry`. Throws Failure(compile_error) naming the entries that the source has.
[[nodiscard]] gpu::KernelUsage usage_of(const gpu::CompiledKernel& module, const std::string& entry,
                                        const std::string& source);

/// Adds one launch's usage to a sequence's: spills are summed, everything else is the largest.
void merge_usage(Resources& resources, const gpu::KernelUsage& usage);

}  // namespace benchctl::cuda
