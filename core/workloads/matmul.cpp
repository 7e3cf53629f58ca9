// Matrix product C = A·B, all row-major: A is m×k, B is k×n, C is m×n.
#include <array>

#include "workloads/basic.hpp"
#include "workloads/matmul_check.hpp"

namespace benchctl {

namespace {

MatmulShape shape_of(const Parameters& parameters) {
  return {integer_of(parameters, "m"), integer_of(parameters, "n"), integer_of(parameters, "k")};
}

DType matmul_type(const Parameters& parameters) {
  return dtype_of(parameters, {DType::f32, DType::f64, DType::bf16});
}

class Matmul final : public BasicWorkload {
 public:
  Matmul()
      : BasicWorkload(
            {.name = "matmul",
             .doc = "matrix product C = A·B of row-major matrices, A m×k, B k×n, inputs uniform in [-1, 1)",
             .version = 2,
             .parameters = {integer_parameter("n", "columns of B and C; the size of a square product",
                                              "512"),
                            integer_parameter("m", "rows of A and C", "n"),
                            integer_parameter("k", "columns of A and rows of B: the length of each sum",
                                              "n"),
                            dtype_parameter({"f32", "f64", "bf16"})},
             .buffers = {{"A", "dtype", "m * k"},
                         {"B", "dtype", "k * n"},
                         {"C", "dtype", "m * n", BufferRole::out}},
             .scalars = {passed("m"), passed("n"), passed("k")},
             .flops = "2.0 * m * n * k"}) {}

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const DType type = matmul_type(spec.parameters);
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
    return matmul_check(shape_of(spec.parameters), matmul_type(spec.parameters), precision, reference,
                        read);
  }
};

const WorkloadRegistration matmul_registration(std::make_unique<Matmul>());

}  // namespace

}  // namespace benchctl
