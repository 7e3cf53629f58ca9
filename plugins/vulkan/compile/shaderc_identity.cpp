#include "compile/shaderc_identity.hpp"

#include "gpu/self_path.hpp"

#include <filesystem>

namespace benchctl::vulkan {

const std::string& shaderc_identity() {
  // shaderc is linked into the same library as this function.
  static const std::string identity = [] {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::canonical(
        gpu::library_of(reinterpret_cast<const void*>(&shaderc_identity)), error);
    const auto bytes = std::filesystem::file_size(file, error);
    const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
    return file.string() + " " + std::to_string(bytes) + " " + std::to_string(written);
  }();
  return identity;
}

}  // namespace benchctl::vulkan
