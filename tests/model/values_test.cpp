#include "model/values.hpp"
#include "support/catch.hpp"

using namespace benchctl;

TEST_CASE("other texts and parameters are another key, whatever characters they have") {
  CHECK(KeyText().add("a|b").add("c").take() != KeyText().add("a").add("b|c").take());
  CHECK(KeyText().add("a").add("").take() != KeyText().add("").add("a").take());
  CHECK(KeyText().add("1:a").take() != KeyText().add("").add("1:a").take());
  CHECK(KeyText().add("a").add("b").take() == KeyText().add("a").add("b").take());
  const auto key = [](const Parameters& parameters, const char* after = "") {
    return KeyText().add(parameters).add(after).take();
  };
  CHECK(key({{"a", "x b=y"}, {"b", "z"}}) != key({{"a", "x"}, {"b", "y b=z"}}));
  CHECK(key({{"a", "x"}}, "y") != key({{"a", "xy"}}));
  CHECK(key({{"a", std::int64_t{1}}}) == key({{"a", std::int64_t{1}}}));
}

TEST_CASE("a real is a whole number of a type if it is one and fits") {
  CHECK(whole_in(DType::i8, -128) == -128);
  CHECK_FALSE(whole_in(DType::i8, -129));
  CHECK_FALSE(whole_in(DType::u64, 0.5));
  CHECK(whole_in(DType::u64, 0x1p62) == std::int64_t{1} << 62);
  for (const double beyond : {0x1p63, 1e300, -1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()})
    CHECK_FALSE(whole_in(DType::i64, beyond));
  CHECK_FALSE(whole_in(DType::f32, 1));
}

TEST_CASE("a copy of parameters is the same object until one of them changes") {
  SharedParameters one{{"n", std::int64_t{4}}, {"dtype", "f32"}};
  const SharedParameters other = one;
  CHECK(&one.get() == &other.get());
  one.set("n", std::int64_t{4});
  CHECK(&one.get() == &other.get());
  one.set("n", 4.0);
  CHECK(one.at("n") == Value{4.0});
  CHECK(other.at("n") == Value{std::int64_t{4}});
  CHECK(one != other);
  CHECK(other == SharedParameters{{"n", std::int64_t{4}}, {"dtype", "f32"}});
  CHECK(SharedParameters{{"n", std::int64_t{4}}} < SharedParameters{{"n", std::int64_t{5}}});
  CHECK(SharedParameters() == SharedParameters(Parameters{}));
  CHECK(SharedParameters().empty());
}
