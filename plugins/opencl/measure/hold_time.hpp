// How long a sample has to be held. Needs no OpenCL.
#pragma once

#include <cstdint>

namespace benchctl::opencl {

/// What it took to queue commands before says how long it will take.
class HoldTime {
 public:
  /// Nanoseconds for so many commands.
  [[nodiscard]] double for_commands(std::uint64_t commands) const;
  /// Queueing so many commands took `ns` nanoseconds; `late`: the hold had ended before.
  void learn(std::uint64_t commands, double ns, bool late);

 private:
  double command_ns_ = 10e3;  ///< to begin with; drivers take 1 to 8 µs
};

}  // namespace benchctl::opencl
