#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("access is right on cpu_avx") { check_catalogue("access", "cpu_avx"); }
TEST_CASE("access is right on opencl") { check_catalogue("access", "opencl"); }
TEST_CASE("access is right on cuda") { check_catalogue("access", "cuda"); }
TEST_CASE("access passes a simulator") { check_simulated("access"); }
