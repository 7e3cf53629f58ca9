#include "shaderc_api.hpp"

#include <benchctl/failure.hpp>

#include <dlfcn.h>

#include <filesystem>

namespace benchctl::vulkan {

namespace {

std::string identity_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, error);
  const auto bytes = std::filesystem::file_size(file, error);
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return file.string() + " " + std::to_string(bytes) + " " + std::to_string(written);
}

}  // namespace

ShadercApi load_shaderc(const char* library) {
  ShadercApi api;
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    api.missing = "no compiler of GLSL (" + std::string(library) +
                  "): install shaderc, on Debian and Ubuntu the package libshaderc1";
    return api;
  }
#define BENCHCTL_SHADERC_FIND(function)                                                              \
  api.function = reinterpret_cast<decltype(api.function)>(dlsym(handle, #function));                 \
  if (api.function == nullptr) {                                                                     \
    api.missing = std::string(library) + " is too old or no shaderc: it has no function " #function; \
    return api;                                                                                      \
  }
  BENCHCTL_SHADERC_FUNCTIONS(BENCHCTL_SHADERC_FIND)
#undef BENCHCTL_SHADERC_FIND
  api.identity = identity_of(reinterpret_cast<const void*>(api.shaderc_compile_into_spv));
  return api;
}

const ShadercApi& shaderc() {
  static const ShadercApi api = load_shaderc("libshaderc.so.1");
  if (!api.missing.empty()) throw Failure(FailureKind::unsupported, api.missing);
  return api;
}

}  // namespace benchctl::vulkan
