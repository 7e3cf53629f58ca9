// What a compiled shader says of itself, and the execution modes that no compiler's switch adds. Pure
// functions on SPIR-V (specification 1.0 to 1.6, section 2.3 for the layout).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace benchctl::vulkan {

/// A member of the push-constant block or of a uniform block.
struct PushMember {
  enum class Kind : std::uint8_t { integer, real, other };
  Kind kind = Kind::other;
  std::uint32_t bits = 0;
  std::uint32_t offset = 0;  ///< bytes

  friend bool operator==(const PushMember&, const PushMember&) = default;
};

/// The outside of a compute shader.
struct ShaderInterface {
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  std::set<std::uint32_t> bindings;  ///< bindings of set 0
  /// Those of them that are uniform blocks, not storage buffers, with their members.
  std::map<std::uint32_t, std::vector<PushMember>> uniform;
  bool images = false;      ///< it takes images or samplers
  bool other_sets = false;  ///< it uses another set, which is not bound
  std::vector<PushMember> push;
  bool float64 = false;  ///< it computes in double precision
};

/// Failure compile_error when the words are no SPIR-V module of one compute shader.
[[nodiscard]] ShaderInterface read_interface(std::span<const std::uint32_t> words);

/// Widths, in bits, for which the device promises something.
struct FloatControls {
  std::vector<std::uint32_t> preserve_denormals;
  std::vector<std::uint32_t> preserve_special;  ///< signed zeros, infinities and NaN
};

/// The same module with execution modes DenormPreserve and SignedZeroInfNanPreserve for these widths
/// (SPV_KHR_float_controls).
[[nodiscard]] std::vector<std::uint32_t> with_float_controls(std::span<const std::uint32_t> words,
                                                             const FloatControls& controls);

}  // namespace benchctl::vulkan
