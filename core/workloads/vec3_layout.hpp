// Arrays of vectors with three components, stored in several ways: what the workloads over them share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <benchctl/problem.hpp>

#include "workloads/values.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

/// Component c of vector i is element i * step + c * plane. Names tell the size of a float vector in bytes;
/// of double it is twice that.
///
///   aos12  structs of three elements, one after the other: x y z x y z …
///   aos16  structs padded to four elements, so that each starts where one 16-byte access can: x y z . x y
///   z . … soa    three arrays in one buffer: all x, all y, all z; each starts at a multiple of 64
///          elements, so that every array is as well aligned as the first
struct Vec3Layout {
  std::uint64_t n = 0;
  std::uint64_t step = 0;
  std::uint64_t plane = 0;
  std::uint64_t count = 0;  ///< elements of a buffer, padding included

  /// Throws ProblemError for an unknown name.
  Vec3Layout(const std::string& name, std::uint64_t vectors);

  /// Number of the logical component (3 * vector + component) that lies at an element, or `padding`.
  [[nodiscard]] std::uint64_t component_at(std::uint64_t element) const;
  static constexpr std::uint64_t padding = ~std::uint64_t{0};
};

[[nodiscard]] std::span<const std::string> vec3_layout_names();
/// `n`, the number of vectors: at most as many as leave the start of every array a 32-bit number.
[[nodiscard]] ParameterInfo vec3_count_parameter();

/// Writes elements [first, …) of an array of random vectors: the same vectors in every layout. Padding is
/// NaN, so that it is seen when it gets into a result.
void draw_vec3(const RandomStream& stream, ValueKind kind, DType type, const Vec3Layout& layout,
               std::uint64_t first, std::span<std::byte> out);

}  // namespace benchctl
