#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("vec3_norm2 is right on cpu_avx") { check_catalogue("vec3_norm2", "cpu_avx"); }
TEST_CASE("vec3_norm2 is right on opencl") { check_catalogue("vec3_norm2", "opencl"); }
TEST_CASE("vec3_norm2 is right on cuda") { check_catalogue("vec3_norm2", "cuda"); }
TEST_CASE("vec3_norm2 passes a simulator") { check_simulated("vec3_norm2"); }
