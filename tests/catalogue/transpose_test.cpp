#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("transpose is right on cpu_avx") { check_catalogue("transpose", "cpu_avx"); }
TEST_CASE("transpose is right on opencl") { check_catalogue("transpose", "opencl"); }
TEST_CASE("transpose is right on cuda") { check_catalogue("transpose", "cuda"); }
TEST_CASE("transpose passes a simulator") { check_simulated("transpose"); }
