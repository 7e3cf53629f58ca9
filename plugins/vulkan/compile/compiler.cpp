#include "compile/compiler.hpp"

#include "gpu/extras.hpp"
#include "gpu/kernel_cache.hpp"
#include "gpu/source_text.hpp"

#include "compile/shaderc_identity.hpp"
#include "compile/specialization.hpp"

#include <shaderc/shaderc.h>

#include <benchctl/failure.hpp>

#include <cstring>
#include <memory>
#include <sstream>

namespace benchctl::vulkan {

namespace {

constexpr std::string_view entry_of_glsl = "main";
/// What is done with a module beside compiling it is part of its key by this text.
constexpr std::string_view target = "GLSL for Vulkan 1.1, SPIR-V 1.3";

gpu::Defines definitions_of(const PlannedLaunch& launch) {
  gpu::Defines defines = launch.defines;
  const char* const names[] = {"LOCAL_SIZE_X", "LOCAL_SIZE_Y", "LOCAL_SIZE_Z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    defines.try_emplace(names[axis], std::to_string(launch.block[axis]));
  }
  if (launch.entry != entry_of_glsl) defines.try_emplace(launch.entry, entry_of_glsl);
  return defines;
}

/// GLSL wants its version before everything else, our definitions included: the first line of the file that
/// says one is moved to the front.
std::string with_version_first(const std::string& text) {
  std::string version = "#version 450";
  std::string rest;
  bool found = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); rest += '\n') {
    const std::size_t start = line.find_first_not_of(" \t");
    if (!found && start != std::string::npos && line.compare(start, 8, "#version") == 0) {
      version = line.substr(start);
      found = true;
    } else {
      rest += line;
    }
  }
  return version + "\n#extension GL_GOOGLE_cpp_style_line_directive : require\n" + rest;
}

/// The whole text. A definition of a name that the shader declares as a specialisation constant is its
/// value and no macro.
std::string text_of(const PlannedLaunch& launch) {
  gpu::Defines defines = definitions_of(launch);
  for (const std::string& name : specialization_constants(gpu::read_source(launch.source, {}))) {
    if (defines.erase(name) > 0) continue;
    throw Failure(FailureKind::compile_error,
                  launch.source + ": kernel '" + launch.entry + "' has the specialisation constant '" +
                      name + "', and nothing gives it a value: defines = { " + name + " = \"...\" }");
  }
  return with_version_first(specialized(gpu::read_source(launch.source, defines), launch.defines));
}

/// Options of glslc that name no file.
void set_own_options(const PlannedLaunch& launch, shaderc_compile_options* options) {
  gpu::check_options(launch.options, {"-O", "-Os", "-w", "-Werror"}, launch.source);
  for (const std::string& option : launch.options) {
    if (option == "-O")
      shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
    if (option == "-Os")
      shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_size);
    if (option == "-w") shaderc_compile_options_set_suppress_warnings(options);
    if (option == "-Werror") shaderc_compile_options_set_warnings_as_errors(options);
  }
}

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

/// Compiles the text, whose messages name `file`.
gpu::CompiledKernel compile_text(const std::string& text, const PlannedLaunch& launch, bool debug) {
  const Owned<shaderc_compiler> compiler(shaderc_compiler_initialize(), shaderc_compiler_release);
  const Owned<shaderc_compile_options> options(shaderc_compile_options_initialize(),
                                               shaderc_compile_options_release);
  if (!compiler || !options) throw Failure(FailureKind::out_of_memory, "shaderc cannot be started");
  shaderc_compile_options_set_source_language(options.get(), shaderc_source_language_glsl);
  shaderc_compile_options_set_target_env(options.get(), shaderc_target_env_vulkan,
                                         shaderc_env_version_vulkan_1_1);
  shaderc_compile_options_set_target_spirv(options.get(), shaderc_spirv_version_1_3);
  if (debug) shaderc_compile_options_set_generate_debug_info(options.get());
  set_own_options(launch, options.get());
  const Owned<shaderc_compilation_result> result(
      shaderc_compile_into_spv(compiler.get(), text.data(), text.size(), shaderc_compute_shader,
                               launch.source.c_str(), entry_of_glsl.data(), options.get()),
      shaderc_result_release);
  if (!result) throw Failure(FailureKind::out_of_memory, "shaderc gives no result for " + launch.source);
  const std::string log = shaderc_result_get_error_message(result.get());
  if (shaderc_result_get_compilation_status(result.get()) != shaderc_compilation_status_success) {
    const std::string hint = log.find("Missing entry point") == std::string::npos
                                 ? ""
                                 : "it has no function 'void " + launch.entry + "()'";
    throw Failure(FailureKind::compile_error, "shaderc rejects " + launch.source + ":\n" + log + hint);
  }
  const char* bytes = shaderc_result_get_bytes(result.get());
  return {{bytes, bytes + shaderc_result_get_length(result.get())}, log, false};
}

std::string size_text(const std::array<std::uint64_t, 3>& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

void check_local_size(const PlannedLaunch& launch, const ShaderInterface& interface) {
  std::array<std::uint64_t, 3> declared{};
  for (std::size_t axis = 0; axis < 3; ++axis) declared[axis] = interface.local_size[axis];
  if (declared == launch.block) return;
  throw Failure(FailureKind::compile_error,
                launch.source + ": kernel '" + launch.entry + "' declares a local size of " +
                    size_text(declared) + ", its description blocks of " + size_text(launch.block) +
                    "; write layout(local_size_x = LOCAL_SIZE_X, local_size_y = LOCAL_SIZE_Y, "
                    "local_size_z = LOCAL_SIZE_Z) in;");
}

}  // namespace

Shader compile_shader(const PlannedLaunch& launch, const SessionOptions& options) {
  const std::string text = text_of(launch);
  std::string key = std::string(target) + (options.device_debug ? ", for a debugger" : "");
  for (const std::string& option : launch.options) key += ' ' + option;
  key += '\n' + shaderc_identity() + '\n' + text;
  const gpu::KernelCache cache("vulkan", options.cache_dir);
  Shader shader;
  auto compiled = cache.load(key);
  if (!compiled) {
    compiled = compile_text(text, launch, options.device_debug);
    shader.cache_note = cache.store(key, *compiled);
  }
  shader.cached = compiled->cached;
  shader.log = std::move(compiled->log);
  shader.words.resize(compiled->code.size() / sizeof(std::uint32_t));
  std::memcpy(shader.words.data(), compiled->code.data(), shader.words.size() * sizeof(std::uint32_t));
  shader.interface = read_interface(shader.words);
  check_local_size(launch, shader.interface);
  if (shader.interface.images) {
    throw Failure(FailureKind::unsupported,
                  launch.source + ": kernel '" + launch.entry +
                      "' takes images or samplers, which cannot be passed: read a "
                      "buffer instead");
  }
  return shader;
}

}  // namespace benchctl::vulkan
