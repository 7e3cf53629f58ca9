// Variants of workload `vector_add`.
#include <benchctl/access_spec.hpp>

#include "table.hpp"
#include "variants/cpu_tunables.hpp"

namespace benchctl::opencl {

namespace {

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
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.source = "vector_add_cpu_streams.cl";
  launch.entry = "vector_add_cpu_streams";
  launch.grid = {grid, "1", "1"};
  launch.arguments = {"a", "b", "c", "n"};
  VariantInfo info;
  info.workload = "vector_add";
  info.name = "cpu_streams";
  info.doc =
      "For CPUs: a stretch of the arrays per group of one work-item, stored past the caches if it is long; "
      "limited by memory bandwidth.";
  info.dtypes = {DType::f32, DType::f64};
  info.kernel = KernelSpec{{launch}, {}};
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
  std::vector<Table::Entry> entries = Table::source_files(gpu::vector_add_variants(language()));
  entries.push_back({vector_add_cpu_streams()});
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
