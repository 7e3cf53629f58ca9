// A problem's buffers in ordinary memory, to play a kernel with.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "workloads/workload.hpp"

namespace benchctl::test {

class MemoryOf {
 public:
  /// Inputs are generated, outputs hold 0xff bytes: no numbers, or the largest integers.
  MemoryOf(const std::string& workload, const Parameters& given, std::uint64_t seed = 7)
      : workload_(*Workloads::built_in().find(workload)),
        spec_(workload_.problem(complete_parameters(workload_, given), "")),
        reference_(workload_.reference(spec_, seed)) {
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
      std::vector<std::byte>& bytes = memory_.emplace_back(spec_.buffers[i].bytes(), std::byte{0xff});
      if (spec_.buffers[i].role == BufferRole::in) workload_.generate(spec_, i, seed, 0, bytes);
    }
  }

  template <class T>
  [[nodiscard]] T* buffer(const std::string& name) {
    return reinterpret_cast<T*>(memory_.at(spec_.buffer_index(name).value()).data());
  }
  [[nodiscard]] Verification check(const std::string& precision = "f32") const {
    return workload_.check(spec_, precision, reference_,
                           [this](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
                             std::memcpy(out.data(), memory_.at(index).data() + offset, out.size());
                           });
  }
  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }

 private:
  const Workload& workload_;
  ProblemSpec spec_;
  Reference reference_;
  std::vector<std::vector<std::byte>> memory_;
};

}  // namespace benchctl::test
