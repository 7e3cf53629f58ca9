#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("transfer is right on opencl") { check_catalogue("transfer", "opencl"); }
TEST_CASE("transfer is right on cuda") { check_catalogue("transfer", "cuda"); }
TEST_CASE("transfer passes a simulator") { check_simulated("transfer"); }
