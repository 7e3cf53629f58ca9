// shaderc, which compiles GLSL.
#pragma once

#include <string>

namespace benchctl::vulkan {

/// Tells one build of the compiler from another: the library that holds it, its size and when it was
/// written.
[[nodiscard]] const std::string& shaderc_identity();

}  // namespace benchctl::vulkan
