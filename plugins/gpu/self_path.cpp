#include "self_path.hpp"

#include <dlfcn.h>

namespace benchctl::gpu {

namespace fs = std::filesystem;

fs::path library_of(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::absolute(info.dli_fname);
}

fs::path plugin_directory() {
  return library_of(reinterpret_cast<const void*>(&plugin_directory)).parent_path();
}

}  // namespace benchctl::gpu
