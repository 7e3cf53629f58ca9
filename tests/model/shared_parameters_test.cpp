#include "model/shared_parameters.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;

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
