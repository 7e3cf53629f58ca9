// Memory for buffers: aligned to a cache line, large blocks to huge pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace benchctl::cpu_avx {

class HostMemory {
 public:
  HostMemory() = default;
  /// Failure out_of_memory when it cannot be had. Contents are undefined; pages appear at first use.
  explicit HostMemory(std::uint64_t bytes);

  [[nodiscard]] std::span<std::byte> bytes() const { return {data_.get(), size_}; }
  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(data_.get());
  }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace benchctl::cpu_avx
