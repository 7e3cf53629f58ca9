// A native variant bound to one problem: what is timed, without the timing.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace benchctl::cpu_avx {

class Executable {
 public:
  Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  virtual ~Executable() = default;

  /// Runs once on one set of buffers, given in the order of the problem's specification.
  virtual void execute(std::span<const std::span<std::byte>> buffers) = 0;
  /// Cores that it works on.
  [[nodiscard]] virtual unsigned threads() const = 0;
  /// Does the calling thread work as one of the pool's, on its first core? A library with threads of its
  /// own must not inherit such a binding.
  [[nodiscard]] virtual bool pinned() const { return true; }
  /// Called before a run or a block of samples, untimed.
  virtual void activate() {}
  [[nodiscard]] virtual std::map<std::string, std::string, std::less<>> notes() const = 0;
};

}  // namespace benchctl::cpu_avx
