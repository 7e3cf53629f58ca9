// Inaccessible pages on both sides of each allocation. They come from a library that is
// preloaded into the processes of a check (preload/guard_pages.cpp), since a plugin allocates its buffers
// itself.
#pragma once

#include <filesystem>

namespace benchctl::conformance {

/// Which end of an allocation touches such a page; the other may be up to a page away.
enum class GuardedEnd : std::uint8_t { neither, last, first };

/// The library to preload, of this program.
[[nodiscard]] std::filesystem::path guard_pages_library(const std::filesystem::path& program);

/// While it lives, allocations of this thread lie between such pages.
class GuardPages {
 public:
  /// Throws NotPossible where the library is not preloaded.
  explicit GuardPages(GuardedEnd end);
  GuardPages(const GuardPages&) = delete;
  GuardPages& operator=(const GuardPages&) = delete;
  ~GuardPages();
};

}  // namespace benchctl::conformance
