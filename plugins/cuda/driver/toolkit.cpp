#include "driver/toolkit.hpp"

#include <benchctl/failure.hpp>

#include "gpu/self_path.hpp"

#include <array>
#include <cstdlib>

namespace benchctl::cuda {

std::vector<std::string> toolkit_candidates(const std::string& stem) {
  const std::array<std::string, 3> names{stem + ".so.13", stem + ".so.12", stem + ".so"};
  std::vector<std::string> folders{gpu::plugin_directory().string() + "/", ""};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') folders.push_back(std::string(value) + "/lib64/");
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
  std::vector<std::string> candidates;
  for (const std::string& folder : folders) {
    for (const std::string& name : names) candidates.push_back(folder + name);
  }
  return candidates;
}

void use_toolkit(const std::string& title, const std::string& stem, const std::string& without,
                 const std::function<void(const SharedLibrary&)>& bind) {
  try {
    bind(SharedLibrary(title, toolkit_candidates(stem)));
  } catch (const LibraryError& error) {
    throw Failure(
        FailureKind::unsupported,
        without + ": " + error.what() + "; install the CUDA Toolkit or set CUDA_HOME to where it is");
  }
}

}  // namespace benchctl::cuda
