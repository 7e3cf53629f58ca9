#include "matmul.hpp"

namespace benchctl::cpu_avx {

namespace {

TunableInfo threads_tunable(std::int64_t default_value) {
  return {"threads",
          default_value,
          "threads, each on a core of its own; 0: all cores that the process may use",
          {"threads >= 0"}};
}

VariantInfo variant(const char* name, const char* doc, std::vector<TunableInfo> tunables) {
  VariantInfo info;
  info.workload = "matmul";
  info.name = name;
  info.doc = doc;
  info.tunables = std::move(tunables);
  info.dtypes = {DType::f32, DType::f64};
  info.device_types = {DeviceType::cpu};
  return info;
}

}  // namespace

std::vector<VariantInfo> matmul_variants() {
  std::vector<VariantInfo> table;
  table.push_back(
      variant("naive",
              "plain triple loop on one core; bound by the latency of dependent additions and of "
              "strided loads",
              {}));
  table.push_back(variant("naive_mt", "the plain triple loop with the rows of C divided among threads",
                          {threads_tunable(0)}));
  table.push_back(variant(
      "tiled",
      "cache blocks of tile × tile on one core, no vector instructions by hand; bound by arithmetic",
      {{"tile", std::int64_t{32}, "edge of the square blocks, in elements", {"tile >= 1"}}}));
  table.push_back(variant("avx2",
                          "packed panels and micro-tiles of C in 256-bit registers; bound by the FMA units",
                          {threads_tunable(1)}));
  table.back().features = {"avx2", "fma"};
  table.push_back(variant("avx512",
                          "packed panels and micro-tiles of C in 512-bit registers; bound by the FMA units",
                          {threads_tunable(1)}));
  table.back().features = {"avx512f"};
  table.push_back(variant("vendor", "OpenBLAS sgemm / dgemm, the yardstick", {threads_tunable(0)}));
  table.back().vendor = true;
  return table;
}

}  // namespace benchctl::cpu_avx
