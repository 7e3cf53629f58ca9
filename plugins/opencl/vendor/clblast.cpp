#include "vendor/clblast.hpp"

#include "driver/error.hpp"
#include "gpu/self_path.hpp"

#include <dlfcn.h>

#define BENCHCTL_TEXT_OF(x) #x
#define BENCHCTL_TEXT(x) BENCHCTL_TEXT_OF(x)

namespace benchctl::opencl {

namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libclblast.so.1";
constexpr const char* header_version = BENCHCTL_TEXT(CLBLAST_VERSION_MAJOR) "." BENCHCTL_TEXT(
    CLBLAST_VERSION_MINOR) "." BENCHCTL_TEXT(CLBLAST_VERSION_PATCH);

/// Has anybody asked for the library yet?
bool opened = false;

template <class Function>
void find(void* handle, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr) missing = std::string(library_name) + " has no function " + name;
}

/// The library tells its version in its file name only: libclblast.so.1.5.3.
std::string file_name_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return library_name;
  std::error_code error;
  const fs::path real = fs::canonical(info.dli_fname, error);
  return (error ? fs::path(info.dli_fname) : real).filename().string();
}

ClBlast load() {
  ClBlast library;
  const fs::path bundled = (gpu::plugin_directory() / "../.." / library_name).lexically_normal();
  void* handle = dlopen(bundled.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) handle = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    library.missing = std::string("CLBlast cannot be opened (") +
                      (reason == nullptr ? library_name : reason) +
                      "): install it, on Debian and Ubuntu the package libclblast1";
    return library;
  }
  find(handle, "CLBlastSgemm", library.sgemm, library.missing);
  find(handle, "CLBlastDgemm", library.dgemm, library.missing);
  find(handle, "CLBlastSsum", library.ssum, library.missing);
  find(handle, "CLBlastDsum", library.dsum, library.missing);
  find(handle, "CLBlastSnrm2", library.snrm2, library.missing);
  find(handle, "CLBlastDnrm2", library.dnrm2, library.missing);
  find(handle, "CLBlastSdot", library.sdot, library.missing);
  find(handle, "CLBlastDdot", library.ddot, library.missing);
  find(handle, "CLBlastSomatcopy", library.somatcopy, library.missing);
  find(handle, "CLBlastDomatcopy", library.domatcopy, library.missing);
  find(handle, "CLBlastClearCache", library.clear_cache, library.missing);
  if (library.missing.empty()) {
    library.description = std::string("CLBlast, header ") + header_version + ", library " +
                          file_name_of(reinterpret_cast<const void*>(library.sgemm));
  }
  return library;
}

FailureKind kind_of(CLBlastStatusCode status) {
  switch (status) {
    case CLBlastTempBufferAllocFailure:
    case CLBlastOpenCLOutOfHostMemory:
      return FailureKind::out_of_memory;
    case CLBlastOpenCLBuildProgramFailure:
      return FailureKind::compile_error;
    case CLBlastNoDoublePrecision:
    case CLBlastInvalidLocalMemUsage:
    case CLBlastOpenCLCompilerNotAvailable:
      return FailureKind::unsupported;
    default:
      return FailureKind::launch_error;
  }
}

}  // namespace

const ClBlast& clblast() {
  static const ClBlast library = load();
  opened = true;
  return library;
}

void clear_clblast() {
  if (opened && clblast().missing.empty()) clblast().clear_cache();
}

void check_clblast(CLBlastStatusCode status, const std::string& doing) {
  if (status == CLBlastSuccess) return;
  // Codes above -1000 are OpenCL's own.
  const std::string name = status > -1000 ? error_name(status) : "its status " + std::to_string(status);
  throw Failure(kind_of(status), "CLBlast cannot " + doing + ": " + name);
}

}  // namespace benchctl::opencl
