// Where the plugin's kernel files are.
#pragma once

#include "gpu/self_path.hpp"

namespace benchctl::opencl {

[[nodiscard]] inline std::filesystem::path kernel_directory() {
  return gpu::plugin_directory() / "kernels/opencl";
}

}  // namespace benchctl::opencl
