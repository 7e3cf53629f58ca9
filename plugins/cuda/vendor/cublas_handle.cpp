#include "vendor/cublas_handle.hpp"

#include "driver/context.hpp"

namespace benchctl::cuda {

namespace {

/// What cuBLAS's documentation recommends for the largest GPUs. Its own would be allocated at the first
/// call that needs it, inside a sample.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20U;

}  // namespace

CublasHandle::CublasHandle(Context& context)
    : api_(context.libraries().cublas()),
      workspace_(allocate(context.driver(), workspace_bytes, "cuBLAS's workspace")) {
  api_.check(api_.create(&handle_), "starting cuBLAS");
  try {
    configure(context);
  } catch (...) {
    static_cast<void>(api_.destroy(handle_));
    throw;
  }
}

void CublasHandle::configure(const Context& context) {
  // The stream first: setting it puts the default workspace back.
  api_.check(api_.set_stream(handle_, context.stream()), "giving cuBLAS its stream");
  void* workspace = reinterpret_cast<void*>(workspace_.get());
  api_.check(api_.set_workspace(handle_, workspace, workspace_bytes), "giving cuBLAS its workspace");
  // Without it f32 products may run in a narrower type.
  use(CUBLAS_PEDANTIC_MATH);
}

void CublasHandle::use(cublasMath_t mode) {
  if (mode == mode_) return;
  api_.check(api_.set_math_mode(handle_, mode), "setting cuBLAS's math mode");
  mode_ = mode;
}

CublasHandle::~CublasHandle() { static_cast<void>(api_.destroy(handle_)); }

std::map<std::string, std::string, std::less<>> CublasHandle::notes() const {
  int version = 0;
  api_.check(api_.get_version(handle_, &version), "asking for cuBLAS's version");
  return {{"library", "cuBLAS " + std::to_string(version)},
          {"math_mode", mode_ == CUBLAS_PEDANTIC_MATH ? "CUBLAS_PEDANTIC_MATH" : "CUBLAS_DEFAULT_MATH"},
          {"workspace_bytes", std::to_string(workspace_bytes)}};
}

}  // namespace benchctl::cuda
