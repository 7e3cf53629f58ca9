// Arrays of 3-component vectors: padding, slices, and what the judges let through. That all layouts hold
// the same vectors shows where right kernels pass: the conformance kit.
#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::int64_t vectors = 300;  // no multiple of a block, nor of the alignment of an array

Parameters problem(const char* dtype = "f32") { return {{"n", vectors}, {"dtype", std::string(dtype)}}; }

}  // namespace

TEST_CASE("padding is no number") {
  Probed structs("vec3_map", problem(), 1, "aos16");
  Probed arrays("vec3_map", problem("f64"), 1, "soa");
  for (std::size_t i = 0; i < vectors; ++i) REQUIRE(std::isnan(structs.as<float>("in")[4 * i + 3]));
  // 300 rounded up to a multiple of 64.
  for (std::size_t e = vectors; e < 320; ++e) REQUIRE(std::isnan(arrays.as<double>("in")[e]));
  CHECK_FALSE(std::isnan(arrays.as<double>("in")[320]));
}

TEST_CASE("a part of the vectors is the same drawn on its own") {
  const std::string layout = GENERATE("aos12", "aos16", "soa");
  const Probed run("vec3_map", problem(), 1, layout);
  const auto first = run.buffers[0].begin() + 311 * sizeof(float);
  CHECK(run.slice(311, 17) == Bytes(first, first + 17 * sizeof(float)));
}

TEST_CASE("one unit in the last place too many is wrong") {
  Probed run("vec3_map", problem(), 1, "aos12");
  for (std::size_t e = 0; e < 3 * vectors; ++e) run.as<float>("out")[e] = run.as<float>("in")[e] + 1.25F;
  float& one = run.as<float>("out")[123];
  one = std::nextafter(std::nextafter(one, 9.0F), 9.0F);
  CHECK_FALSE(run.check().ok);
}

TEST_CASE("a squared length of a wrong vector, or with the padding, is wrong") {
  Probed run("vec3_norm2", problem(), 1, "aos16");
  const auto in = run.as<float>("in");
  const auto out = run.as<float>("out");
  for (std::size_t i = 0; i < vectors; ++i) {
    out[i] = 0;
    for (std::size_t c = 0; c < 3; ++c) out[i] += std::pow(in[4 * i + c], 2.0F);
  }
  CHECK(run.check().ok);
  const float right = out[299];
  for (const float wrong : {out[298], right + in[4 * 299 + 3], std::sqrt(right), right * (1 + 0x1p-20F)}) {
    CAPTURE(wrong);
    out[299] = wrong;
    CHECK_FALSE(run.check().ok);
  }
}
