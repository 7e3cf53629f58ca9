// What libFuzzer calls. FUZZ_TARGET is the function of tests/fuzz/target.hpp that this program is for.
#include "fuzz/target.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The only view of bytes as characters that the language has.
  benchctl::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
