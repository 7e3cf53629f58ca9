#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("shared_stride is right on opencl") { check_catalogue("shared_stride", "opencl"); }
TEST_CASE("shared_stride is right on cuda") { check_catalogue("shared_stride", "cuda"); }
TEST_CASE("shared_stride passes a simulator") { check_simulated("shared_stride"); }
