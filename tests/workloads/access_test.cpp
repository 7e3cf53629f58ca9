// The copy with a pattern: what the judge lets through, and inputs that are the same bytes for every width.
#include "support/catch.hpp"
#include "workloads/probed.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Shape {
  std::int64_t n = 512;
  std::int64_t width = 4;
  std::int64_t stride = 1;
  std::int64_t misalign = 0;
  std::string pattern = "linear";
};

Parameters parameters(const Shape& shape) {
  return {{"n", shape.n},
          {"access_width", shape.width},
          {"stride", shape.stride},
          {"misalign", shape.misalign},
          {"pattern", shape.pattern}};
}

std::size_t f(const std::string& pattern, std::size_t i, std::size_t n) {
  if (pattern == "scattered_warp") return i / 32 * 32 + (13 * (i % 32) + 7) % 32;
  if (pattern == "scattered_block") return i / 256 * 256 + (101 * (i % 256) + 37) % 256;
  if (pattern == "scattered_array") return 5184427 * i % n;
  return i;
}

/// Byte by byte, as the definition says.
void copy_rightly(Probed& run, const Shape& shape) {
  const auto in = run.as<std::uint8_t>("in");
  const auto out = run.as<std::uint8_t>("out");
  const auto n = static_cast<std::size_t>(shape.n);
  const auto width = static_cast<std::size_t>(shape.width);
  for (std::size_t i = 0; i < n; ++i) {
    const bool loads = shape.pattern != "masked" || i % 4 != 3;
    const std::size_t source = static_cast<std::size_t>(shape.misalign) +
                               f(shape.pattern, i, n) * static_cast<std::size_t>(shape.stride);
    REQUIRE((source + 1) * width <= in.size());
    for (std::size_t b = 0; b < width; ++b)
      out[i * width + b] = loads ? in[source * width + b] : std::uint8_t{0x5A};
  }
}

}  // namespace

TEST_CASE("a right copy passes for every width, stride, offset and pattern") {
  const std::string pattern =
      GENERATE("linear", "masked", "scattered_warp", "scattered_block", "scattered_array");
  const std::int64_t width = GENERATE(1, 2, 4, 8, 16);
  const std::int64_t stride = GENERATE(1, 3, 32);
  const std::int64_t misalign = GENERATE(0, 1, 32);
  const Shape shape{512, width, stride, misalign, pattern};
  Probed run("access", parameters(shape));
  CHECK_FALSE(run.check().ok);
  copy_rightly(run, shape);
  const Verification outcome = run.check();
  INFO(outcome.reason);
  CHECK(outcome.ok);
  // One bit in the last byte.
  run.as<std::uint8_t>("out").back() ^= 1;
  CHECK_FALSE(run.check().ok);
}

TEST_CASE("masked threads must write their constant, and only they") {
  Probed run("access", parameters({100, 4, 1, 0, "masked"}));
  copy_rightly(run, {100, 4, 1, 0, "linear"});
  CHECK_FALSE(run.check().ok);
  copy_rightly(run, {100, 4, 1, 0, "masked"});
  REQUIRE(run.check().ok);
  run.as<std::uint32_t>("out")[98] = 0x5A5A5A5A;
  CHECK_FALSE(run.check().ok);
}

TEST_CASE("the input is the same bytes for every width, and for every slicing") {
  const Probed bytes("access", parameters({160, 1, 1, 0, "linear"}));
  const Probed words("access", parameters({40, 4, 1, 0, "linear"}));
  const Bytes& whole = bytes.buffers[0];
  CHECK(whole == words.buffers[0]);
  CHECK(bytes.slice(13, 30) == Bytes(whole.begin() + 13, whole.begin() + 43));
  CHECK(words.slice(3, 5) == Bytes(whole.begin() + 12, whole.begin() + 32));
}
