// Arrays of 3-component vectors: layouts hold the same vectors, and the mistakes that kernels over them
// make in practice are seen.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cmath>

#include "workloads/fake_output.hpp"
#include "workloads/vec3_layout.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::int64_t vectors = 300;  // no multiple of a block, nor of the alignment of an array

/// Element of component c of vector i.
std::size_t place(const std::string& layout, std::size_t i, std::size_t c) {
  if (layout == "aos12") return 3 * i + c;
  if (layout == "aos16") return 4 * i + c;
  return i + c * 320;  // 300 rounded up to a multiple of 64
}

Parameters problem(const char* dtype = "f32", const char* values = "uniform") {
  return {{"n", vectors}, {"dtype", std::string(dtype)}, {"values", std::string(values)}};
}

template <class T>
void map_rightly(FakeRun& run, const std::string& layout) {
  for (std::size_t i = 0; i < vectors; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t e = place(layout, i, c);
      run.out<T>()[e] = run.in<T>()[e] + T{1.25};
    }
  }
}

float norm2(const FakeRun& run, const std::string& layout, std::size_t i) {
  float sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += std::pow(run.in<float>()[place(layout, i, c)], 2.0F);
  return sum;
}

}  // namespace

TEST_CASE("all layouts hold the same vectors") {
  const FakeRun packed("vec3_map", problem(), "aos12");
  const std::string layout = GENERATE("aos16", "soa");
  const FakeRun other("vec3_map", problem(), layout);
  const FakeRun read("vec3_norm2", problem(), layout);
  for (std::size_t i = 0; i < vectors; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      INFO(layout << " vector " << i << " component " << c);
      const float value = packed.in<float>()[3 * i + c];
      REQUIRE(other.in<float>()[place(layout, i, c)] == value);
      REQUIRE(read.in<float>()[place(layout, i, c)] == value);
    }
  }
}

TEST_CASE("buffers of vectors have the sizes of their layouts") {
  CHECK(FakeRun("vec3_map", problem(), "aos12").spec().buffers[0].count == 900);
  CHECK(FakeRun("vec3_map", problem(), "aos16").spec().buffers[1].count == 1200);
  CHECK(FakeRun("vec3_map", problem(), "soa").spec().buffers[1].count == 960);
  CHECK(FakeRun("vec3_norm2", problem(), "soa").spec().buffers[1].count == 300);
  CHECK_THROWS_AS(Vec3Layout("aos8", 3), ProblemError);
}

TEST_CASE("padding is no number") {
  const FakeRun structs("vec3_map", problem(), "aos16");
  const FakeRun arrays("vec3_map", problem("f64"), "soa");
  for (std::size_t i = 0; i < vectors; ++i) REQUIRE(std::isnan(structs.in<float>()[4 * i + 3]));
  for (std::size_t e = vectors; e < 320; ++e) REQUIRE(std::isnan(arrays.in<double>()[e]));
  CHECK_FALSE(std::isnan(arrays.in<double>()[320]));
}

TEST_CASE("a part of the vectors is the same drawn on its own") {
  const std::string layout = GENERATE("aos12", "aos16", "soa");
  const FakeRun run("vec3_map", problem(), layout);
  const std::vector<std::byte> slice = run.slice(311, 17);
  CHECK(std::memcmp(slice.data(), run.in<float>() + 311, slice.size()) == 0);
}

TEST_CASE("a right map passes, whatever it leaves in the padding") {
  const std::string layout = GENERATE("aos12", "aos16", "soa");
  const char* values = GENERATE("uniform", "wide", "denormal", "special");
  FakeRun run("vec3_map", problem("f32", values), layout);
  map_rightly<float>(run, layout);  // padding is left poisoned
  const Verification outcome = run.verdict();
  INFO(outcome.reason);
  CHECK(outcome.ok);
  CHECK(outcome.checked == 900);
  FakeRun wide("vec3_map", problem("f64", values), layout);
  map_rightly<double>(wide, layout);
  CHECK(wide.verdict().ok);
}

TEST_CASE("a map whose blocks overlap for want of the factor 3 is wrong") {
  FakeRun run("vec3_map", problem(), "aos12");
  constexpr std::size_t block = 64;
  for (std::size_t b = 0; b * block < vectors; ++b) {
    for (std::size_t e = b * block; e < std::min<std::size_t>(b * block + 3 * block, 900); ++e) {
      run.out<float>()[e] = run.in<float>()[e] + 1.25F;
    }
  }
  const Verification outcome = run.verdict();
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.not_a_number > 0);  // what no block came to is still poisoned
}

TEST_CASE("a map that adds twice, not at all, or to other vectors is wrong") {
  const std::string layout = GENERATE("aos12", "aos16", "soa");
  FakeRun run("vec3_map", problem(), layout);
  map_rightly<float>(run, layout);
  float& last = run.out<float>()[place(layout, vectors - 1, 2)];
  const float right = last;
  last = right + 1.25F;
  CHECK_FALSE(run.verdict().ok);
  last = right - 1.25F;
  CHECK_FALSE(run.verdict().ok);
  last = right;
  REQUIRE(run.verdict().ok);
  std::swap(run.out<float>()[place(layout, 5, 0)], run.out<float>()[place(layout, 5, 1)]);
  CHECK_FALSE(run.verdict().ok);
}

TEST_CASE("one unit in the last place too many is wrong") {
  FakeRun run("vec3_map", problem(), "aos12");
  map_rightly<float>(run, "aos12");
  float& one = run.out<float>()[123];
  one = std::nextafter(std::nextafter(one, 9.0F), 9.0F);
  CHECK_FALSE(run.verdict().ok);
}

TEST_CASE("a right squared length passes in every layout and with every kind of number") {
  const std::string layout = GENERATE("aos12", "aos16", "soa");
  const char* values = GENERATE("uniform", "wide", "denormal", "special");
  FakeRun run("vec3_norm2", problem("f32", values), layout);
  for (std::size_t i = 0; i < vectors; ++i) run.out<float>()[i] = norm2(run, layout, i);
  const Verification outcome = run.verdict();
  INFO(outcome.reason);
  CHECK(outcome.ok);
}

TEST_CASE("a squared length of a wrong vector, or with the padding, is wrong") {
  FakeRun run("vec3_norm2", problem(), "aos16");
  for (std::size_t i = 0; i < vectors; ++i) run.out<float>()[i] = norm2(run, "aos16", i);
  REQUIRE(run.verdict().ok);
  const float right = run.out<float>()[299];
  run.out<float>()[299] = run.out<float>()[298];
  CHECK_FALSE(run.verdict().ok);
  run.out<float>()[299] = right + run.in<float>()[4 * 299 + 3];
  CHECK_FALSE(run.verdict().ok);
  run.out<float>()[299] = std::sqrt(right);
  CHECK_FALSE(run.verdict().ok);
  run.out<float>()[299] = right * (1 + 0x1p-20F);
  CHECK_FALSE(run.verdict().ok);
}

TEST_CASE("useful bytes do not depend on the layout") {
  const Workload& map = *find_workload("vec3_map");
  const Workload& norm = *find_workload("vec3_norm2");
  const Parameters parameters = complete_parameters(map, {{"n", std::int64_t{1000}}});
  CHECK(map.cost(parameters).bytes_read == 12000);
  CHECK(map.cost(parameters).bytes_written == 12000);
  CHECK(norm.cost(parameters).bytes_read == 12000);
  CHECK(norm.cost(parameters).bytes_written == 4000);
}
