// What the judge of `transpose` lets through.
#include <cstring>
#include <utility>

#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using benchctl::test::Probed;

namespace {

Parameters shape(std::int64_t rows, std::int64_t columns, const char* dtype = "f32") {
  return {{"rows", rows}, {"columns", columns}, {"dtype", std::string(dtype)}};
}

}  // namespace

TEST_CASE("one wrong element is found and named") {
  Probed memory("transpose", shape(33, 17));
  const float* in = memory.as<float>("in").data();
  float* out = memory.as<float>("out").data();
  for (std::size_t i = 0; i < 33UL * 17; ++i) out[i % 17 * 33 + i / 17] = in[i];
  CHECK(memory.check().ok);
  out[33 * 16 + 32] += 1;
  const Verification outcome = memory.check();
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.worst_element == "out[560]");
}

TEST_CASE("a copy is right to the bit, and only a whole one") {
  Probed memory("copy", {{"n", std::int64_t{1001}}, {"values", std::string("denormal")}});
  float* out = memory.as<float>("out").data();
  const float* in = memory.as<float>("in").data();
  REQUIRE(std::isfinite(in[1000]));
  std::memcpy(out, in, 1000 * sizeof(float));
  CHECK_FALSE(memory.check().ok);
  out[1000] = in[1000];
  CHECK(memory.check().ok);
  std::swap(out[0], out[1000]);
  CHECK_FALSE(memory.check().ok);
}
