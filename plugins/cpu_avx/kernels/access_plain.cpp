// One element at a time, no vector instructions. Expected limit: in cache one load and one store per
// element; beyond, the cache lines of 64 bytes that the reads touch: a stride of a line or more moves a
// line per element. Offsets and disorder within a line cost nothing; disorder over a whole array costs a
// latency where the processor cannot look far enough ahead.
#include <stdint.h>

#include "kernels/access_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Bytes16 {
  uint64_t low;
  uint64_t high;
};

/// Every byte 0x5A.
template <class Element>
Element fill() {
  if constexpr (sizeof(Element) == 16) {
    return {0x5A5A5A5A5A5A5A5A, 0x5A5A5A5A5A5A5A5A};
  } else {
    return static_cast<Element>(0x5A5A5A5A5A5A5A5A);
  }
}

/// Permutations as core/workloads/access.cpp defines them.
template <AccessPattern pattern>
size_t source(size_t i, size_t n) {
  if constexpr (pattern == AccessPattern::scattered_warp) return i - i % 32 + (i % 32 * 13 + 7) % 32;
  if constexpr (pattern == AccessPattern::scattered_block) return i - i % 256 + (i % 256 * 101 + 37) % 256;
  if constexpr (pattern == AccessPattern::scattered_array) return i * 5184427 & (n - 1);
  if constexpr (pattern == AccessPattern::scattered_384) return i / 32 * 96 + i % 32 % 6 * 16 + i % 32 / 6;
  return i;
}

template <class Element, AccessPattern pattern>
[[gnu::optimize("no-tree-vectorize")]] void copy(const AccessPart& part) {
  const Element* in = static_cast<const Element*>(part.in) + part.misalign;
  Element* out = static_cast<Element*>(part.out);
  const size_t stride = part.stride;
  for (size_t i = part.begin; i < part.end; ++i) {
    if (pattern == AccessPattern::masked && i % 4 == 3) {
      out[i] = fill<Element>();
    } else {
      out[i] = in[source<pattern>(i, part.n) * stride];
    }
  }
}

template <class Element>
void copy_by(const AccessPart& part, AccessPattern pattern) {
  switch (pattern) {
    case AccessPattern::linear:
      return copy<Element, AccessPattern::linear>(part);
    case AccessPattern::masked:
      return copy<Element, AccessPattern::masked>(part);
    case AccessPattern::scattered_warp:
      return copy<Element, AccessPattern::scattered_warp>(part);
    case AccessPattern::scattered_block:
      return copy<Element, AccessPattern::scattered_block>(part);
    case AccessPattern::scattered_array:
      return copy<Element, AccessPattern::scattered_array>(part);
    case AccessPattern::scattered_384:
      return copy<Element, AccessPattern::scattered_384>(part);
  }
}

}  // namespace

void access_plain(const AccessPart& part, AccessPattern pattern, size_t width) noexcept {
  switch (width) {
    case 1:
      return copy_by<uint8_t>(part, pattern);
    case 2:
      return copy_by<uint16_t>(part, pattern);
    case 4:
      return copy_by<uint32_t>(part, pattern);
    case 8:
      return copy_by<uint64_t>(part, pattern);
    default:
      return copy_by<Bytes16>(part, pattern);
  }
}

}  // namespace benchctl::cpu_avx
