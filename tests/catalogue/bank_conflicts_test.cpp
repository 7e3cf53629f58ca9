#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

TEST_CASE("bank_conflicts is right on opencl") { check_catalogue("bank_conflicts", "opencl"); }
TEST_CASE("bank_conflicts is right on cuda") { check_catalogue("bank_conflicts", "cuda"); }
TEST_CASE("bank_conflicts passes a simulator") { check_simulated("bank_conflicts"); }
