#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("peaks is right on cpu_avx") { check_catalogue("peaks", "cpu_avx"); }
TEST_CASE("peaks is right on opencl") { check_catalogue("peaks", "opencl"); }
TEST_CASE("peaks is right on cuda") { check_catalogue("peaks", "cuda"); }
TEST_CASE("peaks passes a simulator") { check_simulated("peaks"); }
