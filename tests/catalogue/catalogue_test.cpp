// The sweeps over tunables take minutes where each point compiles a kernel: the label `full`.
#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

#define BENCHCTL_RIGHT_ON(workload, backend)                                      \
  TEST_CASE(workload " is right on " backend) { check_cases(workload, backend); } \
  TEST_CASE(workload " is right on " backend ", with every tunable", "[full]") {  \
    check_tunables(workload, backend);                                            \
  }
#define BENCHCTL_RIGHT_ON_GPUS(workload) \
  BENCHCTL_RIGHT_ON(workload, "opencl")  \
  BENCHCTL_RIGHT_ON(workload, "cuda")    \
  TEST_CASE(workload " passes a simulator") { check_simulated(workload); }
#define BENCHCTL_RIGHT_EVERYWHERE(workload) \
  BENCHCTL_RIGHT_ON(workload, "cpu_avx")    \
  BENCHCTL_RIGHT_ON_GPUS(workload)

BENCHCTL_RIGHT_EVERYWHERE("access")
BENCHCTL_RIGHT_ON_GPUS("bank_conflicts")
BENCHCTL_RIGHT_ON_GPUS("constant_broadcast")
BENCHCTL_RIGHT_EVERYWHERE("copy")
BENCHCTL_RIGHT_EVERYWHERE("latency")
BENCHCTL_RIGHT_ON("matmul", "cpu_avx")
BENCHCTL_RIGHT_ON("matmul", "opencl")
BENCHCTL_RIGHT_ON("matmul", "cuda")
BENCHCTL_RIGHT_EVERYWHERE("peaks")
BENCHCTL_RIGHT_EVERYWHERE("reduce")
BENCHCTL_RIGHT_ON_GPUS("shared_stride")
BENCHCTL_RIGHT_EVERYWHERE("spin")
BENCHCTL_RIGHT_ON_GPUS("transfer")
BENCHCTL_RIGHT_EVERYWHERE("transpose")
BENCHCTL_RIGHT_EVERYWHERE("vec3_map")
BENCHCTL_RIGHT_EVERYWHERE("vec3_norm2")
BENCHCTL_RIGHT_EVERYWHERE("vector_add")
