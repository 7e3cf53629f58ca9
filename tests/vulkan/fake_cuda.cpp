// Stands in for the CUDA driver, with one card at 0000:65:00.0, and counts who holds a context.
#include <cstring>

namespace {

bool started = false;
int holders = 0;

}  // namespace

extern "C" {

int benchctl_test_holders() { return holders; }

int cuInit(unsigned flags) {
  started = flags == 0;
  return 0;
}

int cuDeviceGetByPCIBusId(int* card, const char* address) {
  if (!started || std::strcmp(address, "0000:65:00.0") != 0) return 101;
  *card = 7;
  return 0;
}

int cuDevicePrimaryCtxRetain(void** context, int card) {
  if (card != 7) return 101;
  *context = &holders;
  ++holders;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int card) {
  if (card == 7) --holders;
  return 0;
}

}  // extern "C"
