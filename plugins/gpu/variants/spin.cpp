// Variants of workload `spin`.
#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo spin_variant(const char* name, const std::string& doc) {
  VariantInfo variant = variant_of("spin", name, doc);
  variant.tunables = {{"stretch",
                       std::int64_t{0},
                       "Thousandths by which the duration is prolonged: a planted slowdown.",
                       {"stretch >= 0 and stretch <= 1000"},
                       {}}};
  LaunchSpec launch;
  launch.source = std::string("spin_") + name;
  launch.entry = std::string("spin_") + name;
  launch.defines = {{"STRETCH", "stretch"}};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo loop() {
  VariantInfo info = spin_variant(
      "loop",
      "One work-item takes `steps_per_us` dependent steps for each microsecond, for devices whose "
      "clock kernels cannot read: durations are correct up to a factor that has to be measured.");
  info.tunables.push_back({"steps_per_us",
                           std::int64_t{500},
                           "Steps per microsecond, each a multiplication and an addition.",
                           {"steps_per_us >= 1 and steps_per_us <= 1000000"},
                           {}});
  LaunchSpec& launch = info.kernel->launches[0];
  launch.defines["STEPS_PER_US"] = "steps_per_us";
  launch.arguments = {"token", "echo", "sink", "duration_ns"};
  info.kernel->scratch = {{"sink", DType::u32, "1", false}};
  return info;
}

}  // namespace

VariantInfo spin_clock(const std::string& clocks) {
  VariantInfo info = spin_variant("clock", "One work-item reads " + clocks + ", until the time is over.");
  info.device_types = {DeviceType::gpu};
  info.kernel->launches[0].arguments = {"token", "echo", "clock", "duration_ns"};
  return info;
}

std::vector<VariantInfo> spin_variants(const Language& language) { return translated({loop()}, language); }

}  // namespace benchctl::gpu
