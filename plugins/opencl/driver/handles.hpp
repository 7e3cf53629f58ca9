// Owners of OpenCL objects: released once, moved but never copied.
#pragma once

#include "driver/api.hpp"

#include <utility>

namespace benchctl::opencl {

/// `Release` is the member of Api that gives an object of type T back.
template <class T, auto Release>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T raw) noexcept : raw_(raw) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      raw_ = std::exchange(other.raw_, nullptr);
    }
    return *this;
  }
  ~Handle() { reset(); }

  [[nodiscard]] T get() const noexcept { return raw_; }
  [[nodiscard]] explicit operator bool() const noexcept { return raw_ != nullptr; }
  /// For functions that return an object through a pointer: the old one is released.
  [[nodiscard]] T* out() noexcept {
    reset();
    return &raw_;
  }
  void reset() noexcept {
    // An object exists, so the functions do; a failing release leaves nothing to be done.
    if (raw_ != nullptr) (api().*Release)(std::exchange(raw_, nullptr));
  }

 private:
  T raw_ = nullptr;
};

using ContextHandle = Handle<cl_context, &Api::clReleaseContext>;
using QueueHandle = Handle<cl_command_queue, &Api::clReleaseCommandQueue>;
using BufferHandle = Handle<cl_mem, &Api::clReleaseMemObject>;
using ProgramHandle = Handle<cl_program, &Api::clReleaseProgram>;
using KernelHandle = Handle<cl_kernel, &Api::clReleaseKernel>;
using EventHandle = Handle<cl_event, &Api::clReleaseEvent>;

}  // namespace benchctl::opencl
