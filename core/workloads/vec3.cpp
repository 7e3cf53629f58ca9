// Arrays of vectors with three components. The arithmetic is nothing; how the vectors lie in memory, and
// how threads take them from there, is all. vec3_map reads and writes vectors, vec3_norm2 writes one number
// for each, so that the layout of the input decides alone.
#include <benchctl/rounding.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

constexpr double addend = 1.25;                // exact in every element type
constexpr std::uint64_t plane_alignment = 64;  // elements: 256 bytes of float

/// Component c of vector i is element i * step + c * plane. Names tell the size of a float vector in bytes;
/// of double it is twice that.
///
///   aos12  structs of three elements, one after the other: x y z x y z …
///   aos16  structs padded to four elements, so that each starts where one 16-byte access can:
///          x y z . x y z . …
///   soa    three arrays in one buffer: all x, all y, all z; each starts at a multiple of 64 elements, so
///          that every array is as well aligned as the first
struct Vec3Layout {
  std::uint64_t n = 0;
  std::uint64_t step = 0;
  std::uint64_t plane = 0;
  std::uint64_t count = 0;  ///< elements of a buffer, padding included

  explicit Vec3Layout(const ProblemSpec& spec) : n(integer_of(spec.parameters, "n")) {
    const bool planes = spec.layout == "soa";
    step = planes ? 1 : spec.layout == "aos16" ? 4 : 3;
    plane = planes ? round_up(n, plane_alignment) : 1;
    count = planes ? 3 * plane : step * n;
  }

  /// Number of the logical component (3 * vector + component) that lies at an element, or `padding`.
  [[nodiscard]] std::uint64_t component_at(std::uint64_t element) const {
    const bool planes = step == 1;
    const std::uint64_t vector = planes ? element % plane : element / step;
    const std::uint64_t component = planes ? element / plane : element % step;
    return component < 3 && vector < n ? 3 * vector + component : padding;
  }
  static constexpr std::uint64_t padding = ~std::uint64_t{0};
};

/// Reads padding as 0: kernels may write it or not.
BufferReader without_padding(const BufferReader& read, const Vec3Layout& layout, std::size_t size) {
  return [&read, layout, size](std::size_t index, std::uint64_t offset, std::span<std::byte> out) {
    read(index, offset, out);
    if (layout.count == 3 * layout.n) return;
    for (std::uint64_t e = 0; e < out.size() / size; ++e) {
      if (layout.component_at(offset / size + e) == Vec3Layout::padding) {
        std::memset(out.data() + e * size, 0, size);
      }
    }
  };
}

class Vec3Workload : public ElementwiseWorkload {
 public:
  /// Writes the same vectors in every layout. Padding is NaN, so that it is seen when it gets into a
  /// result.
  void generate(const ProblemSpec& spec, std::size_t /*buffer*/, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const final {
    const RandomStream stream(seed, 0);
    const ValueKind kind = value_kind_of(spec.parameters);
    const DType type = dtype_of(spec.parameters);
    const Vec3Layout layout(spec);
    with_real_type(type, [&]<class T>(std::type_identity<T>) {
      const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
      for (std::size_t e = 0; e < elements.size(); ++e) {
        const std::uint64_t component = layout.component_at(first + e);
        elements[e] = component == Vec3Layout::padding
                          ? std::numeric_limits<T>::quiet_NaN()
                          : static_cast<T>(draw(stream, kind, type, component));
      }
    });
  }

 protected:
  /// `written`: numbers for each vector. The bytes are the useful ones, the same for every layout, so that
  /// rates compare.
  Vec3Workload(std::string name, std::string doc, int written, Truth truth)
      : ElementwiseWorkload({.name = std::move(name),
                             .doc = std::move(doc),
                             .version = 1,
                             // At most as many as leave the start of every array a 32-bit number.
                             .parameters = {integer_parameter("n", "vectors", "16777216", 1,
                                                              2147483648.0 - plane_alignment),
                                            dtype_parameter(),
                                            values_parameter({ValueKind::uniform, ValueKind::wide,
                                                              ValueKind::denormal, ValueKind::special})},
                             .layouts = {"aos12", "aos16", "soa"},
                             .bytes_read = "3 * n * sizeof(dtype)",
                             .bytes_written = fmt::format("{} * n * sizeof(dtype)", written)},
                            std::move(truth)) {}
};

class Vec3Map final : public Vec3Workload {
 public:
  Vec3Map()
      : Vec3Workload(
            "vec3_map",
            "adds a constant to each component of n 3-component vectors: the layout in memory decides", 3,
            truth) {}

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const Vec3Layout layout(spec);
    Verification outcome = Vec3Workload::check(
        spec, precision, reference, without_padding(read, layout, size_of(dtype_of(spec.parameters))));
    outcome.checked = 3 * layout.n;
    return outcome;
  }

 private:
  void define(ProblemSpec& spec) const override {
    const DType type = dtype_of(spec.parameters);
    const Vec3Layout layout(spec);
    spec.buffers = {input_buffer("in", type, layout.count), output_buffer("out", type, layout.count)};
    spec.scalars = {
        integer_scalar("n", layout.n), integer_scalar("plane", layout.plane), {"addend", type, addend}};
  }

  static ElementTruth truth(const ProblemSpec& spec, std::string_view precision, std::uint64_t seed) {
    // One rounded addition; twice that covers a float64 truth that is rounded itself.
    return each_element(
        [layout = Vec3Layout(spec), stream = RandomStream(seed, 0), kind = value_kind_of(spec.parameters),
         type = dtype_of(spec.parameters)](std::uint64_t element) {
          const std::uint64_t component = layout.component_at(element);
          return component == Vec3Layout::padding ? 0 : draw(stream, kind, type, component) + addend;
        },
        2 * unit_roundoff(precision));
  }
};

class Vec3Norm2 final : public Vec3Workload {
 public:
  Vec3Norm2()
      : Vec3Workload("vec3_norm2",
                     "x² + y² + z² of each of n 3-component vectors: the layout of the reads decides", 1,
                     truth) {}

 private:
  void define(ProblemSpec& spec) const override {
    const DType type = dtype_of(spec.parameters);
    const Vec3Layout layout(spec);
    spec.buffers = {input_buffer("in", type, layout.count), output_buffer("out", type, layout.n)};
    spec.scalars = {integer_scalar("n", layout.n), integer_scalar("plane", layout.plane)};
  }

  /// Three squares of one rounding each and two additions: of terms that are all positive, so no term is
  /// off by more than three roundings relative to itself, nor is the sum. Twice that covers a float64 truth
  /// that is rounded itself. In float32 a square may be so small that it is rounded to a denormal or
  /// flushed to zero: less than the smallest normal number each.
  static ElementTruth truth(const ProblemSpec& spec, std::string_view precision, std::uint64_t seed) {
    const DType type = dtype_of(spec.parameters);
    const double flushed = type == DType::f32 ? 3 * 0x1p-126 : 0.0;
    return each_element(
        [type, stream = RandomStream(seed, 0),
         kind = value_kind_of(spec.parameters)](std::uint64_t vector) {
          double sum = 0;
          for (std::uint64_t c = 0; c < 3; ++c) {
            const double component = draw(stream, kind, type, 3 * vector + c);
            sum += component * component;
          }
          return sum;
        },
        6 * unit_roundoff(precision), flushed);
  }
};

const WorkloadRegistration vec3_map_registration(std::make_unique<Vec3Map>());
const WorkloadRegistration vec3_norm2_registration(std::make_unique<Vec3Norm2>());

}  // namespace

}  // namespace benchctl
