// The variant `swizzled` of transpose on every OpenCL device: all elements where they belong, and nothing
// touched beside them.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "expr/parsed.hpp"
#include "support/transpose_problem.hpp"
#include "sweep/kernel_plan.hpp"

#include <cstring>

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Matrix {
  std::int64_t rows;
  std::int64_t columns;
};

constexpr std::uint64_t guard_bytes = 64;
constexpr std::byte guard_value{0xa5};

ProblemSpec transpose_spec(const Matrix& matrix, DType dtype) {
  return transpose_problem(matrix.rows, matrix.columns, dtype);
}

const VariantInfo& swizzled() {
  for (const VariantInfo& variant : opencl_backend().variants()) {
    if (variant.workload == "transpose" && variant.name == "swizzled") return variant;
  }
  throw std::runtime_error("no variant transpose/swizzled");
}

/// How `swizzled` takes a matrix on a device of so many compute units.
PrepareRequest request_of(const ProblemSpec& spec, const Parameters& tunables, std::int64_t units) {
  const VariantInfo& variant = swizzled();
  PrepareRequest prepare;
  prepare.variant = &variant;
  prepare.tunables = complete_tunables(variant, tunables);
  const Parameters values = transpose_values(variant, spec, tunables, units);
  const Parameters derived = with_derived(variant.kernel.value(), values);
  for (const std::string& text : variant.require) REQUIRE(parsed_expression(text).holds(derived));
  prepare.kernel = plan_kernel(variant.kernel.value(), values, spec, opencl_kernels());
  return prepare;
}

/// Copies of numbers as they are, so bytes tell all: element i of `in` is i + 1 as an integer.
template <class Word>
std::string fault_of(Session& session, const Matrix& matrix, const ProblemSpec& spec,
                     const PrepareRequest& prepare) {
  ProblemRequest request;
  request.spec = spec;
  request.sets = 1;
  for (const BufferSpec& buffer : spec.buffers) request.allocation.push_back(buffer.bytes() + guard_bytes);
  const auto problem = session.create_problem(request);
  std::vector<Word> in(static_cast<std::size_t>(spec.buffers[0].count));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Word>(i + 1);
  std::vector<std::byte> bytes(spec.buffers[0].bytes());
  std::memcpy(bytes.data(), in.data(), bytes.size());
  problem->write(0, 0, 0, bytes);
  problem->fill(0, 1, 0, bytes.size() + guard_bytes, guard_value);
  problem->prepare(prepare)->run(0);

  std::vector<std::byte> found(bytes.size() + guard_bytes);
  problem->read(0, 1, 0, found);
  for (std::size_t i = bytes.size(); i < found.size(); ++i) {
    if (found[i] != guard_value) return "bytes behind out changed";
  }
  std::vector<Word> out(in.size());
  std::memcpy(out.data(), found.data(), bytes.size());
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      const auto at = static_cast<std::size_t>(column * matrix.rows + row);
      if (out[at] != static_cast<Word>(row * matrix.columns + column + 1)) {
        return "out[" + std::to_string(column) + ", " + std::to_string(row) + "] is wrong";
      }
    }
  }
  return {};
}

/// As on a device of so many compute units: matrices are small or not by their number.
void check_swizzled(const std::vector<Matrix>& matrices, const Parameters& tunables,
                    std::int64_t units = 132) {
  for (const DeviceInfo& device : opencl_devices()) {
    const auto session = opencl_backend().open(device.id, {});
    for (const Matrix& matrix : matrices) {
      INFO(device.id << ' ' << matrix.rows << 'x' << matrix.columns << ' ' << units);
      const ProblemSpec singles = transpose_spec(matrix, DType::f32);
      CHECK(
          fault_of<std::uint32_t>(*session, matrix, singles, request_of(singles, tunables, units)).empty());
      if (!device.fp64) continue;
      const ProblemSpec doubles = transpose_spec(matrix, DType::f64);
      CHECK(
          fault_of<std::uint64_t>(*session, matrix, doubles, request_of(doubles, tunables, units)).empty());
    }
  }
}

}  // namespace

TEST_CASE("a swizzled transpose is right in bands of every height") {
  const std::int64_t band = GENERATE(0, 1, 3);
  const std::int64_t tile = band == 0 ? 64 : 32;
  check_swizzled({{4, 4}, {132, 36}, {300, 260}, {4, 516}},
                 {{"raster", band}, {"tile", tile}, {"items", std::int64_t{96}}});
}

// One tile and a bit of a second, with rows of out that begin with sectors and that do not; narrow and flat
// strips, which have tiles of other shapes.
TEST_CASE("a swizzled transpose is right where rows begin anywhere") {
  check_swizzled({{71, 66}, {72, 67}, {130, 17}, {3, 301}},
                 {{"tile", std::int64_t{64}}, {"items", std::int64_t{128}}});
  check_swizzled({{39, 41}, {300, 7}}, {{"tile", std::int64_t{32}}});
}

TEST_CASE("a swizzled transpose passes a simulator", "[oclgrind]") {
  for (const std::int64_t band : {0, 2}) {
    check_swizzled({{36, 68}, {100, 4}}, {{"raster", band}, {"tile", std::int64_t{32}}});
  }
  check_swizzled({{41, 35}, {40, 9}, {70, 3}, {3, 70}},
                 {{"tile", std::int64_t{32}}, {"items", std::int64_t{128}}});
}

// Small ones in packs and element by element, with a barrier and without, whole tiles and edges; few rows,
// of every place in a sector.
TEST_CASE("a swizzled transpose is right for small and for flat matrices") {
  check_swizzled({{4, 4}, {64, 128}, {100, 132}, {32, 64}, {65, 67}, {49, 16}, {1, 9}}, {}, 132);
  check_swizzled({{65, 67}, {64, 32}, {97, 33}}, {}, 2);
  check_swizzled({{1, 1}, {3, 301}, {7, 128}, {16, 260}}, {}, 132);
  check_swizzled({{3, 301}, {7, 128}, {17, 259}, {33, 513}}, {}, 1);
}

// One compute unit has more than it can have on its way at once of these.
TEST_CASE("a swizzled transpose is right for matrices that are not small") {
  check_swizzled(
      {{132, 128}, {516, 36}, {1030, 16}, {131, 129}, {1501, 17}, {700, 31}, {40, 501}, {60, 301}}, {}, 1);
  check_swizzled({{23, 600}, {63, 301}}, {}, 1);
}

// Few columns: odd and even numbers of them, whole tiles and not, in ending within a pack.
TEST_CASE("a swizzled transpose is right for few columns") {
  check_swizzled({{301, 3}, {128, 7}, {259, 5}, {513, 2}, {600, 1}}, {}, 1);
  check_swizzled({{2049, 9}, {1537, 11}, {1500, 8}, {260, 12}}, {}, 1);
}

TEST_CASE("configurations of a swizzled transpose pass a simulator", "[oclgrind]") {
  check_swizzled({{36, 68}, {41, 35}, {3, 70}, {6, 130}}, {}, 132);
  check_swizzled({{6, 130}, {190, 3}, {331, 2}}, {}, 1);
  check_swizzled({{36, 300}, {101, 100}}, {}, 1);
}
