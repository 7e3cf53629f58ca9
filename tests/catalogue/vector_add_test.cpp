#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("vector_add is right on cpu_avx") { check_catalogue("vector_add", "cpu_avx"); }
TEST_CASE("vector_add is right on opencl") { check_catalogue("vector_add", "opencl"); }
TEST_CASE("vector_add is right on cuda") { check_catalogue("vector_add", "cuda"); }
TEST_CASE("vector_add passes a simulator") { check_simulated("vector_add"); }
