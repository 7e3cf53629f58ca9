// One opened GPU: its primary context, the stream that everything runs on, and what all problems on it
// share.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/handles.hpp"
#include "driver/libraries.hpp"
#include "measure/evictor.hpp"
#include "measure/gate.hpp"
#include "vendor/cublas_handle.hpp"

#include <memory>
#include <optional>

namespace benchctl::cuda {

/// Holds a reference to a device's primary context.
class PrimaryContext {
 public:
  PrimaryContext(const DriverApi& driver, CUdevice device);
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext();
  [[nodiscard]] CUcontext get() const noexcept { return context_; }

 private:
  const DriverApi& driver_;
  CUdevice device_;
  CUcontext context_ = nullptr;
};

class Context {
 public:
  /// Throws Failure(no_device) when there is no such device.
  Context(std::shared_ptr<Libraries> libraries, const std::string& device, SessionOptions options);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  /// Every entry from the host starts with this: one thread may serve sessions on several GPUs.
  void make_current() const;
  /// The same for destructors, which can report nothing.
  void make_current_quietly() const noexcept;
  /// Waits for the stream. `doing` names what was running, for the error.
  void synchronize(const std::string& doing) const;

  [[nodiscard]] Libraries& libraries() const noexcept { return *libraries_; }
  [[nodiscard]] const DriverApi& driver() const noexcept { return driver_; }
  [[nodiscard]] const SessionOptions& options() const noexcept { return options_; }
  [[nodiscard]] const DeviceInfo& info() const noexcept { return info_; }
  [[nodiscard]] CUdevice device() const noexcept { return device_; }
  [[nodiscard]] CUstream stream() const noexcept { return stream_.get(); }
  [[nodiscard]] StreamGate& gate() noexcept { return *gate_; }
  /// Made at first use: it compiles a kernel and takes twice the size of the L2 cache.
  [[nodiscard]] Evictor& evictor();
  /// Made at first use: it loads cuBLAS.
  [[nodiscard]] CublasHandle& cublas();

 private:
  // Destroyed from the end: what lives in the context goes before it.
  std::shared_ptr<Libraries> libraries_;
  const DriverApi& driver_;
  SessionOptions options_;
  CUdevice device_;
  DeviceInfo info_;
  PrimaryContext primary_;
  Stream stream_;
  std::optional<StreamGate> gate_;
  std::optional<Evictor> evictor_;
  std::optional<CublasHandle> cublas_;
};

}  // namespace benchctl::cuda
