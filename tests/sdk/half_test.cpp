// Numbers of 16 bits: rounding, the ends of their ranges, and every number there and back.
#include <benchctl/half.hpp>

#include <catch2/catch_template_test_macros.hpp>

#include "support/catch.hpp"

using namespace benchctl;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Number>
Number of_bits(std::uint32_t bits) {
  Number number;
  number.bits = static_cast<std::uint16_t>(bits);
  return number;
}

template <class Number>
double value(std::uint32_t bits) {
  return static_cast<double>(of_bits<Number>(bits));
}

}  // namespace

TEMPLATE_TEST_CASE("every number of 16 bits is the same there and back", "", Half, BFloat16) {
  double last = -1;
  for (std::uint32_t bits = 0; bits < 0x8000; ++bits) {
    const double number = value<TestType>(bits);
    if (std::isnan(number)) {
      REQUIRE(std::isnan(static_cast<double>(TestType(number))));
      continue;
    }
    REQUIRE(number > last);
    REQUIRE(TestType(number).bits == bits);
    REQUIRE(TestType(-number).bits == (bits | 0x8000U));
    REQUIRE(value<TestType>(bits | 0x8000U) == -number);
    // The middle between two goes to the even one, anything beside it to the nearer one.
    if (bits > 0 && number < infinity) {
      const double middle = last + (number - last) / 2;
      REQUIRE(TestType(middle).bits == (bits % 2 == 0 ? bits : bits - 1));
      REQUIRE(TestType(std::nextafter(middle, infinity)).bits == bits);
      REQUIRE(TestType(std::nextafter(middle, 0.0)).bits == bits - 1);
    }
    last = number;
  }
}

TEST_CASE("numbers of 16 bits have the ranges of their formats") {
  CHECK(value<Half>(0x3c00) == 1);
  CHECK(value<Half>(0x0001) == 0x1p-24);
  CHECK(value<Half>(0x0400) == 0x1p-14);
  CHECK(value<Half>(0x7bff) == 65504);
  CHECK(Half(65519.0).bits == 0x7bff);
  CHECK(Half(65520.0).bits == 0x7c00);
  CHECK(Half(-1e300).bits == 0xfc00);
  CHECK(Half(0x1p-25).bits == 0);
  CHECK(Half(-0.0).bits == 0x8000);
  CHECK(value<BFloat16>(0x3f80) == 1);
  CHECK(value<BFloat16>(0x0001) == 0x1p-133);
  CHECK(BFloat16(-2.5).bits == 0xc020);
  CHECK(BFloat16(1.0 + 0x1p-8).bits == 0x3f80);            // halfway to 1 + 2^-7: even is below
  CHECK(BFloat16(1.0 + 0x3p-8).bits == 0x3f82);            // halfway above an odd one
  CHECK(BFloat16(1.0 + 0x1p-8 + 0x1p-40).bits == 0x3f81);  // a float would have lost the last part
  CHECK(BFloat16(0x1.ffp127).bits == 0x7f80);
  CHECK(BFloat16(infinity).bits == 0x7f80);
}
