#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("spin is right on cpu_avx") { check_catalogue("spin", "cpu_avx"); }
TEST_CASE("spin is right on opencl") { check_catalogue("spin", "opencl"); }
TEST_CASE("spin is right on cuda") { check_catalogue("spin", "cuda"); }
TEST_CASE("spin passes a simulator") { check_simulated("spin"); }
