// Arrays of 3-component vectors: padding, slices, and what the judges let through. That all layouts hold
// the same vectors shows where right kernels pass: the conformance kit.
#include "support/catch.hpp"
#include "workloads/fake_output.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::int64_t vectors = 300;  // no multiple of a block, nor of the alignment of an array

Parameters problem(const char* dtype = "f32") { return {{"n", vectors}, {"dtype", std::string(dtype)}}; }

/// Of vector i in the layout aos16.
float norm2(const FakeRun& run, std::size_t i) {
  float sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += std::pow(run.in<float>()[4 * i + c], 2.0F);
  return sum;
}

}  // namespace

TEST_CASE("padding is no number") {
  const FakeRun structs("vec3_map", problem(), "aos16");
  const FakeRun arrays("vec3_map", problem("f64"), "soa");
  for (std::size_t i = 0; i < vectors; ++i) REQUIRE(std::isnan(structs.in<float>()[4 * i + 3]));
  // 300 rounded up to a multiple of 64.
  for (std::size_t e = vectors; e < 320; ++e) REQUIRE(std::isnan(arrays.in<double>()[e]));
  CHECK_FALSE(std::isnan(arrays.in<double>()[320]));
}

TEST_CASE("a part of the vectors is the same drawn on its own") {
  const std::string layout = GENERATE("aos12", "aos16", "soa");
  const FakeRun run("vec3_map", problem(), layout);
  const std::vector<std::byte> slice = run.slice(311, 17);
  CHECK(std::memcmp(slice.data(), run.in<float>() + 311, slice.size()) == 0);
}

TEST_CASE("one unit in the last place too many is wrong") {
  FakeRun run("vec3_map", problem(), "aos12");
  for (std::size_t e = 0; e < 3 * vectors; ++e) run.out<float>()[e] = run.in<float>()[e] + 1.25F;
  float& one = run.out<float>()[123];
  one = std::nextafter(std::nextafter(one, 9.0F), 9.0F);
  CHECK_FALSE(run.verdict().ok);
}

TEST_CASE("a squared length of a wrong vector, or with the padding, is wrong") {
  FakeRun run("vec3_norm2", problem(), "aos16");
  for (std::size_t i = 0; i < vectors; ++i) run.out<float>()[i] = norm2(run, i);
  CHECK(run.verdict().ok);
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
  const Workload& map = *Workloads::built_in().find("vec3_map");
  const Workload& norm = *Workloads::built_in().find("vec3_norm2");
  const Parameters parameters = complete_parameters(map, {{"n", std::int64_t{1000}}});
  CHECK(map.cost(parameters).bytes_read == 12000);
  CHECK(map.cost(parameters).bytes_written == 12000);
  CHECK(norm.cost(parameters).bytes_read == 12000);
  CHECK(norm.cost(parameters).bytes_written == 4000);
}
