// Where the libraries of the CUDA Toolkit are: NVRTC, cuBLAS, CUPTI.
#pragma once

#include <benchctl/shared_library.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace benchctl::cuda {

/// Where a library of the CUDA Toolkit may be: beside the plugin, where the dynamic linker looks,
/// `$CUDA_HOME`, `$CUDA_PATH` and /usr/local/cuda, under the names `stem.so.13`, `stem.so.12`, `stem.so`.
[[nodiscard]] std::vector<std::string> toolkit_candidates(const std::string& stem);

/// Opens one of these and has `bind` take its functions. Throws Failure(unsupported): `without` it, what
/// was tried and what to do.
void use_toolkit(const std::string& title, const std::string& stem, const std::string& without,
                 const std::function<void(const SharedLibrary&)>& bind);

/// Headers of the CUDA Toolkit, for kernels that include them.
struct ToolkitHeaders {
  std::vector<std::filesystem::path>
      folders;          ///< `include`, and `include/cccl`, which has `cuda/std` from 13.0 on
  std::string version;  ///< as its headers tell it: `13000`
};

/// Those of `$CUDA_HOME`, `$CUDA_PATH`, the `nvcc` on the PATH or /usr/local/cuda, the first that has any.
[[nodiscard]] std::optional<ToolkitHeaders> find_toolkit_headers();

/// The driver's own library. The second is where container runtimes of some clouds put it without telling
/// the dynamic linker.
[[nodiscard]] inline SharedLibrary open_driver() {
  return {"the CUDA driver's library", {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"}};
}

}  // namespace benchctl::cuda
