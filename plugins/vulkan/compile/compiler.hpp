// From a kernel file to SPIR-V, through shaderc and the cache.
#pragma once

#include <benchctl/backend.hpp>

#include "compile/spirv.hpp"

namespace benchctl::vulkan {

struct Shader {
  std::vector<std::uint32_t> words;
  ShaderInterface interface;
  std::string log;         ///< warnings of the compiler
  bool cached = false;     ///< taken from the cache
  std::string cache_note;  ///< why it could not be kept there; usually empty
};

/// Compiles a launch's GLSL file, or takes it from the cache when source, included files, definitions,
/// options and compiler are those of an entry. Its definitions are in front of the source, and with them
/// LOCAL_SIZE_X, LOCAL_SIZE_Y, LOCAL_SIZE_Z (threads of a block); the function that the launch names
/// becomes `main`, so that a file may hold several. Failure compile_error: the compiler's log, with the
/// lines of the files as they are; a local size that is not the launch's; an option that is not taken, a
/// specialisation constant without a definition. Failure unsupported for images and samplers.
[[nodiscard]] Shader compile_shader(const PlannedLaunch& launch, const SessionOptions& options);

}  // namespace benchctl::vulkan
