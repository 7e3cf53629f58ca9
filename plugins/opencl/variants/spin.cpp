// Variants of workload `spin`.
#include "table.hpp"

namespace benchctl::opencl {

namespace {

VariantInfo spin_variant(const char* name, const char* doc) {
  VariantInfo variant;
  variant.workload = "spin";
  variant.name = name;
  variant.doc = doc;
  variant.tunables = {{"stretch",
                       std::int64_t{0},
                       "Thousandths by which the duration is prolonged: a planted slowdown.",
                       {"stretch >= 0 and stretch <= 1000"},
                       {}}};
  LaunchSpec launch;
  launch.source = std::string("spin_") + name + ".cl";
  launch.entry = std::string("spin_") + name;
  launch.defines = {{"STRETCH", "stretch"}};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo clock() {
  VariantInfo info = spin_variant(
      "clock",
      "One work-item reads the GPU's nanosecond timer, and its cycle counter between the timer's "
      "steps, until the time is over.");
  info.device_types = {DeviceType::gpu};
  // Only a compiler that goes by way of PTX knows these clocks; this extension comes with it.
  info.features = {"cl_nv_compiler_options"};
  info.kernel->launches[0].arguments = {"token", "echo", "clock", "duration_ns"};
  return info;
}

VariantInfo loop() {
  VariantInfo info = spin_variant(
      "loop",
      "One work-item takes `steps_per_us` dependent steps for each microsecond, for devices whose "
      "clock kernels cannot read: durations are true to a factor that has to be measured.");
  info.tunables.push_back({"steps_per_us",
                           std::int64_t{500},
                           "Steps, each a multiplication and an addition, that stand for a microsecond.",
                           {"steps_per_us >= 1 and steps_per_us <= 1000000"},
                           {}});
  LaunchSpec& launch = info.kernel->launches[0];
  launch.defines["STEPS_PER_US"] = "steps_per_us";
  launch.arguments = {"token", "echo", "sink", "duration_ns"};
  info.kernel->scratch = {{"sink", DType::u32, "1", false}};
  return info;
}

const Table::Registration spin_registration([] { return std::vector<Table::Entry>{{clock()}, {loop()}}; });

}  // namespace

}  // namespace benchctl::opencl
