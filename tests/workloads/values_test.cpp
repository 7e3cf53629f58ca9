// What inputs hold, and element-wise checks.
#include <cstring>

#include "support/catch.hpp"
#include "workloads/checks.hpp"
#include "workloads/values.hpp"

using namespace benchctl;

namespace {

std::vector<float> drawn(ValueKind kind, std::uint64_t first, std::size_t count) {
  std::vector<float> values(count);
  draw_bytes(RandomStream(3, 1), kind, DType::f32, first, std::as_writable_bytes(std::span(values)));
  return values;
}

/// One output of floats, and a reader that gives what it should hold.
struct Output {
  ProblemSpec spec;
  std::vector<float> held;

  explicit Output(std::vector<float> values) : held(std::move(values)) {
    spec.buffers = {{"out", DType::f32, held.size(), BufferRole::out, Space::device}};
  }
  [[nodiscard]] Verification check(double truth, double tolerance) const {
    return check_elements(
        spec, 0,
        [&](std::uint64_t, std::span<double> expected, std::span<double> allowed) {
          std::ranges::fill(expected, truth);
          std::ranges::fill(allowed, tolerance);
        },
        [&](std::size_t, std::uint64_t offset, std::span<std::byte> out) {
          std::memcpy(out.data(), reinterpret_cast<const char*>(held.data()) + offset, out.size());
        });
  }
};

}  // namespace

TEST_CASE("every kind of values is the same for every slicing, and the same number in f64") {
  const ValueKind kind = GENERATE(ValueKind::uniform, ValueKind::wide, ValueKind::huge, ValueKind::denormal,
                                  ValueKind::special);
  const std::vector<float> whole = drawn(kind, 0, 1000);
  CHECK(std::memcmp(drawn(kind, 333, 100).data(), &whole[333], 100 * sizeof(float)) == 0);
  std::vector<double> reals(1000);
  draw_reals(RandomStream(3, 1), kind, DType::f32, 0, reals);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(i);
    const bool same =
        std::isnan(whole[i]) ? std::isnan(reals[i]) : static_cast<double>(whole[i]) == reals[i];
    CHECK(same);
  }
}

