// Keeps the clock of a card up while it is measured.
#pragma once

#include <string>

namespace benchctl::vulkan {

/// NVIDIA's driver lowers a card's clock between the submissions of a process that has no CUDA context: on
/// an H100 and an H200 to a fifth, for seconds. So a CUDA context is held open here, idle. It costs about
/// half a GiB of the card's memory.
class ClockHold {
 public:
  /// Holds the clock of the card at this PCI address, `0000:65:00.0`. Does nothing where `driver`, the
  /// library's name, cannot be opened, or does not know the card.
  explicit ClockHold(const std::string& address, const std::string& driver = "libcuda.so.1");
  ~ClockHold();
  ClockHold(const ClockHold&) = delete;
  ClockHold& operator=(const ClockHold&) = delete;

 private:
  int (*release_)(int card) = nullptr;
  int card_ = 0;
};

}  // namespace benchctl::vulkan
