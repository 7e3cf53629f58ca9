// What is timed: the commands that one execution of a variant consists of.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/open_device.hpp"

namespace benchctl::vulkan {

class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  /// Records one execution on a set of buffers. What came before is behind a barrier, and so is what
  /// follows.
  virtual void record(Commands& commands, std::uint32_t set) const = 0;
  /// See Prepared::reset_scratch.
  virtual void reset_scratch() {}

  [[nodiscard]] virtual Resources resources() const { return {}; }
  [[nodiscard]] virtual std::map<std::string, std::string, std::less<>> notes() const { return {}; }
};

}  // namespace benchctl::vulkan
