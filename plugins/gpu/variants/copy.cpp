// Variants of workload `copy`.
#include <benchctl/access_spec.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

/// Each work-item moves `packs` packs of `width` elements.
VariantInfo kernel_variant(const Language& language, const char* name, const char* doc, LaunchSpec launch,
                           const std::string& width, const std::string& packs) {
  VariantInfo variant = variant_of("copy", name, doc, {DType::f32, DType::f64});
  variant.tunables = {block_tunable(language)};
  launch.source = std::string("copy_") + name;
  launch.entry = std::string("copy_") + name;
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block * " + width + " * " + packs + ")", "1", "1"};
  launch.arguments = {"in", "out", "n"};
  const std::string pack = "(bx * block * " + packs + " + t)";
  variant.access = {patterns::pack(AccessKind::read, "in", pack, width, packs),
                    patterns::pack(AccessKind::write, "out", pack, width, packs)};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo copy_plain(const Language& language) {
  return kernel_variant(language, "plain", "One element per work-item; limited by memory bandwidth.", {},
                        "1", "1");
}

VariantInfo copy_vectorized(const Language& language) {
  const bool several = !language.vectors;
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  if (several) launch.defines["PACKS"] = "packs";
  VariantInfo variant = kernel_variant(
      language, "vectorized",
      several ? "`packs` times `width` elements per work-item, all under way at once; limited by memory "
                "bandwidth."
              : "`width` elements per work-item in one access; limited by memory bandwidth.",
      launch, "width", several ? "packs" : "1");
  variant.tunables.push_back(width_tunable(language));
  if (several) {
    variant.tunables.push_back({"packs",
                                std::int64_t{4},
                                "Accesses per work-item, a work-group apart.",
                                {"packs >= 1", "packs <= 16"},
                                {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}}});
  }
  return variant;
}

}  // namespace

std::vector<VariantInfo> copy_variants(const Language& language) {
  return translated({copy_plain(language), copy_vectorized(language)}, language);
}

}  // namespace benchctl::gpu
