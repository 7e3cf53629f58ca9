// Matrix product C = A·B, all row-major: A is m×k, B is k×n, C is m×n.
#include <fmt/format.h>

#include <array>

#include "workloads/matmul_reference.hpp"
#include "workloads/parameters.hpp"
#include "workloads/values.hpp"

namespace benchctl {

namespace {

MatmulShape shape_of(const Parameters& parameters) {
  return {integer_of(parameters, "m"), integer_of(parameters, "n"), integer_of(parameters, "k")};
}

DType type_of(const Parameters& parameters) {
  return dtype_of(parameters, {DType::f32, DType::f64, DType::bf16});
}

class Matmul final : public Workload {
 public:
  [[nodiscard]] std::string_view name() const override { return "matmul"; }
  [[nodiscard]] std::string_view doc() const override {
    return "matrix product C = A·B of row-major matrices, A m×k, B k×n, inputs uniform in [-1, 1)";
  }
  [[nodiscard]] std::uint32_t version() const override { return 2; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) {
      throw ProblemError(fmt::format("matmul has one layout only (row-major), not '{}'", layout));
    }
    const auto [m, n, k] = shape_of(parameters);
    const DType type = type_of(parameters);
    check_size("A", static_cast<double>(m) * static_cast<double>(k), type);
    check_size("B", static_cast<double>(k) * static_cast<double>(n), type);
    check_size("C", static_cast<double>(m) * static_cast<double>(n), type);
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    spec.buffers = {{"A", type, m * k, BufferRole::in, Space::device},
                    {"B", type, k * n, BufferRole::in, Space::device},
                    {"C", type, m * n, BufferRole::out, Space::device}};
    spec.scalars = {{"m", DType::i32, static_cast<std::int64_t>(m)},
                    {"n", DType::i32, static_cast<std::int64_t>(n)},
                    {"k", DType::i32, static_cast<std::int64_t>(k)}};
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    const auto [m, n, k] = shape_of(parameters);
    const auto rows = static_cast<double>(m);
    const auto columns = static_cast<double>(n);
    const auto depth = static_cast<double>(k);
    const auto bytes = static_cast<double>(size_of(type_of(parameters)));
    return {.flops = 2 * rows * columns * depth,
            .bytes_read = (rows * depth + depth * columns) * bytes,
            .bytes_written = rows * columns * bytes};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    draw_bytes(RandomStream(seed, buffer), ValueKind::uniform, spec.buffers.at(buffer).type, first, out);
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const DType type = type_of(spec.parameters);
    const std::array<RandomStream, 2> streams{RandomStream(seed, 0), RandomStream(seed, 1)};
    // What is looked at must not follow from the inputs.
    return matmul_reference(shape_of(spec.parameters), unknown_seed(),
                            [&](std::size_t buffer, std::uint64_t first, std::uint64_t count, double* out) {
                              const RandomStream& stream = streams[buffer];
                              draw_reals(stream, ValueKind::uniform, type, first, {out, count});
                            });
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    return matmul_check(shape_of(spec.parameters), type_of(spec.parameters), precision, reference, read);
  }

 private:
  std::vector<ParameterInfo> parameters_{
      integer_parameter("n", "columns of B and C; the size of a square product", "512"),
      integer_parameter("m", "rows of A and C", "n"),
      integer_parameter("k", "columns of A and rows of B: the length of each sum", "n"),
      dtype_parameter({"f32", "f64", "bf16"})};
};

const WorkloadRegistration matmul_registration(std::make_unique<Matmul>());

}  // namespace

}  // namespace benchctl
