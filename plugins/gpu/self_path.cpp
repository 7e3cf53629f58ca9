#include "self_path.hpp"

#include <dlfcn.h>

namespace benchctl::gpu {

namespace fs = std::filesystem;

fs::path plugin_directory() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&plugin_directory), &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  return fs::absolute(info.dli_fname).parent_path();
}

}  // namespace benchctl::gpu
