// The one exception type that a plugin throws on purpose. Its kind decides the point's status; its
// text is shown to the user as the reason: what was requested, what failed, what to do.
#pragma once

#include <benchctl/types.hpp>

#include <stdexcept>

namespace benchctl {

/// Why a plugin could not carry out a verb.
enum class FailureKind : std::uint8_t {
  unsupported,    ///< this device or build cannot express it: the point is skipped
  compile_error,  ///< kernel source was rejected; the text carries the compiler's log
  launch_error,   ///< the driver refused or aborted a launch, or any other driver call failed
  out_of_memory,  ///< an allocation on device or host failed
  no_device,      ///< the requested device is absent, or has disappeared
};

BENCHCTL_WORDS(FailureKind, unsupported, compile_error, launch_error, out_of_memory, no_device)

/// Thrown by a plugin that cannot do what was requested.
class Failure : public std::runtime_error {
 public:
  /// `sticky`: the session is unusable from now on (a CUDA context after an illegal address, say);
  /// the engine replaces the worker before it continues.
  Failure(FailureKind kind, const std::string& text, bool sticky = false)
      : std::runtime_error(text), kind_(kind), sticky_(sticky) {}

  /// Decides the status of the point.
  [[nodiscard]] FailureKind kind() const noexcept { return kind_; }
  /// Is the session lost?
  [[nodiscard]] bool sticky() const noexcept { return sticky_; }

 private:
  FailureKind kind_;
  bool sticky_;
};

}  // namespace benchctl
