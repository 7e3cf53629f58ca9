#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("matmul is right on cuda") { check_catalogue("matmul", "cuda"); }
TEST_CASE("matmul is right on cpu_avx") { check_catalogue("matmul", "cpu_avx"); }
TEST_CASE("matmul is right on opencl") { check_catalogue("matmul", "opencl"); }
