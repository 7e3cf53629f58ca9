#include "host_memory.hpp"

#include <sys/mman.h>

#include <benchctl/failure.hpp>
#include <benchctl/rounding.hpp>

namespace benchctl::cpu_avx {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

HostMemory::HostMemory(std::uint64_t bytes) : size_(bytes) {
  const bool large = bytes >= 2 * huge_page;
  const std::size_t alignment = large ? huge_page : cache_line;
  const std::size_t rounded = round_up(bytes, alignment);
  if (rounded >= bytes) {
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded)));
  }
  if (data_ == nullptr) {
    throw Failure(FailureKind::out_of_memory,
                  "cannot allocate " + std::to_string(bytes) + " bytes of main memory");
  }
  // Only a wish: without huge pages everything works, with more translation misses.
  if (large) madvise(data_.get(), rounded, MADV_HUGEPAGE);
}

}  // namespace benchctl::cpu_avx
