// From a kernel file to a program for a device.
#pragma once

#include "compile/register_limit.hpp"
#include "driver/open_device.hpp"

#include <string>
#include <vector>

namespace benchctl::opencl {

/// How the names of the environment variables begin that drivers and their compilers heed.
inline const std::vector<std::string> heeded_variables{"CLBLAST_", "CUDA_", "OCL_ICD_", "OPENCL_", "POCL_"};

struct BuiltProgram {
  ProgramHandle program;
  std::string log;         ///< the compiler's log, also when it succeeded
  bool cached = false;     ///< taken from the cache
  std::string cache_note;  ///< why it could not be kept there; usually empty
};

/// Compiles `file` for the device, or takes it from the session's cache when source, included files,
/// definitions, options, device, driver and its variables are those of an entry that the driver still
/// accepts.
/// `group`: work-items of the work-groups that its kernels will be launched with. A definition REGISTERS
/// limits the registers of a work-item under NVIDIA's compiler, unless groups have more than 256
/// work-items; REGISTERS_LIMITED is then defined, too: the limit holds for kernels that do not say the size
/// of their groups. `own_options`: the kernel's. Failure compile_error with the whole log, or for an option
/// that is not one of the language.
[[nodiscard]] BuiltProgram build_program(const OpenDevice& device, const std::filesystem::path& file,
                                         const Defines& defines, std::uint64_t group,
                                         const std::vector<std::string>& own_options = {});

/// The kernel of that name. Failure compile_error when the program has none.
[[nodiscard]] KernelHandle create_kernel(const BuiltProgram& built, const std::string& entry,
                                         const std::filesystem::path& file);

}  // namespace benchctl::opencl
