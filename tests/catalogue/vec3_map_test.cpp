#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("vec3_map is right on cpu_avx") { check_catalogue("vec3_map", "cpu_avx"); }
TEST_CASE("vec3_map is right on opencl") { check_catalogue("vec3_map", "opencl"); }
TEST_CASE("vec3_map is right on cuda") { check_catalogue("vec3_map", "cuda"); }
TEST_CASE("vec3_map passes a simulator") { check_simulated("vec3_map"); }
