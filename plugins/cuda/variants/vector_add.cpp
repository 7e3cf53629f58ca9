// Variants of workload `vector_add`.
#include <benchctl/patterns/access_spec.hpp>

#include "table.hpp"

namespace benchctl::cuda {

namespace {

TunableInfo vector_add_block() {
  return {"block",
          std::int64_t{256},
          "Threads per block.",
          {"block >= 32", "block % 32 == 0"},
          {std::int64_t{128}, std::int64_t{256}, std::int64_t{1024}}};
}

VariantInfo variant(const char* name, const char* doc, LaunchSpec launch, const std::string& width) {
  VariantInfo variant = gpu_variant("vector_add", name, doc);
  variant.dtypes = {DType::f32, DType::f64};
  variant.architectures = all_architectures();
  variant.tunables = {vector_add_block()};
  launch.source = std::string("vector_add_") + name + ".cu";
  launch.entry = std::string("vector_add_") + name;
  launch.defines["REAL"] = "ctype(dtype)";
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
  return variant("plain", "One element per thread; limited by memory bandwidth.", {}, "1");
}

VariantInfo vector_add_vectorized() {
  LaunchSpec launch;
  launch.defines["WIDTH"] = "width";
  VariantInfo info =
      variant("vectorized", "`width` elements per thread in one access; limited by memory bandwidth.",
              launch, "width");
  info.tunables.push_back({"width",
                           std::int64_t{2},
                           "Elements per access; with their size at most 16 bytes.",
                           {"width == 1 or width == 2 or width == 4", "width * sizeof(dtype) <= 16"},
                           {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}});
  return info;
}

VariantInfo tiled() {
  LaunchSpec launch;
  launch.defines["BLOCK"] = "block";
  launch.local_bytes = "2 * block * sizeof(dtype)";
  return variant("tiled",
                 "Operands staged through shared memory, where nothing is used twice: no help to expect.",
                 launch, "1");
}

const Table::Registration vector_add_registration([] {
  return std::vector<Table::Entry>{{vector_add_plain()}, {vector_add_vectorized()}, {tiled()}};
});

}  // namespace

}  // namespace benchctl::cuda
