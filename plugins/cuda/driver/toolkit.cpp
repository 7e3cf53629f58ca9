#include "driver/toolkit.hpp"

#include <benchctl/failure.hpp>

#include "gpu/self_path.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace benchctl::cuda {

namespace {

namespace fs = std::filesystem;

/// `$CUDA_HOME` and `$CUDA_PATH`, as far as they are set.
std::vector<std::string> named_toolkits() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') folders.emplace_back(value);
  }
  return folders;
}

/// The folder above that of the `nvcc` on the PATH; empty if there is none.
std::string toolkit_of_nvcc() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path nvcc = fs::canonical(fs::path(folder) / "nvcc", error);
    if (!error && !folder.empty()) return nvcc.parent_path().parent_path().string();
  }
  return {};
}

/// What `cuda.h` says; empty if there is no such file.
std::string version_of(const fs::path& folder) {
  std::ifstream header(folder / "cuda.h");
  constexpr std::string_view mark = "#define CUDA_VERSION ";
  for (std::string line; std::getline(header, line);) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return {};
}

}  // namespace

std::vector<std::string> toolkit_candidates(const std::string& stem) {
  const std::array<std::string, 3> names{stem + ".so.13", stem + ".so.12", stem + ".so"};
  std::vector<std::string> folders{gpu::plugin_directory().string() + "/", ""};
  for (const std::string& toolkit : named_toolkits()) folders.push_back(toolkit + "/lib64/");
  folders.emplace_back("/usr/local/cuda/lib64/");
  std::vector<std::string> candidates;
  for (const std::string& folder : folders) {
    for (const std::string& name : names) candidates.push_back(folder + name);
  }
  return candidates;
}

std::optional<ToolkitHeaders> find_toolkit_headers() {
  std::vector<std::string> toolkits = named_toolkits();
  toolkits.push_back(toolkit_of_nvcc());
  toolkits.emplace_back("/usr/local/cuda");
  for (const std::string& toolkit : toolkits) {
    for (const char* below : {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"}) {
      const fs::path folder = fs::path(toolkit) / below;
      std::string version = toolkit.empty() ? "" : version_of(folder);
      if (version.empty()) continue;
      ToolkitHeaders headers{{folder}, std::move(version)};
      std::error_code error;
      if (fs::is_directory(folder / "cccl", error)) headers.folders.push_back(folder / "cccl");
      return headers;
    }
  }
  return std::nullopt;
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
