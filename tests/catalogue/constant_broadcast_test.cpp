#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("constant_broadcast is right on opencl") { check_catalogue("constant_broadcast", "opencl"); }
TEST_CASE("constant_broadcast is right on cuda") { check_catalogue("constant_broadcast", "cuda"); }
TEST_CASE("constant_broadcast passes a simulator") { check_simulated("constant_broadcast"); }
