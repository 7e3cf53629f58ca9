// Variants of workload `vector_add`.
#include <benchctl/patterns/access_spec.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo variant(const char* name, const char* doc, LaunchSpec launch, const std::string& width) {
  VariantInfo variant;
  variant.workload = "vector_add";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  variant.tunables = {{"block",
                       std::int64_t{256},
                       "Work-items per work-group.",
                       {"block >= 1"},
                       {std::int64_t{64}, std::int64_t{256}}}};
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

VariantInfo vector_add_plain() {
  return variant("plain", "One element per work-item; limited by memory bandwidth.", {}, "1");
}

VariantInfo vector_add_vectorized() {
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  VariantInfo info =
      variant("vectorized", "`width` elements per work-item as one vector; limited by memory bandwidth.",
              launch, "width");
  info.tunables.push_back({"width",
                           std::int64_t{4},
                           "Elements of a vector.",
                           {"width == 2 or width == 4 or width == 8 or width == 16"},
                           {std::int64_t{2}, std::int64_t{4}, std::int64_t{16}}});
  return info;
}

VariantInfo tiled() {
  LaunchSpec launch;
  launch.defines["BLOCK"] = "block";
  launch.local_bytes = "2 * block * sizeof(dtype)";
  return variant("tiled",
                 "Operands staged through local memory, where nothing is used twice: no help to expect.",
                 launch, "1");
}

}  // namespace

std::vector<VariantInfo> vector_add_variants(const std::string& suffix) {
  return with_suffix({vector_add_plain(), vector_add_vectorized(), tiled()}, suffix);
}

}  // namespace benchctl::gpu
