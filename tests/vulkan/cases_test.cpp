// Every variant on the conformance kit's cases. The kit itself (`plugin check`) and the sweeps over
// tunables take minutes on software: they have the label `full`.
#include "catalogue/catalogue.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::test;

#define BENCHCTL_RIGHT_ON_VULKAN(workload, tags) \
  TEST_CASE(workload " is right on vulkan", tags) { check_cases(workload, "vulkan"); }

BENCHCTL_RIGHT_ON_VULKAN("access", "")
BENCHCTL_RIGHT_ON_VULKAN("bank_conflicts", "")
BENCHCTL_RIGHT_ON_VULKAN("constant_broadcast", "")
BENCHCTL_RIGHT_ON_VULKAN("copy", "")
BENCHCTL_RIGHT_ON_VULKAN("latency", "")
BENCHCTL_RIGHT_ON_VULKAN("matmul", "")
BENCHCTL_RIGHT_ON_VULKAN("peaks", "")
BENCHCTL_RIGHT_ON_VULKAN("reduce", "")
BENCHCTL_RIGHT_ON_VULKAN("shared_stride", "")
BENCHCTL_RIGHT_ON_VULKAN("spin", "")
BENCHCTL_RIGHT_ON_VULKAN("transfer", "")
BENCHCTL_RIGHT_ON_VULKAN("transpose", "")
BENCHCTL_RIGHT_ON_VULKAN("vec3_map", "")
BENCHCTL_RIGHT_ON_VULKAN("vec3_norm2", "")
BENCHCTL_RIGHT_ON_VULKAN("vector_add", "")
