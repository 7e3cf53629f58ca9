#include "model/values.hpp"
#include "support/catch.hpp"

using namespace benchctl;

TEST_CASE("other texts are another key, whatever characters they have") {
  CHECK(KeyText().add("a|b").add("c").take() != KeyText().add("a").add("b|c").take());
  CHECK(KeyText().add("a").add("").take() != KeyText().add("").add("a").take());
  CHECK(KeyText().add("1:a").take() != KeyText().add("").add("1:a").take());
  CHECK(KeyText().add("a").add("b").take() == KeyText().add("a").add("b").take());
}

TEST_CASE("other parameters are another key") {
  const auto key = [](const Parameters& parameters, const char* after = "") {
    return KeyText().add(parameters).add(after).take();
  };
  CHECK(key({{"a", "x b=y"}, {"b", "z"}}) != key({{"a", "x"}, {"b", "y b=z"}}));
  CHECK(key({{"a", "x"}}, "y") != key({{"a", "xy"}}));
  CHECK(key({{"a", std::int64_t{1}}}) == key({{"a", std::int64_t{1}}}));
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
}

TEST_CASE("parameters that were made apart are compared by their values") {
  const SharedParameters one{{"n", std::int64_t{4}}};
  CHECK(one == SharedParameters{{"n", std::int64_t{4}}});
  CHECK(one < SharedParameters{{"n", std::int64_t{5}}});
  CHECK(SharedParameters() == SharedParameters(Parameters{}));
  CHECK(SharedParameters().empty());
}
