// The squared length of each of n vectors: a map that reads three components and writes one number, so that
// the layout of the input decides alone.
#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/vec3_layout.hpp"

namespace benchctl {

namespace {

class Vec3Norm2 final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "vec3_norm2"; }
  [[nodiscard]] std::string_view doc() const override {
    return "x² + y² + z² of each of n 3-component vectors: the layout of the reads decides";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }
  [[nodiscard]] std::span<const std::string> layouts() const override { return vec3_layout_names(); }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    const std::uint64_t n = integer_of(parameters, "n");
    const DType type = dtype_of(parameters);
    const Vec3Layout places(layout, n);
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.layout = layout;
    spec.buffers = {{"in", type, places.count, BufferRole::in, Space::device},
                    {"out", type, n, BufferRole::out, Space::device}};
    spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(n)},
                    {"plane", DType::i32, static_cast<std::int64_t>(places.plane)}};
    return spec;
  }

  /// Useful bytes, the same for every layout, so that rates compare.
  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const double elements = static_cast<double>(integer_of(parameters, "n")) *
                            static_cast<double>(size_of(dtype_of(parameters)));
    return {.flops = 0, .bytes_read = 3 * elements, .bytes_written = elements};
  }

  void generate(const ProblemSpec& spec, std::size_t /*buffer*/, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_vec3(RandomStream(seed, 0), value_kind_of(spec.parameters), dtype_of(spec.parameters),
              Vec3Layout(spec.layout, integer_of(spec.parameters, "n")), first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  /// Three squares of one rounding each and two additions: of terms that are all positive, so no term is
  /// off by more than three roundings relative to itself, nor is the sum. Twice that covers a float64 truth
  /// that is rounded itself. In float32 a square may be so small that it is rounded to a denormal or
  /// flushed to zero: less than the smallest normal number each.
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const DType type = dtype_of(spec.parameters);
    const ValueKind kind = value_kind_of(spec.parameters);
    const RandomStream stream(seed_of(reference), 0);
    const double roundoff = unit_roundoff(precision);
    const double flushed = type == DType::f32 ? 3 * 0x1p-126 : 0.0;
    return check_elements(
        spec, 1,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> tolerance) {
          for (std::size_t i = 0; i < truth.size(); ++i) {
            truth[i] = 0;
            for (std::uint64_t c = 0; c < 3; ++c) {
              const double component = draw(stream, kind, type, 3 * (first + i) + c);
              truth[i] += component * component;
            }
            tolerance[i] = 6 * roundoff * truth[i] + flushed;
          }
        },
        read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      vec3_count_parameter(), dtype_parameter(),
      values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::denormal, ValueKind::special})};
};

const WorkloadRegistration vec3_norm2_registration(std::make_unique<Vec3Norm2>());

}  // namespace

}  // namespace benchctl
