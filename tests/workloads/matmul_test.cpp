// The contract of the workload: parameters, buffers, cost, inputs.
#include "support/catch.hpp"
#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

using namespace benchctl;

namespace {

const Workload& matmul() {
  const Workload* workload = Workloads::built_in().find("matmul");
  REQUIRE(workload != nullptr);
  return *workload;
}

Parameters shape(std::int64_t m, std::int64_t n, std::int64_t k, const char* dtype = "f32") {
  return {{"m", m}, {"n", n}, {"k", k}, {"dtype", std::string(dtype)}};
}

}  // namespace

TEST_CASE("inputs are the generator's stream of the buffer, for every slicing") {
  const ProblemSpec spec = matmul().problem(shape(7, 11, 13), "");
  for (const std::size_t buffer : {std::size_t{0}, std::size_t{1}}) {
    std::vector<float> whole(spec.buffers[buffer].count);
    matmul().generate(spec, buffer, 9, 0, std::as_writable_bytes(std::span(whole)));
    for (std::size_t i = 0; i < whole.size(); ++i) REQUIRE(whole[i] == RandomStream(9, buffer).f32(i));
    std::vector<float> part(10);
    matmul().generate(spec, buffer, 9, 17, std::as_writable_bytes(std::span(part)));
    CHECK(std::equal(part.begin(), part.end(), whole.begin() + 17));
  }
  const ProblemSpec wide = matmul().problem(shape(7, 11, 13, "f64"), "");
  std::vector<double> values(5);
  matmul().generate(wide, 1, 9, 3, std::as_writable_bytes(std::span(values)));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == RandomStream(9, 1).f64(3 + i));
}
