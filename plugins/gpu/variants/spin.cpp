// Variants of workload `spin`.
#include "gpu/variants.hpp"

namespace benchctl::gpu {

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
  launch.source = std::string("spin_") + name;
  launch.entry = std::string("spin_") + name;
  launch.defines = {{"STRETCH", "stretch"}};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

namespace {

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

}  // namespace

std::vector<VariantInfo> spin_variants(const std::string& suffix) { return with_suffix({loop()}, suffix); }

}  // namespace benchctl::gpu
