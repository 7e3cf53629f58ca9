// Every variant on the conformance kit's cases. What takes more than ten seconds on software has the label
// `full`, as have the kit itself (`plugin check`) and the sweeps over tunables.
#include "catalogue/catalogue.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::test;

#define BENCHCTL_RIGHT_ON_VULKAN(workload, tags) \
  TEST_CASE(workload " is right on vulkan", tags) { check_cases(workload, "vulkan"); }

BENCHCTL_RIGHT_ON_VULKAN("access", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("bank_conflicts", "")
BENCHCTL_RIGHT_ON_VULKAN("constant_broadcast", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("copy", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("latency", "")
BENCHCTL_RIGHT_ON_VULKAN("matmul", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("peaks", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("reduce", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("shared_stride", "")
BENCHCTL_RIGHT_ON_VULKAN("spin", "")
BENCHCTL_RIGHT_ON_VULKAN("transfer", "")
BENCHCTL_RIGHT_ON_VULKAN("transpose", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("vec3_map", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("vec3_norm2", "[full]")
BENCHCTL_RIGHT_ON_VULKAN("vector_add", "")
