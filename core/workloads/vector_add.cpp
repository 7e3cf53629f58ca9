// c = a + b: one addition for twelve bytes, no value used twice. What memory bandwidth alone decides.
#include <array>

#include "workloads/elements.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

class VectorAdd final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "vector_add"; }
  [[nodiscard]] std::string_view doc() const override {
    return "c = a + b of n elements: no value is used twice, so memory bandwidth decides";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError("vector_add has one layout only");
    const std::uint64_t n = integer_of(parameters, "n");
    const DType type = dtype_of(parameters);
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"a", type, n, BufferRole::in, Space::device},
                    {"b", type, n, BufferRole::in, Space::device},
                    {"c", type, n, BufferRole::out, Space::device}};
    spec.scalars = {{"n", DType::i32, static_cast<std::int64_t>(n)}};
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const auto n = static_cast<double>(integer_of(parameters, "n"));
    const auto size = static_cast<double>(size_of(dtype_of(parameters)));
    return {.flops = 0, .bytes_read = 2 * n * size, .bytes_written = n * size};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_bytes(RandomStream(seed, buffer), value_kind_of(spec.parameters), spec.buffers.at(buffer).type,
               first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const override {
    return seed_reference(seed);
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const DType type = dtype_of(spec.parameters);
    const ValueKind kind = value_kind_of(spec.parameters);
    const std::uint64_t seed = seed_of(reference);
    const std::array<RandomStream, 2> streams{RandomStream(seed, 0), RandomStream(seed, 1)};
    const double roundoff = unit_roundoff(precision);
    return check_elements(
        spec, 2,
        [&](std::uint64_t first, std::span<double> truth, std::span<double> tolerance) {
          for (std::size_t i = 0; i < truth.size(); ++i) {
            truth[i] = draw(streams[0], kind, type, first + i) + draw(streams[1], kind, type, first + i);
            // One rounded addition; twice that covers a float64 truth that is rounded itself.
            tolerance[i] = 2 * roundoff * std::abs(truth[i]);
          }
        },
        read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("n", "elements of each vector", "16777216"), dtype_parameter(),
      values_parameter({ValueKind::uniform, ValueKind::wide, ValueKind::denormal, ValueKind::special,
                        ValueKind::nan, ValueKind::infinity, ValueKind::negative_infinity,
                        ValueKind::zeros})};
};

const WorkloadRegistration vector_add_registration(std::make_unique<VectorAdd>());

}  // namespace

}  // namespace benchctl
