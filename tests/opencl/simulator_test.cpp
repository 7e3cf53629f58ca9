// A kernel with a planted race: run under Oclgrind to prove that the simulator's findings reach ctest.
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("a planted data race", "[.planted_race]") {
  const TemporaryDirectory folder;
  const auto file = folder.write("race.cl",
                                 "__kernel void race(__global const REAL* A, __global const REAL* B,\n"
                                 "                   __global REAL* C, int m, int n, int k) {\n"
                                 "  C[0] = A[0] * get_global_id(0);\n"
                                 "}\n");
  const GpuLane lane = gpu_lanes({"opencl"}).front();
  const auto session = lane.open();
  MatmulProblem problem(*session, {1, 4, 1});
  problem.prepare_file(file, "race")->run(0);
}
