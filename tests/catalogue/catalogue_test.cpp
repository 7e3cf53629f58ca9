// Where each point compiles a kernel, the sweeps over tunables take minutes, and so do the cases of four
// workloads: they have the label `full`. The conformance kit tries every variant on every value of these
// cases in its place.
#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

#define BENCHCTL_CASES(workload, backend, tags) \
  TEST_CASE(workload " is right on " backend, tags) { check_cases(workload, backend); }
#define BENCHCTL_TUNABLES(workload, backend)                                     \
  TEST_CASE(workload " is right on " backend ", with every tunable", "[full]") { \
    check_tunables(workload, backend);                                           \
  }
#define BENCHCTL_RIGHT_ON_CPU(workload)   \
  BENCHCTL_CASES(workload, "cpu_avx", "") \
  BENCHCTL_TUNABLES(workload, "cpu_avx")
#define BENCHCTL_RIGHT_ON_GPUS(workload, tags) \
  BENCHCTL_CASES(workload, "opencl", tags)     \
  BENCHCTL_TUNABLES(workload, "opencl")        \
  BENCHCTL_CASES(workload, "cuda", "")         \
  BENCHCTL_TUNABLES(workload, "cuda")
#define BENCHCTL_SIMULATED(workload) \
  TEST_CASE(workload " passes a simulator") { check_simulated(workload); }

BENCHCTL_RIGHT_ON_CPU("access")
BENCHCTL_RIGHT_ON_CPU("copy")
BENCHCTL_RIGHT_ON_CPU("latency")
BENCHCTL_RIGHT_ON_CPU("matmul")
BENCHCTL_RIGHT_ON_CPU("peaks")
BENCHCTL_RIGHT_ON_CPU("reduce")
BENCHCTL_RIGHT_ON_CPU("spin")
BENCHCTL_RIGHT_ON_CPU("transpose")
BENCHCTL_RIGHT_ON_CPU("vec3_map")
BENCHCTL_RIGHT_ON_CPU("vec3_norm2")
BENCHCTL_RIGHT_ON_CPU("vector_add")

BENCHCTL_RIGHT_ON_GPUS("access", "[full]")
BENCHCTL_RIGHT_ON_GPUS("bank_conflicts", "")
BENCHCTL_RIGHT_ON_GPUS("constant_broadcast", "")
BENCHCTL_RIGHT_ON_GPUS("copy", "")
BENCHCTL_RIGHT_ON_GPUS("latency", "")
BENCHCTL_RIGHT_ON_GPUS("matmul", "[full]")
BENCHCTL_RIGHT_ON_GPUS("peaks", "")
BENCHCTL_RIGHT_ON_GPUS("reduce", "[full]")
BENCHCTL_RIGHT_ON_GPUS("shared_stride", "")
BENCHCTL_RIGHT_ON_GPUS("spin", "")
BENCHCTL_RIGHT_ON_GPUS("transfer", "")
BENCHCTL_RIGHT_ON_GPUS("transpose", "[full]")
BENCHCTL_RIGHT_ON_GPUS("vec3_map", "")
BENCHCTL_RIGHT_ON_GPUS("vec3_norm2", "")
BENCHCTL_RIGHT_ON_GPUS("vector_add", "")

BENCHCTL_SIMULATED("access")
BENCHCTL_SIMULATED("bank_conflicts")
BENCHCTL_SIMULATED("constant_broadcast")
BENCHCTL_SIMULATED("copy")
BENCHCTL_SIMULATED("latency")
BENCHCTL_SIMULATED("peaks")
BENCHCTL_SIMULATED("reduce")
BENCHCTL_SIMULATED("shared_stride")
BENCHCTL_SIMULATED("spin")
BENCHCTL_SIMULATED("transfer")
BENCHCTL_SIMULATED("transpose")
BENCHCTL_SIMULATED("vec3_map")
BENCHCTL_SIMULATED("vec3_norm2")
BENCHCTL_SIMULATED("vector_add")
