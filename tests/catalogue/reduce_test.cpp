#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("reduce is right on cpu_avx") { check_catalogue("reduce", "cpu_avx"); }
TEST_CASE("reduce is right on opencl") { check_catalogue("reduce", "opencl"); }
TEST_CASE("reduce is right on cuda") { check_catalogue("reduce", "cuda"); }
TEST_CASE("reduce passes a simulator") { check_simulated("reduce"); }
