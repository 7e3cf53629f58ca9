// Matrix product C = A·B, all row-major: A is m×k, B is k×n, C is m×n.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "workloads/generator.hpp"
#include "workloads/matmul_reference.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

namespace {

constexpr double largest_dimension = 2147483647;

ParameterInfo dimension(const char* name, const char* doc, const char* default_value) {
  ParameterInfo info;
  info.name = name;
  info.doc = doc;
  info.default_value = default_value;
  info.maximum = largest_dimension;
  return info;
}

std::uint64_t dimension_of(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw ProblemError(fmt::format("matmul: parameter '{}' is missing", name));
  const auto* value = std::get_if<std::int64_t>(&found->second);
  if (value == nullptr) throw ProblemError(fmt::format("matmul: parameter '{}' must be an integer", name));
  if (*value < 1 || *value > std::numeric_limits<std::int32_t>::max()) {
    throw ProblemError(fmt::format(
        "matmul: {} = {}, but kernels take 32-bit dimensions: it must lie between 1 and 2147483647", name,
        *value));
  }
  return static_cast<std::uint64_t>(*value);
}

MatmulShape shape_of(const Parameters& parameters) {
  return {dimension_of(parameters, "m"), dimension_of(parameters, "n"), dimension_of(parameters, "k")};
}

DType dtype_of(const Parameters& parameters) {
  const auto found = parameters.find("dtype");
  const auto* name = found != parameters.end() ? std::get_if<std::string>(&found->second) : nullptr;
  const std::optional<DType> type = name != nullptr ? parse_enum<DType>(*name) : std::nullopt;
  if (type != DType::f32 && type != DType::f64) {
    throw ProblemError("matmul: parameter 'dtype' must be f32 or f64");
  }
  return *type;
}

template <class T>
void generate_as(const RandomStream& stream, std::uint64_t first, std::span<std::byte> out) {
  fill_uniform(stream, first, std::span(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T)));
}

class Matmul final : public Workload {
 public:
  Matmul() {
    parameters_ = {dimension("n", "columns of B and C; the size of a square product", "512"),
                   dimension("m", "rows of A and C", "n"),
                   dimension("k", "columns of A and rows of B: the length of each sum", "n")};
    ParameterInfo dtype;
    dtype.name = "dtype";
    dtype.doc = "element type of A, B and C";
    dtype.default_value = "f32";
    dtype.is_text = true;
    dtype.choices = {"f32", "f64"};
    parameters_.push_back(dtype);
  }

  [[nodiscard]] std::string_view name() const override { return "matmul"; }
  [[nodiscard]] std::string_view doc() const override {
    return "matrix product C = A·B of row-major matrices, A m×k, B k×n, inputs uniform in [-1, 1)";
  }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return parameters_; }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) {
      throw ProblemError(fmt::format("matmul has one layout only (row-major), not '{}'", layout));
    }
    const auto [m, n, k] = shape_of(parameters);
    const DType type = dtype_of(parameters);
    // Counts are below 2^62 each; their bytes need not be.
    constexpr double largest_bytes = 0x1p62;
    const double elements = static_cast<double>(m) * static_cast<double>(k) +
                            static_cast<double>(k) * static_cast<double>(n) +
                            static_cast<double>(m) * static_cast<double>(n);
    if (elements * static_cast<double>(size_of(type)) > largest_bytes) {
      throw ProblemError(fmt::format("matmul: m = {}, n = {}, k = {} in {} take more than 2^62 bytes", m, n,
                                     k, to_string(type)));
    }
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
    const auto bytes = static_cast<double>(size_of(dtype_of(parameters)));
    return {2 * rows * columns * depth, (rows * depth + depth * columns) * bytes, rows * columns * bytes};
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    const RandomStream stream(seed, buffer);
    if (spec.buffers.at(buffer).type == DType::f64) {
      generate_as<double>(stream, first, out);
    } else {
      generate_as<float>(stream, first, out);
    }
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const bool wide = dtype_of(spec.parameters) == DType::f64;
    const std::array<RandomStream, 2> streams{RandomStream(seed, 0), RandomStream(seed, 1)};
    return matmul_reference(shape_of(spec.parameters), seed,
                            [&](std::size_t buffer, std::uint64_t first, std::uint64_t count, double* out) {
                              const RandomStream& stream = streams[buffer];
                              for (std::uint64_t i = 0; i < count; ++i) {
                                out[i] = wide ? stream.f64(first + i)
                                              : static_cast<double>(stream.f32(first + i));
                              }
                            });
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    return matmul_check(shape_of(spec.parameters), dtype_of(spec.parameters), precision, reference, read);
  }

 private:
  std::vector<ParameterInfo> parameters_;
};

const WorkloadRegistration registration(std::make_unique<Matmul>());

}  // namespace

}  // namespace benchctl
