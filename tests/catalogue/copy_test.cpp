#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("copy is right on cpu_avx") { check_catalogue("copy", "cpu_avx"); }
TEST_CASE("copy is right on opencl") { check_catalogue("copy", "opencl"); }
TEST_CASE("copy is right on cuda") { check_catalogue("copy", "cuda"); }
TEST_CASE("copy passes a simulator") { check_simulated("copy"); }
