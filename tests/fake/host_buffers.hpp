// Buffers of a problem in the host's memory: what every plugin of the tests needs beside its kernels.
#pragma once

#include <benchctl/plugin.hpp>

#include <cstring>
#include <vector>

namespace benchctl::fake {

/// Its allocator is the system's: one block for each buffer of each set, of the bytes that were asked for.
class HostBuffers : public Problem {
 public:
  explicit HostBuffers(const ProblemRequest& request) : spec_(request.spec) {
    for (const std::uint64_t bytes : request.allocation) {
      if (bytes > most_bytes) throw Failure(FailureKind::out_of_memory, "no memory for so much");
    }
    for (std::uint32_t set = 0; set < request.sets; ++set) {
      auto& buffers = sets_.emplace_back();
      for (const std::uint64_t bytes : request.allocation) buffers.emplace_back(bytes);
    }
  }
  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    std::memcpy(sets_.at(set).at(buffer).data() + offset, bytes.data(), bytes.size());
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    std::memcpy(bytes.data(), sets_.at(set).at(buffer).data() + offset, bytes.size());
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    std::memset(sets_.at(set).at(buffer).data() + offset, std::to_integer<int>(value), bytes);
  }

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  /// The elements of a buffer.
  template <class T>
  [[nodiscard]] T* at(std::uint32_t set, std::size_t buffer) {
    return reinterpret_cast<T*>(sets_.at(set).at(buffer).data());
  }

 private:
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

  ProblemSpec spec_;
  std::vector<std::vector<std::vector<std::byte>>> sets_;
};

}  // namespace benchctl::fake
