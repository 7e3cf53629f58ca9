#include "compile/nvrtc_api.hpp"

#include <benchctl/failure.hpp>

#include "gpu/self_path.hpp"

#include <filesystem>

namespace benchctl::cuda {

namespace fs = std::filesystem;

NvrtcApi::NvrtcApi() {
  use_toolkit("NVRTC", "libnvrtc", "CUDA kernels cannot be compiled", [this](const SharedLibrary& library) {
#define BENCHCTL_CUDA_BIND(member, symbol, declaration) library.bind(member, symbol);
    BENCHCTL_CUDA_NVRTC_FUNCTIONS(BENCHCTL_CUDA_BIND)
#undef BENCHCTL_CUDA_BIND
  });
  int major = 0;
  int minor = 0;
  check(get_version(&major, &minor), "asking for NVRTC's version");
  version_ = std::to_string(major) + "." + std::to_string(minor);
  std::error_code error;
  const fs::path file = fs::canonical(gpu::library_of(reinterpret_cast<const void*>(get_version)), error);
  identity_ = "NVRTC " + version_ + " (" + file.filename().string() + ", " +
              std::to_string(fs::file_size(file, error)) + " bytes)";
  caches_ = major > 12 || (major == 12 && minor >= 9);
}

void NvrtcApi::check(nvrtcResult result, const std::string& doing) const {
  if (result == NVRTC_SUCCESS) return;
  throw Failure(FailureKind::compile_error, doing + " failed: " + get_error_string(result));
}

}  // namespace benchctl::cuda
