// A problem in memory of the test: inputs as the workload draws them, outputs as the test computes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace benchctl::test {

using Bytes = std::vector<std::byte>;

/// Reads from one block of bytes per buffer. They must outlive it.
inline BufferReader reader_of(std::span<const Bytes> buffers) {
  return [buffers](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    const auto begin = buffers[index].begin() + static_cast<std::ptrdiff_t>(offset);
    std::copy_n(begin, out.size(), out.begin());
  };
}
inline BufferReader reader_of(std::initializer_list<std::reference_wrapper<const Bytes>> buffers) {
  return [all = std::vector(buffers)](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    const auto begin = all[index].get().begin() + static_cast<std::ptrdiff_t>(offset);
    std::copy_n(begin, out.size(), out.begin());
  };
}

struct Probed {
  /// Outputs are poison.
  Probed(const char* name, const Parameters& given, std::uint64_t seed = 1, const std::string& layout = {})
      : workload(*Workloads::built_in().find(name)),
        spec(workload.problem(complete_parameters(workload, given), layout)),
        reference(workload.reference(spec, seed)) {
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      buffers.emplace_back(spec.buffers[i].bytes(), std::byte{0xFF});
      if (spec.buffers[i].role == BufferRole::in) workload.generate(spec, i, seed, 0, buffers[i]);
    }
  }

  template <class T>
  [[nodiscard]] std::span<T> as(const char* buffer) {
    Bytes& bytes = buffers.at(*spec.buffer_index(buffer));
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  /// A part of the first buffer, drawn on its own with the usual seed.
  [[nodiscard]] Bytes slice(std::uint64_t first, std::uint64_t count) const {
    Bytes bytes(count * size_of(spec.buffers[0].type));
    workload.generate(spec, 0, 1, first, bytes);
    return bytes;
  }
  [[nodiscard]] Verification check(std::string_view precision = "f32") const {
    return workload.check(spec, precision, reference, reader_of(buffers));
  }

  const Workload& workload;
  ProblemSpec spec;
  Reference reference;
  std::vector<Bytes> buffers;
};

}  // namespace benchctl::test
