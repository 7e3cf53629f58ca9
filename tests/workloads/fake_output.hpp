// Outputs made by hand, and a workload's verdict on them.
#pragma once

#include <cstring>
#include <stdexcept>

#include "support/catch.hpp"
#include "workloads/workload.hpp"

namespace benchctl::test {

/// A problem with its inputs in memory; buffer 1 is what a kernel would have written.
class FakeRun {
 public:
  FakeRun(const char* workload, const Parameters& given, const std::string& layout = {},
          std::uint64_t seed = 7)
      : workload_(*Workloads::built_in().find(workload)), seed_(seed) {
    spec_ = workload_.problem(complete_parameters(workload_, given), layout);
    REQUIRE(spec_.buffers.size() == 2);
    input_.resize(spec_.buffers[0].bytes());
    workload_.generate(spec_, 0, seed, 0, input_);
    output_.assign(spec_.buffers[1].bytes(), std::byte{0xFF});
  }

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  template <class T>
  [[nodiscard]] const T* in() const {
    return reinterpret_cast<const T*>(input_.data());
  }
  template <class T>
  [[nodiscard]] T* out() {
    return reinterpret_cast<T*>(output_.data());
  }
  [[nodiscard]] std::size_t input_bytes() const { return input_.size(); }

  /// A part of the input, drawn on its own.
  [[nodiscard]] std::vector<std::byte> slice(std::uint64_t first, std::uint64_t count) const {
    std::vector<std::byte> bytes(count * size_of(spec_.buffers[0].type));
    workload_.generate(spec_, 0, seed_, first, bytes);
    return bytes;
  }

  [[nodiscard]] Verification verdict() const {
    return workload_.check(spec_, size_of(spec_.buffers[1].type) == 8 ? "f64" : "f32",
                           workload_.reference(spec_, seed_),
                           [this](std::size_t index, std::uint64_t offset, std::span<std::byte> bytes) {
                             if (index != 1 || offset + bytes.size() > output_.size())
                               throw std::out_of_range("read past out");
                             std::memcpy(bytes.data(), output_.data() + offset, bytes.size());
                           });
  }

 private:
  const Workload& workload_;
  std::uint64_t seed_;
  ProblemSpec spec_;
  std::vector<std::byte> input_;
  std::vector<std::byte> output_;
};

}  // namespace benchctl::test
