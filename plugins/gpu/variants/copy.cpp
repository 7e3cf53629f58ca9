// Variants of workload `copy`.
#include <benchctl/patterns/access_spec.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo copy_variant(const char* name, const char* doc) {
  VariantInfo variant;
  variant.workload = "copy";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch, const std::string& width) {
  VariantInfo variant = copy_variant(name, doc);
  variant.tunables = {{"block",
                       std::int64_t{256},
                       "Work-items per work-group.",
                       {"block >= 1"},
                       {std::int64_t{64}, std::int64_t{256}}}};
  launch.source = std::string("copy_") + name;
  launch.entry = std::string("copy_") + name;
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block * " + width + ")", "1", "1"};
  launch.arguments = {"in", "out", "n"};
  variant.access = {patterns::pack(AccessKind::read, "in", "i", width),
                    patterns::pack(AccessKind::write, "out", "i", width)};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo copy_plain() {
  return kernel_variant("plain", "One element per work-item; limited by memory bandwidth.", {}, "1");
}

VariantInfo copy_vectorized() {
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  VariantInfo variant = kernel_variant(
      "vectorized", "`width` elements per work-item as one vector; limited by memory bandwidth.", launch,
      "width");
  variant.tunables.push_back({"width",
                              std::int64_t{4},
                              "Elements of a vector.",
                              {"width == 2 or width == 4 or width == 8 or width == 16"},
                              {std::int64_t{2}, std::int64_t{4}, std::int64_t{16}}});
  return variant;
}

}  // namespace

std::vector<VariantInfo> copy_variants(const std::string& suffix) {
  return with_suffix({copy_plain(), copy_vectorized()}, suffix);
}

}  // namespace benchctl::gpu
