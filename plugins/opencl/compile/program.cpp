#include "compile/program.hpp"

#include "driver/device_info.hpp"
#include "driver/error.hpp"
#include "gpu/extras.hpp"
#include "gpu/kernel_cache.hpp"

namespace benchctl::opencl {

namespace {

/// Registers of an NVIDIA multiprocessor; it hands them out to threads in steps of 8.
constexpr std::uint64_t nvidia_registers = 65536;
constexpr std::uint64_t nvidia_register_step = 8;
/// Its OpenCL compiler makes code for work-groups up to this size unless it is told otherwise.
constexpr std::uint64_t nvidia_default_group = 256;

std::string build_options(const OpenDevice& device, const Defines& defines, std::uint64_t group,
                          const std::vector<std::string>& own) {
  std::string options = "-cl-kernel-arg-info";  // the types of parameters, for check_parameters()
  if (is_nvidia(device.found)) {
    options += " -cl-nv-verbose";
    const auto limit = register_limit(defines);
    if (limit && group <= nvidia_default_group) {
      options += " -cl-nv-maxrregcount=" + std::to_string(*limit) + " -DREGISTERS_LIMITED";
    } else if (group > nvidia_default_group) {
      const std::uint64_t registers =
          nvidia_registers / group / nvidia_register_step * nvidia_register_step;
      options += " -cl-nv-maxrregcount=" + std::to_string(registers);
    }
  }
  if (device.options.device_debug) {
    options += " -cl-opt-disable";
    // A GPU's compiler may refuse -g; those that run on the host make code for its debugger.
    if (device.info.type == DeviceType::cpu) options += " -g";
  }
  for (const std::string& option : own) options += " " + option;
  return options;
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  if (api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) !=
      CL_SUCCESS) {
    return "(the driver gives no build log)";
  }
  std::string log(bytes, '\0');
  check(api().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr),
        "read the build log");
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

/// The compiled program; empty when the driver does not hand it out.
std::vector<char> program_binary(cl_program program) {
  // One context has one device, so there is one binary.
  std::size_t bytes = 0;
  if (api().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) !=
      CL_SUCCESS) {
    return {};
  }
  std::vector<char> binary(bytes);
  auto* out = reinterpret_cast<unsigned char*>(binary.data());
  if (bytes == 0 ||
      api().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof out, &out, nullptr) != CL_SUCCESS) {
    return {};
  }
  return binary;
}

/// Empty when the driver refuses the binary: it is then compiled afresh.
ProgramHandle program_from_binary(const OpenDevice& device, const std::vector<char>& binary,
                                  const std::string& options) {
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t bytes = binary.size();
  cl_int accepted = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  ProgramHandle program(api().clCreateProgramWithBinary(device.context.get(), 1, &device.found.device,
                                                        &bytes, &data, &accepted, &status));
  if (status != CL_SUCCESS || accepted != CL_SUCCESS) return {};
  if (api().clBuildProgram(program.get(), 1, &device.found.device, options.c_str(), nullptr, nullptr) !=
      CL_SUCCESS) {
    return {};
  }
  return program;
}

ProgramHandle program_from_source(const OpenDevice& device, const std::string& source,
                                  const std::string& options, const std::filesystem::path& file,
                                  std::string& log) {
  const char* text = source.c_str();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  ProgramHandle program(api().clCreateProgramWithSource(device.context.get(), 1, &text, &length, &status));
  check(status, "create a program from " + file.string());
  status = api().clBuildProgram(program.get(), 1, &device.found.device, options.c_str(), nullptr, nullptr);
  log = build_log(program.get(), device.found.device);
  if (status == CL_BUILD_PROGRAM_FAILURE) {
    throw Failure(FailureKind::compile_error,
                  "the compiler of " + device.info.name + " rejects " + file.string() + ":\n" + log);
  }
  check(status, "compile " + file.string());
  return program;
}

}  // namespace

BuiltProgram build_program(const OpenDevice& device, const std::filesystem::path& file,
                           const Defines& defines, std::uint64_t group,
                           const std::vector<std::string>& own_options) {
  gpu::check_options(own_options, {"-cl-*", "-w", "-Werror"}, file.string());
  const std::string source = gpu::read_source(file, defines);
  const std::string options = build_options(device, defines, group, own_options);
  const std::string key = compiler_identity(device.found) + '\n' + options + '\n' + source;
  const gpu::KernelCache cache("opencl", device.options.cache_dir, heeded_variables);
  BuiltProgram built;
  if (auto entry = cache.load(key)) {
    built.program = program_from_binary(device, entry->code, options);
    built.log = std::move(entry->log);
    built.cached = static_cast<bool>(built.program);
  }
  if (!built.cached) {
    built.program = program_from_source(device, source, options, file, built.log);
    const gpu::CompiledKernel entry{program_binary(built.program.get()), built.log};
    if (!entry.code.empty()) built.cache_note = cache.store(key, entry);
  }
  return built;
}

KernelHandle create_kernel(const BuiltProgram& built, const std::string& entry,
                           const std::filesystem::path& file) {
  cl_int status = CL_SUCCESS;
  KernelHandle kernel(api().clCreateKernel(built.program.get(), entry.c_str(), &status));
  if (status == CL_INVALID_KERNEL_NAME) {
    throw Failure(FailureKind::compile_error, file.string() + " has no kernel named '" + entry + "'");
  }
  check(status, "create the kernel '" + entry + "' of " + file.string());
  return kernel;
}

}  // namespace benchctl::opencl
