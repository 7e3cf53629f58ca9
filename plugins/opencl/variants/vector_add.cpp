// Variants of workload `vector_add`.
#include <benchctl/patterns/access_spec.hpp>

#include "cpu_tunables.hpp"
#include "table.hpp"

namespace benchctl::opencl {

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
  launch.source = std::string("vector_add_") + name + ".cl";
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

/// For CPUs: few groups of one work-item.
VariantInfo vector_add_cpu_streams() {
  LaunchSpec launch;
  const std::string grid = cpu_stream_groups("3 * n * sizeof(dtype)");
  launch.defines["WIDTH"] = "width";
  launch.defines["GRID"] = grid;
  // An ordinary store reads its line first; within the caches it is the other that goes a long way.
  launch.defines["STREAM"] =
      "store == 'streaming' or (store == 'auto' and 3 * n * sizeof(dtype) > min(last_level_cache, "
      "67108864))";
  VariantInfo info =
      variant("cpu_streams",
              "For CPUs: a stretch of the arrays per group of one work-item, stored past the "
              "caches if it is long; limited by memory bandwidth.",
              launch, "1");
  LaunchSpec& only = info.kernel->launches.front();
  only.grid = {grid, "1", "1"};
  only.block = {"1", "1", "1"};
  info.tunables = cpu_stream_tunables();
  info.tunables.push_back(
      {"store",
       std::string("auto"),
       "How c is written: through the caches or past them (where the compiler has such stores); auto: past "
       "them when the arrays exceed the last cache, or 64 MB.",
       {"store == 'auto' or store == 'cached' or store == 'streaming'"},
       {std::string("auto"), std::string("cached"), std::string("streaming")}});
  info.device_types = {DeviceType::cpu};
  info.access = {patterns::whole(AccessKind::read, "a"), patterns::whole(AccessKind::read, "b"),
                 patterns::whole(AccessKind::write, "c")};
  return info;
}

const Table::Registration vector_add_registration([] {
  return std::vector<Table::Entry>{
      {vector_add_plain()}, {vector_add_vectorized()}, {tiled()}, {vector_add_cpu_streams()}};
});

}  // namespace

}  // namespace benchctl::opencl
