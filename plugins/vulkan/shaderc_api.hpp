// shaderc, which compiles GLSL, opened at run time.
#pragma once

#include <shaderc/shaderc.h>

#include <string>

namespace benchctl::vulkan {

#define BENCHCTL_SHADERC_FUNCTIONS(X)                \
  X(shaderc_compiler_initialize)                     \
  X(shaderc_compiler_release)                        \
  X(shaderc_compile_options_initialize)              \
  X(shaderc_compile_options_release)                 \
  X(shaderc_compile_options_set_source_language)     \
  X(shaderc_compile_options_set_target_env)          \
  X(shaderc_compile_options_set_target_spirv)        \
  X(shaderc_compile_options_set_generate_debug_info) \
  X(shaderc_compile_into_spv)                        \
  X(shaderc_result_release)                          \
  X(shaderc_result_get_compilation_status)           \
  X(shaderc_result_get_error_message)                \
  X(shaderc_result_get_bytes)                        \
  X(shaderc_result_get_length)

struct ShadercApi {
#define BENCHCTL_SHADERC_MEMBER(function) decltype(&::function) function = nullptr;
  BENCHCTL_SHADERC_FUNCTIONS(BENCHCTL_SHADERC_MEMBER)
#undef BENCHCTL_SHADERC_MEMBER
  /// Tells one build of the library from another: where it is, its size and when it was written.
  std::string identity;
  /// Why the functions cannot be called; empty when they can.
  std::string missing;
};

/// Opens the library of that name.
[[nodiscard]] ShadercApi load_shaderc(const char* library);

/// That of this process. Failure unsupported with the reason when there is none.
[[nodiscard]] const ShadercApi& shaderc();

}  // namespace benchctl::vulkan
