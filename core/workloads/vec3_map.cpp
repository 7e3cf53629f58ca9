// Adds a constant to each component of an array of vectors with three components. The arithmetic is
// nothing; how the vectors lie in memory, and how threads take them from there, is all.
#include <cstring>

#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/vec3_layout.hpp"

namespace benchctl {

namespace {

constexpr double addend = 1.25;  // exact in every element type

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

class Vec3Map final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "vec3_map"; }
  [[nodiscard]] std::string_view doc() const override {
    return "adds a constant to each component of n 3-component vectors: the layout in memory decides";
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
                    {"out", type, places.count, BufferRole::out, Space::device}};
    spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(n)},
                    {"plane", DType::i32, static_cast<std::int64_t>(places.plane)},
                    {"addend", type, addend}};
    return spec;
  }

  /// Useful bytes, the same for every layout, so that rates compare.
  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const double bytes = 3.0 * static_cast<double>(integer_of(parameters, "n")) *
                         static_cast<double>(size_of(dtype_of(parameters)));
    return {.flops = 0, .bytes_read = bytes, .bytes_written = bytes};
  }

  void generate(const ProblemSpec& spec, std::size_t /*buffer*/, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_vec3(RandomStream(seed, 0), value_kind_of(spec.parameters), dtype_of(spec.parameters),
              layout_of(spec), first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const DType type = dtype_of(spec.parameters);
    const ValueKind kind = value_kind_of(spec.parameters);
    const RandomStream stream(seed_of(reference), 0);
    const Vec3Layout layout = layout_of(spec);
    const double roundoff = unit_roundoff(precision);
    Verification outcome = check_elements(
        spec, 1,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> tolerance) {
          for (std::size_t e = 0; e < truth.size(); ++e) {
            const std::uint64_t component = layout.component_at(first + e);
            const bool padding = component == Vec3Layout::padding;
            truth[e] = padding ? 0 : draw(stream, kind, type, component) + addend;
            // One rounded addition; twice that covers a float64 truth that is rounded itself.
            tolerance[e] = 2 * roundoff * std::abs(truth[e]);
          }
        },
        without_padding(read, layout, size_of(type)));
    outcome.checked = 3 * layout.n;
    return outcome;
  }

 private:
  static Vec3Layout layout_of(const ProblemSpec& spec) {
    return {spec.layout, integer_of(spec.parameters, "n")};
  }

  std::vector<ParameterInfo> parameters_{
      vec3_count_parameter(), dtype_parameter(),
      values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::denormal, ValueKind::special})};
};

const WorkloadRegistration vec3_map_registration(std::make_unique<Vec3Map>());

}  // namespace

}  // namespace benchctl
