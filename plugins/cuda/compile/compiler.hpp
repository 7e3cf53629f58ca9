// From a kernel file to a cubin, through NVRTC and the cache.
#pragma once

#include <benchctl/backend.hpp>

#include "gpu/kernel_cache.hpp"

#include "compile/nvrtc_api.hpp"
#include "gpu/ptxas_log.hpp"

#include <string>
#include <vector>

namespace benchctl::cuda {

using Defines = std::map<std::string, std::string, std::less<>>;

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

  /// Compiles `source` (absolute path) for `architecture` (`sm_90a`). With `device_debug` the code carries
  /// debug information under that path and is not optimised. Throws Failure: compile_error with the
  /// compiler's log, unsupported for an architecture that this NVRTC does not know.
  [[nodiscard]] gpu::CompiledKernel compile(const std::string& source, const Defines& defines,
                                            const std::string& architecture) const;

 private:
  [[nodiscard]] gpu::CompiledKernel run_nvrtc(const std::string& source, const std::string& text,
                                              const std::vector<std::string>& options,
                                              const std::string& architecture) const;

  const NvrtcApi& nvrtc_;
  gpu::KernelCache cache_;
  bool device_debug_;
};

/// What the log says of `entry`. Throws Failure(compile_error) naming the entries that the source has.
[[nodiscard]] gpu::KernelUsage usage_of(const gpu::CompiledKernel& module, const std::string& entry,
                                        const std::string& source);

/// Adds one launch's usage to a sequence's: spills are summed, everything else is the largest.
void merge_usage(Resources& resources, const gpu::KernelUsage& usage);

}  // namespace benchctl::cuda
