#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("latency is right on cpu_avx") { check_catalogue("latency", "cpu_avx"); }
TEST_CASE("latency is right on opencl") { check_catalogue("latency", "opencl"); }
TEST_CASE("latency is right on cuda") { check_catalogue("latency", "cuda"); }
TEST_CASE("latency passes a simulator") { check_simulated("latency"); }
