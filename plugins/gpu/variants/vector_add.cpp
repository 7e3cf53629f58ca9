// Variants of workload `vector_add`.
#include <benchctl/access_spec.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo variant(const Language& language, const char* name, const char* doc, LaunchSpec launch,
                    const std::string& width) {
  VariantInfo variant = variant_of("vector_add", name, doc, {DType::f32, DType::f64});
  variant.tunables = {block_tunable(language)};
  launch.source = std::string("vector_add_") + name;
  launch.entry = std::string("vector_add_") + name;
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block * " + width + ")", "1", "1"};
  launch.arguments = {"a", "b", "c", "n"};
  for (const char* operand : {"a", "b"}) {
    variant.access.push_back(patterns::pack(AccessKind::read, operand, "i", width));
  }
  variant.access.push_back(patterns::pack(AccessKind::write, "c", "i", width));
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo vector_add_plain(const Language& language) {
  return variant(language, "plain", "One element per work-item; limited by memory bandwidth.", {}, "1");
}

VariantInfo vector_add_vectorized(const Language& language) {
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  VariantInfo info = variant(language, "vectorized",
                             "`width` elements per work-item in one access; limited by memory bandwidth.",
                             launch, "width");
  info.tunables.push_back(width_tunable(language));
  return info;
}

VariantInfo tiled(const Language& language) {
  LaunchSpec launch;
  launch.defines["BLOCK"] = "block";
  launch.local_bytes = "2 * block * sizeof(dtype)";
  return variant(language, "tiled",
                 "Operands staged through local memory, where nothing is used twice: no help to expect.",
                 launch, "1");
}

}  // namespace

std::vector<VariantInfo> vector_add_variants(const Language& language) {
  return translated({vector_add_plain(language), vector_add_vectorized(language), tiled(language)},
                    language);
}

}  // namespace benchctl::gpu
