#include "driver/clock_hold.hpp"

#include <benchctl/shared_library.hpp>

namespace benchctl::vulkan {

ClockHold::ClockHold(const std::string& address, const std::string& driver) {
  try {
    const SharedLibrary cuda("the CUDA driver", {driver});
    int (*start)(unsigned flags) = nullptr;
    int (*find)(int* card, const char* address) = nullptr;
    int (*retain)(void** context, int card) = nullptr;
    int (*release)(int card) = nullptr;
    cuda.bind(start, "cuInit");
    cuda.bind(find, "cuDeviceGetByPCIBusId");
    cuda.bind(retain, "cuDevicePrimaryCtxRetain");
    cuda.bind(release, "cuDevicePrimaryCtxRelease_v2");
    void* context = nullptr;
    if (start(0) == 0 && find(&card_, address.c_str()) == 0 && retain(&context, card_) == 0) {
      release_ = release;
    }
  } catch (const LibraryError&) {  // then the clock is left to the driver
  }
}

ClockHold::~ClockHold() {
  if (release_ != nullptr) release_(card_);
}

}  // namespace benchctl::vulkan
