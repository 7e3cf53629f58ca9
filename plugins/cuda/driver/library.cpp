#include "driver/library.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace benchctl::cuda {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string last_dl_error() {
  const char* text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

}  // namespace

SharedLibrary::SharedLibrary(std::string title, const std::vector<std::string>& candidates)
    : title_(std::move(title)) {
  std::string broken;
  for (const std::string& candidate : candidates) {
    const bool is_file = candidate.find('/') != std::string::npos;
    if (is_file && !std::filesystem::exists(candidate)) continue;
    // NODELETE, and no dlclose: these libraries run threads and exit handlers of their own, which must not
    // outlive their code.
    handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle_ != nullptr) {
      name_ = candidate;
      return;
    }
    const std::string error = last_dl_error();
    // A file that is there but does not load is worth more words than one that is not there.
    if (is_file || error.find("No such file") == std::string::npos) broken += "; " + error;
  }
  throw LibraryError(title_ + " was not found (tried " + joined(candidates) + broken + ")");
}

void* SharedLibrary::address(const char* symbol) const {
  void* found = dlsym(handle_, symbol);
  if (found == nullptr) {
    throw LibraryError(title_ + " (" + name_ + ") has no function " + symbol +
                       ": it is too old or too new for this plugin");
  }
  return found;
}

std::vector<std::string> toolkit_candidates(const std::string& stem) {
  const std::array<std::string, 3> names{stem + ".so.13", stem + ".so.12", stem + ".so"};
  std::vector<std::string> folders{plugin_directory().string() + "/", ""};
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

}  // namespace benchctl::cuda
