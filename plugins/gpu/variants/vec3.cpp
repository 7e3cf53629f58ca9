// Variants of workloads `vec3_map` and `vec3_norm2`.
#include "patterns/vec3.hpp"

#include "gpu/first_launch.hpp"
#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

/// vec3_map writes what it reads; vec3_norm2 writes one element per vector.
bool is_map(const VariantInfo& variant) { return variant.workload == "vec3_map"; }

VariantInfo variant(const Language& language, const char* workload, const char* name, const char* doc,
                    std::vector<std::string> layouts) {
  VariantInfo variant = variant_of(workload, name, doc, {DType::f32, DType::f64});
  variant.layouts = std::move(layouts);
  variant.tunables = {block_tunable(language)};
  LaunchSpec launch;
  launch.source = std::string(workload) + "_" + name;
  launch.entry = std::string(workload) + "_" + name;
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block)", "1", "1"};
  launch.arguments = {"in", "out"};
  if (is_map(variant)) launch.arguments.emplace_back("addend");
  launch.arguments.emplace_back("n");
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

void know_layouts(VariantInfo& variant) {
  LaunchSpec& launch = first_launch(variant);
  launch.arguments.emplace_back("plane");
  launch.defines["AOS12"] = "layout == 'aos12'";
  launch.defines["AOS16"] = "layout == 'aos16'";
  launch.defines["SOA"] = "layout == 'soa'";
}

VariantInfo scalar(const Language& language, const char* workload) {
  VariantInfo info =
      variant(language, workload, "scalar",
              "One vector per work-item, component by component as a struct's fields; limited "
              "by memory bandwidth, padding included.",
              {"aos12", "aos16", "soa"});
  know_layouts(info);
  first_launch(info).defines["REAL"] = "ctype(dtype)";
  first_launch(info).defines["USE_FP64"] = "dtype == 'f64'";
  info.access = patterns::vec3_scalar(is_map(info), info.layouts);
  return info;
}

VariantInfo vector(const Language& language, const char* workload) {
  VariantInfo info = variant(language, workload, "vector",
                             "One padded vector per work-item in one 16-byte access.", {"aos16"});
  info.dtypes = {DType::f32};
  info.access = patterns::vec3_vector(is_map(info));
  return info;
}

VariantInfo pair(const Language& language, const char* workload) {
  VariantInfo info = variant(language, workload, "pair",
                             "One padded vector per work-item in an 8-byte and a 4-byte access, as of a "
                             "struct aligned to 8 bytes.",
                             {"aos16"});
  info.dtypes = {DType::f32};
  info.access = patterns::vec3_pair(is_map(info));
  return info;
}

VariantInfo shared_staging(const Language& language, const char* workload) {
  VariantInfo info = variant(language, workload, "shared_staging",
                             "Words loaded as they lie into local memory and taken apart there; limited "
                             "by memory bandwidth.",
                             {"aos12"});
  info.tunables.push_back(
      {"width",
       std::int64_t{1},
       "Elements per global access; with their size at most 16 bytes.",
       {"width == 1 or width == 2 or width == 4", "width * sizeof(dtype) <= 16", "3 * block % width == 0"},
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}});
  LaunchSpec& launch = first_launch(info);
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.defines["BLOCK"] = "block";
  launch.defines["WIDTH"] = "width";
  launch.local_bytes = "3 * block * sizeof(dtype)";
  info.access = patterns::vec3_staged(is_map(info));
  return info;
}

VariantInfo quad(const Language& language, const char* workload) {
  VariantInfo info =
      variant(language, workload, "quad",
              "Four vectors per work-item in three 16-byte accesses; limited by memory bandwidth.",
              {"aos12", "soa"});
  info.dtypes = {DType::f32};
  know_layouts(info);
  first_launch(info).grid = {"ceil_div(n, 4 * block)", "1", "1"};
  info.access = patterns::vec3_quad(is_map(info));
  return info;
}

VariantInfo flat(const Language& language) {
  VariantInfo info =
      variant(language, "vec3_map", "flat",
              "16 bytes per work-item as they lie, whatever vector they belong to; limited by memory "
              "bandwidth, padding included.",
              {"aos12", "aos16", "soa"});
  know_layouts(info);
  LaunchSpec& launch = first_launch(info);
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.defines["WIDTH"] = "16 / sizeof(dtype)";
  launch.grid = {std::string("ceil_div(if(layout == 'aos12', 3 * n, if(layout == 'aos16', 4 * n, 3 * ") +
                     patterns::vec3_pitch + ")) * sizeof(dtype), 16 * block)",
                 "1", "1"};
  for (const AccessKind kind : {AccessKind::read, AccessKind::write}) {
    patterns::append(info.access, patterns::vec3_elements(kind));
  }
  return info;
}

}  // namespace

std::vector<VariantInfo> vec3_variants(const Language& language) {
  std::vector<VariantInfo> variants;
  for (const char* workload : {"vec3_map", "vec3_norm2"}) {
    for (const auto make : {scalar, vector, pair, shared_staging, quad})
      variants.push_back(make(language, workload));
  }
  variants.push_back(flat(language));
  return translated(std::move(variants), language);
}

}  // namespace benchctl::gpu