TEST_CASE("wide, huge, denormal and special values are what they are called") {
  double least = 1e300;
  double most = 0;
  for (const float value : drawn(ValueKind::wide, 0, 10'000)) {
    least = std::min(least, std::abs(static_cast<double>(value)));
    most = std::max(most, std::abs(static_cast<double>(value)));
  }
  CHECK(least < 2e-6);
  CHECK(most > 5e5);
  for (const float value : drawn(ValueKind::huge, 0, 100)) {
    CHECK(std::isfinite(value));
    CHECK(std::isinf(value * value));
  }
  bool negative = false;
  for (const float value : drawn(ValueKind::denormal, 0, 1000)) {
    CHECK((value == 0 || std::fpclassify(value) == FP_SUBNORMAL));
    negative = negative || std::signbit(value);
  }
  CHECK(negative);
  const std::vector<float> special = drawn(ValueKind::special, 0, 10'000);
  CHECK(std::isfinite(special[0]));
  const auto odd = std::ranges::count_if(special, [](float value) { return !std::isfinite(value); });
  CHECK(odd > 50);
  CHECK(odd < 500);
}

TEST_CASE("integers are random bits of their width") {
  std::vector<std::uint8_t> bytes(1000);
  draw_bytes(RandomStream(1, 0), ValueKind::uniform, DType::u8, 0,
             std::as_writable_bytes(std::span(bytes)));
  CHECK(std::ranges::max(bytes) > 250);
  CHECK(draw(RandomStream(1, 0), ValueKind::uniform, DType::u8, 7) == bytes[7]);
  std::vector<std::int64_t> wide(1000);
  draw_bytes(RandomStream(1, 0), ValueKind::uniform, DType::i64, 0,
             std::as_writable_bytes(std::span(wide)));
  CHECK(static_cast<std::uint64_t>(wide[7]) == RandomStream(1, 0).bits(7));
  CHECK(std::ranges::any_of(wide, [](std::int64_t value) { return value < 0; }));
}

TEST_CASE("f16 has wide, huge and denormal numbers of its own, and all others rounded") {
  const auto of_kind = [](ValueKind kind) {
    std::vector<Half> halves(5000);
    draw_bytes(RandomStream(3, 1), kind, DType::f16, 0, std::as_writable_bytes(std::span(halves)));
    std::vector<double> reals;
    for (const Half half : halves) reals.push_back(std::abs(static_cast<double>(half)));
    CHECK(reals[77] == std::abs(draw(RandomStream(3, 1), kind, DType::f16, 77)));
    return reals;
  };
  CHECK(std::ranges::max(of_kind(ValueKind::uniform)) <= 1);
  CHECK(std::ranges::min(of_kind(ValueKind::wide)) < 0x1p-9);
  CHECK(std::ranges::max(of_kind(ValueKind::wide)) > 0x1p9);
  for (const double value : of_kind(ValueKind::huge)) {
    CHECK(value >= 128);
    CHECK(value <= 512);
  }
  CHECK(std::ranges::max(of_kind(ValueKind::denormal)) < 0x1p-14);
  CHECK(std::ranges::max(of_kind(ValueKind::denormal)) > 0);
}

TEST_CASE("whole numbers of 64 bits are compared to their last digit, within a tolerance") {
  const DType type = GENERATE(DType::i64, DType::u64);
  // The upper ones are negative as i64.
  const std::vector<std::uint64_t> truth{5, (std::uint64_t{1} << 62) + 1, ~std::uint64_t{0},
                                         std::uint64_t{1} << 63};
  ProblemSpec spec;
  spec.buffers = {{"out", type, truth.size(), BufferRole::out, Space::device}};
  const auto verdict = [&](std::uint64_t difference, const Tolerance& allowed) {
    std::vector<std::uint64_t> held = truth;
    held[1] += difference;
    return check_whole(
        spec, 0, truth, allowed, [&](std::size_t, std::uint64_t offset, std::span<std::byte> out) {
          std::memcpy(out.data(), std::as_bytes(std::span(held)).data() + offset, out.size());
        });
  };
  CHECK(verdict(0, {}).ok);
  const Verification wrong = verdict(1, {});
  CHECK_FALSE(wrong.ok);
  CHECK(wrong.worst_element == "out[1]");
  CHECK_THAT(wrong.reason, ContainsSubstring("1 of 4") && ContainsSubstring("± 0, off by 1"));
  CHECK(verdict(3, {0, 3}).ok);
  CHECK_FALSE(verdict(4, {0, 3}).ok);
  CHECK(verdict(4, {0x1p-60, 0}).ok);
  CHECK_FALSE(verdict(5, {0x1p-60, 0}).ok);
}

TEST_CASE("a reference keeps all digits of whole numbers of 64 bits") {
  const std::vector<std::uint64_t> whole{~std::uint64_t{0}};
  const std::vector<Half> halves{Half(1.5), Half(-2.0)};
  Reference reference;
  append_elements(reference, "w", DType::u64, std::as_bytes(std::span(whole)));
  append_elements(reference, "w", DType::u64, std::as_bytes(std::span(whole)));
  append_elements(reference, "h", DType::f16, std::as_bytes(std::span(halves)));
  CHECK(reference.indices.at("w") == std::vector<std::uint64_t>{whole[0], whole[0]});
  CHECK(reference.reals.at("h") == std::vector<double>{1.5, -2});
}

TEST_CASE("an element beyond its tolerance is found wherever it is") {
  const std::size_t place = GENERATE(0U, 1U, 299'999U);
  Output output(std::vector<float>(300'000, 2.0F));
  CHECK(output.check(2, 0).ok);
  CHECK(output.check(2, 0).checked == 300'000);
  output.held[place] = 2.5F;
  const Verification wrong = output.check(2, 0.1);
  CHECK_FALSE(wrong.ok);
  CHECK(wrong.worst_element == "out[" + std::to_string(place) + "]");
  CHECK(wrong.worst_error == 0.5);
  CHECK_THAT(wrong.reason, ContainsSubstring("1 of 300000"));
  CHECK(output.check(2, 0.6).ok);
}

TEST_CASE("no number is right where none is due, and wrong elsewhere") {
  const float nan = std::nanf("");
  Output output({nan, nan});
  CHECK(output.check(std::nan(""), 0).ok);
  const Verification unwritten = output.check(1, 100);
  CHECK_FALSE(unwritten.ok);
  CHECK(unwritten.not_a_number == 2);
  CHECK_THAT(unwritten.reason, ContainsSubstring("never written"));
  Output number({1.0F});
  CHECK_FALSE(number.check(std::nan(""), 10).ok);
  Output infinite({INFINITY});
  CHECK(infinite.check(INFINITY, 0).ok);
  CHECK_FALSE(infinite.check(-INFINITY, 1e300).ok);
  CHECK_FALSE(infinite.check(5, 1e30).ok);
}

TEST_CASE("outcomes of several outputs are merged into the worse one") {
  const Output good({1.0F});
  const Output bad({2.0F});
  const Verification both = merge(good.check(1, 0), bad.check(1, 0));
  CHECK_FALSE(both.ok);
  CHECK(both.checked == 2);
  CHECK(merge(good.check(1, 0), good.check(1, 0)).ok);
  CHECK_FALSE(merge(bad.check(1, 0), bad.check(1, 0)).ok);
}
