// What the judge of `transpose` lets through.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <utility>

#include "workloads/memory_of.hpp"

using namespace benchctl;
using benchctl::test::MemoryOf;

namespace {

Parameters shape(std::int64_t rows, std::int64_t columns, const char* dtype = "f32",
                 const char* values = "uniform") {
  return {
      {"rows", rows}, {"columns", columns}, {"dtype", std::string(dtype)}, {"values", std::string(values)}};
}

template <class T>
void transpose(MemoryOf& memory, std::size_t rows, std::size_t columns) {
  const T* in = memory.buffer<T>("in");
  T* out = memory.buffer<T>("out");
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
  }
}

template <class T>
constexpr const char* name_of = sizeof(T) == 4 ? "f32" : "f64";

}  // namespace

TEMPLATE_TEST_CASE("a transpose is right to the bit, numbers or not", "", float, double) {
  for (const char* values : {"uniform", "wide", "special"}) {
    MemoryOf memory("transpose", shape(37, 130, name_of<TestType>, values));
    transpose<TestType>(memory, 37, 130);
    CHECK(memory.check().ok);
    CHECK(memory.check().checked == 37 * 130);
  }
}

TEST_CASE("an output that was never written is wrong") {
  const MemoryOf memory("transpose", shape(5, 3));
  CHECK_FALSE(memory.check().ok);
  CHECK(memory.check().not_a_number == 15);
}

TEST_CASE("a copy is no transpose, square or not") {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{64, 64}, {16, 48}, {2, 2}}) {
    MemoryOf memory("transpose", shape(rows, columns));
    std::memcpy(memory.buffer<float>("out"), memory.buffer<float>("in"), memory.spec().buffers[0].bytes());
    CHECK_FALSE(memory.check().ok);
  }
}

TEST_CASE("a transpose with rows and columns exchanged is wrong") {
  MemoryOf memory("transpose", shape(16, 48));
  transpose<float>(memory, 48, 16);
  CHECK_FALSE(memory.check().ok);
}

TEST_CASE("tiles that stay in their places are wrong, though each is transposed") {
  constexpr std::size_t n = 64;
  constexpr std::size_t tile = 16;
  MemoryOf memory("transpose", shape(n, n));
  const float* in = memory.buffer<float>("in");
  float* out = memory.buffer<float>("out");
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      out[(r / tile * tile + c % tile) * n + c / tile * tile + r % tile] = in[r * n + c];
    }
  }
  CHECK_FALSE(memory.check().ok);
}

TEST_CASE("one wrong element is found and named") {
  MemoryOf memory("transpose", shape(33, 17));
  transpose<float>(memory, 33, 17);
  memory.buffer<float>("out")[33 * 16 + 32] += 1;
  const Verification outcome = memory.check();
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.worst_element == "out[560]");
}

TEST_CASE("the cost of a transpose is each byte once") {
  const Workload& workload = *find_workload("transpose");
  const Cost cost = workload.cost(complete_parameters(workload, shape(3, 5, "f64")));
  CHECK(cost.flops == 0);
  CHECK(cost.bytes_read == 120);
  CHECK(cost.bytes_written == 120);
  CHECK(complete_parameters(workload, {{"rows", std::int64_t{7}}}).at("columns") == Value{std::int64_t{7}});
}

TEST_CASE("a matrix too large for any memory is refused in words") {
  const Workload& workload = *find_workload("transpose");
  CHECK_THROWS_AS(workload.problem(complete_parameters(workload, shape(2147483647, 2147483647)), ""),
                  ProblemError);
}

TEST_CASE("a copy is right to the bit, and only a whole one") {
  MemoryOf memory("copy", {{"n", std::int64_t{1001}}, {"values", std::string("special")}});
  float* out = memory.buffer<float>("out");
  const float* in = memory.buffer<float>("in");
  std::memcpy(out, in, 1000 * sizeof(float));
  CHECK_FALSE(memory.check().ok);
  out[1000] = in[1000];
  CHECK(memory.check().ok);
  std::swap(out[0], out[1000]);
  CHECK_FALSE(memory.check().ok);
}
