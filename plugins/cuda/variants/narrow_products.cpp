#include "variants/narrow_products.hpp"

namespace benchctl::cuda {

VariantInfo narrow_variant(const char* name, const char* doc, Narrow type) {
  const bool bf16 = type == Narrow::bf16;
  VariantInfo variant = gpu_variant("matmul", name, doc);
  variant.dtypes = {bf16 ? DType::bf16 : DType::f32};
  if (type != Narrow::three_tf32) variant.precision = bf16 ? "bf16" : "tf32";
  variant.compute_path = bf16 ? "mma_bf16" : "mma_tf32";
  return variant;
}

std::string element_size(Narrow type) { return type == Narrow::bf16 ? "2" : "4"; }

std::string elements_of(Narrow type, int bytes) {
  return std::to_string(bytes / (type == Narrow::bf16 ? 2 : 4));
}

void derive_repacking(KernelSpec& kernel, Narrow type, const std::string& unless) {
  const std::string pack = elements_of(type, 16);
  const std::string line = elements_of(type, 128);
  const auto odd = [&](const std::string& row) {
    return "if(" + unless + " or " + row + " % " + pack + " == 0, 0, 1)";
  };
  kernel.derived.insert(kernel.derived.end(),
                        {{"repack_a", odd("k")},
                         {"repack_b", odd("n")},
                         {"repacked", "max(repack_a, repack_b)"},
                         {"a_row", "if(repack_a == 1, ceil_div(k, " + line + ") * " + line + ", k)"}});
}

void add_repacking(KernelSpec& kernel, Narrow type, const std::string& a_copies) {
  const DType element = type == Narrow::bf16 ? DType::bf16 : DType::f32;
  const std::string pack = elements_of(type, 16);
  const std::string line = elements_of(type, 128);
  kernel.derived.insert(kernel.derived.end(),
                        {{"a_copies", a_copies},
                         {"packs", "min(a_copies, 1) * m * ceil_div(k, " + pack +
                                       ") + repack_b * k * ceil_div(n, " + pack + ")"}});
  LaunchSpec launch;
  launch.source = "repack_rows.cu";
  launch.entry = "repack_rows";
  launch.when = "repacked == 1";
  launch.defines = {{"SIZE", element_size(type)},
                    {"A_PARTS", "a_copies"},
                    {"A_UNIT", "if(repack_a == 1, " + line + ", 1)"},
                    {"HAS_B", "repack_b"}};
  launch.block = {"256", "1", "1"};
  // Few blocks begin sooner; where matrices do not fit the cache, many keep more of memory busy.
  launch.grid = {
      "if(packs * 16 <= 20971520, min(ceil_div(packs, 256), compute_units * 8), "
      "ceil_div(packs, 256))",
      "1", "1"};
  launch.arguments = {
      "A", "B", "if(a_copies > 0, 'rows_of_a', 'A')", "if(a_copies == 2, 'rest_of_a', 'A')", b_or_copy, "m",
      "n", "k"};
  kernel.launches.insert(kernel.launches.begin(), launch);
  // A buffer has 16 bytes at least.
  kernel.scratch.push_back({"rows_of_a", element, "if(a_copies > 0, m * a_row, 8)"});
  kernel.scratch.push_back(
      {"rows_of_b", element, "if(repack_b == 1, k * ceil_div(n, " + line + ") * " + line + ", 8)"});
}

}  // namespace benchctl::cuda
