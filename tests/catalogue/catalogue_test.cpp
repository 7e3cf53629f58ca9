// One line per workload; backends are those of the plugins that are loaded. The conformance kit tries every
// variant on every value of these cases, too.
#include <catch2/catch_test_macros.hpp>

#include "catalogue/catalogue.hpp"

using namespace benchctl::test;

namespace {

std::vector<std::string>& in_catalogue() {
  static std::vector<std::string> names;
  return names;
}

struct Entered {
  explicit Entered(const char* workload) { in_catalogue().emplace_back(workload); }
};

}  // namespace

#define BENCHCTL_RIGHT(name, workload, slow)                                                              \
  const Entered entered_##name(workload);                                                                 \
  TEST_CASE(workload " is right") { check_cases(workload, slow, false); }                                 \
  TEST_CASE(workload " is right where it takes minutes", "[full]") { check_cases(workload, slow, true); } \
  TEST_CASE(workload " is right with every tunable", "[full]") { check_tunables(workload); }              \
  TEST_CASE(workload " passes a simulator") { check_simulated(workload); }
#define BENCHCTL_CATALOGUE(name, slow) BENCHCTL_RIGHT(name, #name, slow)

BENCHCTL_CATALOGUE(access, Slow::when_compiled)
BENCHCTL_CATALOGUE(bank_conflicts, Slow::nowhere)
BENCHCTL_CATALOGUE(constant_broadcast, Slow::on_software)
BENCHCTL_CATALOGUE(copy, Slow::on_software)
BENCHCTL_CATALOGUE(latency, Slow::nowhere)
BENCHCTL_CATALOGUE(matmul, Slow::when_compiled)
BENCHCTL_CATALOGUE(peaks, Slow::on_software)
BENCHCTL_CATALOGUE(reduce, Slow::when_compiled)
BENCHCTL_CATALOGUE(shared_stride, Slow::nowhere)
BENCHCTL_CATALOGUE(spin, Slow::nowhere)
BENCHCTL_CATALOGUE(transfer, Slow::nowhere)
BENCHCTL_CATALOGUE(transpose, Slow::when_compiled)
BENCHCTL_CATALOGUE(vec3_map, Slow::on_software)
BENCHCTL_CATALOGUE(vec3_norm2, Slow::on_software)
BENCHCTL_CATALOGUE(vector_add, Slow::nowhere)

TEST_CASE("every workload has a line in the catalogue") { CHECK(in_catalogue() == all_workloads()); }
