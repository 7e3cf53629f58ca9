#include "driver/local_memory.hpp"

namespace benchctl::opencl {

std::uint64_t local_memory_of(std::uint32_t compute_capability) {
  // A kernel has 4 to 16 bytes more than it declares.
  constexpr std::uint64_t compilers_own = 16;
  constexpr std::uint64_t kilobyte = 1024;
  switch (compute_capability) {
    case 80:
    case 87:
      return 163 * kilobyte - compilers_own;
    case 86:
    case 89:
    case 120:
      return 99 * kilobyte - compilers_own;
    case 90:
    case 100:
    case 103:
      return 227 * kilobyte - compilers_own;
    default:
      return 0;
  }
}

}  // namespace benchctl::opencl
