// Variant of workload `shared_stride`.
#include "patterns/shared_stride.hpp"

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo rows(const Language& language) {
  VariantInfo variant =
      variant_of("shared_stride", "rows",
                 "Neighbours read words that are stride + padding apart; limited by local memory, where an "
                 "n-way conflict costs n times.");
  variant.tunables = {{"stride",
                       std::int64_t{1},
                       "Words from a thread's row to its neighbour's.",
                       {"stride >= 1", "stride <= 32"},
                       {std::int64_t{1}, std::int64_t{2}, std::int64_t{7}, std::int64_t{32}}},
                      {"padding",
                       std::int64_t{0},
                       "Words more from row to row, which nothing is in.",
                       {"padding >= 0", "padding <= 8", "(stride + padding) * 1024 <= 48 * 1024"},
                       {std::int64_t{0}, std::int64_t{1}}},
                      {"word",
                       std::int64_t{4},
                       "Bytes that a work-item reads at once.",
                       {"word == 4 or word == 8 or word == 16"},
                       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}},
                      block_tunable(language)};
  variant.tunables.back().require = {"block >= 32", "block % 32 == 0"};
  variant.tunables.back().values = {std::int64_t{128}, std::int64_t{256}, std::int64_t{1024}};
  LaunchSpec launch;
  launch.source = "shared_stride";
  launch.entry = "shared_stride";
  launch.defines = {{"STRIDE", "stride"}, {"PADDING", "padding"}, {"WORD", "word"}, {"BLOCK", "block"}};
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block)", "1", "1"};
  // 32 rows of 32 bytes, spread.
  launch.local_bytes = "1024 * (stride + padding)";
  launch.arguments = {"table", "out", "n", "rounds"};
  variant.access = patterns::shared_rows();
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

}  // namespace

std::vector<VariantInfo> shared_stride_variants(const Language& language) {
  return translated({rows(language)}, language);
}

}  // namespace benchctl::gpu
