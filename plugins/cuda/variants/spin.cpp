#include "table.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo clock() {
  VariantInfo variant =
      gpu_variant("spin", "clock",
                  "One thread reads the GPU's nanosecond timer, and its cycle counter between the timer's "
                  "steps, until the time is over.");
  variant.architectures = all_architectures();
  variant.tunables = {{"stretch",
                       std::int64_t{0},
                       "Thousandths by which the duration is prolonged: a planted slowdown.",
                       {"stretch >= 0 and stretch <= 1000"},
                       {}}};
  LaunchSpec launch;
  launch.source = "spin_clock.cu";
  launch.entry = "spin_clock";
  launch.defines = {{"STRETCH", "stretch"}};
  launch.arguments = {"token", "echo", "clock", "duration_ns"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

const Table::Registration spin_registration([] { return std::vector<Table::Entry>{{clock()}}; });

}  // namespace

}  // namespace benchctl::cuda
