// A problem as a plugin sees it: typed buffers and scalars in a fixed order. The workload, not the plugin,
// knows what the numbers mean, draws inputs and judges outputs.
#pragma once

#include <benchctl/types.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Kernels never write `in`, write `out` completely, and read and write `inout`: the engine restores it
/// before every execution, outside the timed window, and never batches such a problem.
enum class BufferRole : std::uint8_t { in, out, inout };

/// Where a buffer lives. A backend refuses what it cannot place with FailureKind::unsupported.
enum class Space : std::uint8_t { device, host_pageable, host_pinned };

BENCHCTL_WORDS(BufferRole, in, out, inout)
BENCHCTL_WORDS(Space, device, host_pageable, host_pinned)

/// A buffer of a problem.
struct BufferSpec {
  std::string name;                  ///< by which kernels' argument lists refer to it: `A`
  DType type = DType::f32;           ///< element type
  std::uint64_t count = 0;           ///< elements
  BufferRole role = BufferRole::in;  ///< what kernels do to it
  Space space = Space::device;       ///< where it lives

  /// Payload bytes.
  [[nodiscard]] std::uint64_t bytes() const { return count * size_of(type); }
};

/// A scalar argument. Its value is an integer where the type is_whole(), and it holds() it; else a real.
struct ScalarSpec {
  std::string name;               ///< by which kernels' argument lists refer to it: `n`
  DType type = DType::i32;        ///< how it is passed
  Value value = std::int64_t{0};  ///< what is passed
};

/// One problem of a workload: its buffers and scalars in a fixed order.
struct ProblemSpec {
  std::string workload;             ///< its name
  Parameters parameters;            ///< problem parameters, all of them, defaults filled in
  std::string layout;               ///< empty: the workload has one representation only
  std::vector<BufferSpec> buffers;  ///< what Problem's methods count
  std::vector<ScalarSpec> scalars;  ///< such as sizes

  /// Position of a buffer by name, or nothing.
  [[nodiscard]] std::optional<std::size_t> buffer_index(std::string_view name) const {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].name == name) return i;
    }
    return std::nullopt;
  }
  /// Position of a buffer that the problem must have. Throws std::invalid_argument that names those there
  /// are.
  [[nodiscard]] std::size_t position_of_buffer(std::string_view name) const {
    if (const auto index = buffer_index(name)) return *index;
    throw std::invalid_argument(absence("buffer", name, buffers));
  }
  /// Position of a scalar by name, or nothing.
  [[nodiscard]] std::optional<std::size_t> scalar_index(std::string_view name) const {
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (scalars[i].name == name) return i;
    }
    return std::nullopt;
  }
  /// Position of a scalar that the problem must have. Throws std::invalid_argument that names those there
  /// are.
  [[nodiscard]] std::size_t position_of_scalar(std::string_view name) const {
    if (const auto index = scalar_index(name)) return *index;
    throw std::invalid_argument(absence("scalar", name, scalars));
  }
  /// Payload bytes of all buffers together (one set).
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& buffer : buffers) sum += buffer.bytes();
    return sum;
  }

 private:
  template <class Named>
  [[nodiscard]] std::string absence(std::string_view what, std::string_view name,
                                    const std::vector<Named>& there) const {
    std::string text = workload + " has no " + std::string(what) + " '" + std::string(name) + "'; it has";
    for (const Named& one : there) text += (&one == there.data() ? " '" : ", '") + one.name + "'";
    return there.empty() ? text + " none" : text;
  }
};

}  // namespace benchctl
