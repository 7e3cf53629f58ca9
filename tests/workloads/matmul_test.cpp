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

TEST_CASE("defaults are a square product of n = 512 in f32") {
  CHECK(complete_parameters(matmul(), {}) == shape(512, 512, 512));
  CHECK(complete_parameters(matmul(), {{"n", std::int64_t{7}}}) == shape(7, 7, 7));
  CHECK(complete_parameters(matmul(), {{"n", std::int64_t{7}}, {"k", std::int64_t{3}}}) == shape(7, 7, 3));
  CHECK(complete_parameters(matmul(), {{"m", std::int64_t{2}}, {"dtype", std::string("f64")}}) ==
        shape(2, 512, 512, "f64"));
}

TEST_CASE("parameters out of range are refused by name") {
  const auto refused = [](const Parameters& given, const char* word) {
    CHECK_THROWS_MATCHES(complete_parameters(matmul(), given), ProblemError,
                         MessageMatches(ContainsSubstring(word)));
  };
  refused({{"n", std::int64_t{0}}}, "'n'");
  refused({{"k", std::int64_t{-1}}}, "'k'");
  refused({{"m", std::int64_t{2147483648}}}, "'m'");
  refused({{"m", std::string("many")}}, "must be a number");
  refused({{"dtype", std::string("f16")}}, "f32, f64");
  refused({{"dtype", std::int64_t{32}}}, "f32, f64");
  CHECK_NOTHROW(complete_parameters(matmul(), {{"m", std::int64_t{2147483647}}}));
}

TEST_CASE("problems that cannot be had say why") {
  const auto refused = [](const Parameters& parameters, const char* layout, const char* word) {
    CHECK_THROWS_MATCHES(matmul().problem(parameters, layout), ProblemError,
                         MessageMatches(ContainsSubstring(word)));
  };
  constexpr std::int64_t most = 2147483647;
  refused(shape(most + 1, 1, 1), "", "32-bit");
  refused(shape(1, 0, 1), "", "'n' is 0");
  refused(shape(most, most, most, "f64"), "", "2^62 bytes");
  CHECK_NOTHROW(matmul().problem(shape(most, 1, 1), ""));
  CHECK(matmul().problem(shape(most, most / 4, 1), "").bytes() > (std::uint64_t{1} << 61));
  refused(shape(1, 1, 1), "column_major", "column_major");
  refused({{"m", std::int64_t{1}}, {"n", 1.5}, {"k", std::int64_t{1}}, {"dtype", std::string("f32")}}, "",
          "integer");
  refused({{"n", std::int64_t{1}}, {"k", std::int64_t{1}}, {"dtype", std::string("f32")}}, "", "'m'");
  refused(shape(1, 1, 1, "i32"), "", "dtype");
}

TEST_CASE("cost counts two operations per product and every byte once") {
  const Cost narrow = matmul().cost(shape(2, 3, 5));
  CHECK(narrow.flops == 60);
  CHECK(narrow.bytes_read == 4 * (10 + 15));
  CHECK(narrow.bytes_written == 4 * 6);
  const Cost wide = matmul().cost(shape(2, 3, 5, "f64"));
  CHECK(wide.flops == 60);
  CHECK(wide.bytes_read == 8 * 25);
  CHECK(wide.bytes_written == 8 * 6);
}

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
