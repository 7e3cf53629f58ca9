// Variants of workload `reduce`.
#include "table.hpp"
#include "vendor/prepared_blas_reduce.hpp"

#ifdef BENCHCTL_CUDA_CUB
#include "vendor/prepared_reduce.hpp"
#endif

namespace benchctl::cuda {

namespace {

TunableInfo unroll_tunable() {
  return {"unroll",
          std::int64_t{4},
          "16-byte loads that a thread has in flight.",
          {"unroll >= 1", "unroll <= 16"},
          {std::int64_t{1}, std::int64_t{8}}};
}

constexpr const char* elements_of_a_pack = "16 / sizeof(dtype)";

/// In whole warps, joined by shuffles.
VariantInfo shuffled(const char* name, const char* doc, const std::string& elements, int most_threads) {
  VariantInfo info = gpu::reduce_resident(language(), name, doc, elements);
  info.tunables[0] = gpu::block_tunable(language());
  info.tunables[0].require.push_back("block <= " + std::to_string(most_threads));
  for (LaunchSpec& launch : info.kernel->launches) launch.local_bytes = "block / 32 * sizeof(dtype)";
  return info;
}

VariantInfo warp_shuffle() {
  VariantInfo info = shuffled("warp_shuffle",
                              "As grid_stride, joined by shuffles between registers; limited by memory "
                              "bandwidth with enough threads.",
                              "1", 1024);
  info.tunables[1].default_value = std::int64_t{8};
  return info;
}

/// Blocks of more than 512 threads would leave a thread too few registers for its loads in flight.
VariantInfo reduce_vectorized() {
  VariantInfo info = shuffled(
      "vectorized", "As warp_shuffle, 16-byte loads with several in flight; limited by memory bandwidth.",
      elements_of_a_pack, 512);
  info.tunables.push_back(unroll_tunable());
  for (LaunchSpec& launch : info.kernel->launches) {
    launch.defines["UNROLL"] = "unroll";
    launch.defines["NEAR"] = "0";
  }
  return info;
}

/// Up to 64 KB a single block of more threads, which waits for nobody. Up to 16 MB, but of norms,
/// one block per multiprocessor: more of them would be more to count. Beyond, a block's loads in flight lie
/// in one piece. Dot products and norms have less room for loads in registers.
VariantInfo single_pass() {
  VariantInfo info = shuffled(
      "single_pass",
      "As vectorized in one launch: the block that ends last joins the blocks' values, in their order.",
      elements_of_a_pack, 512);
  info.tunables.front().doc = "Threads per block; of a single one twice as many, up to 512.";
  info.tunables.push_back(unroll_tunable());
  TunableInfo& unroll = info.tunables.back();
  unroll.default_value = std::int64_t{0};
  unroll.doc =
      "16-byte loads that a thread has in flight. 0: 8, up to 4 MB and of dot products and norms 4.";
  unroll.require.front() = "unroll >= 0";
  info.kernel->derived = {
      {"bytes", "n * sizeof(dtype)"},
      {"threads", "if(bytes <= 65536, min(2 * block, 512), block)"},
      {"blocks",
       "if(bytes <= 65536, 1, min(compute_units * if(op != 'norm' and bytes <= 16777216, 1, "
       "blocks_per_unit), ceil_div(n, block * 16 / sizeof(dtype))))"}};
  info.kernel->launches.resize(1);
  LaunchSpec& only = info.kernel->launches.front();
  only.block[0] = only.defines["BLOCK"] = "threads";
  only.grid[0] = only.defines["GRID"] = "blocks";
  only.arguments = {"x", "y|x", "partial", "finished", "result", "n"};
  only.defines["UNROLL"] =
      "if(unroll > 0, unroll, if(op == 'dot' or op == 'norm' or bytes <= 4194304, 4, 8))";
  only.defines["NEAR"] = "bytes > 16777216";
  only.local_bytes = "threads / 32 * sizeof(dtype)";
  info.kernel->scratch = {{"partial", DType::f32, "blocks * sizeof(dtype) / 4"},
                          {"finished", DType::u32, "1"}};  // the kernel leaves it at zero
  info.access.clear();
  gpu::reduce_reads(info, elements_of_a_pack, "i", "ceil_div(n, blocks * threads * 16 / sizeof(dtype))");
  return info;
}

/// As CUDA has the variants that backends share.
void extend_reduction(VariantInfo& variant) {
  for (LaunchSpec& launch : variant.kernel->launches) {
    std::erase_if(launch.defines, [](const auto& define) { return define.first.starts_with("OP_IS_"); });
    launch.defines["OP"] = "op";
    if (launch.local_bytes == "block * sizeof(dtype)") {
      launch.defines["SHARED_DYNAMIC"] = "shared == 'dynamic'";
      launch.shared_bytes = "if(shared == 'dynamic', block * sizeof(dtype), 0)";
    }
  }
  if (variant.kernel->launches[0].defines.contains("SHARED_DYNAMIC")) {
    variant.tunables.push_back(
        {"shared",
         std::string("static"),
         "Where the size of the shared memory is given: in the kernel, or at launch.",
         {"shared == 'static' or shared == 'dynamic'"},
         {std::string("static"), std::string("dynamic")}});
  }
  if (variant.name == "single_block") variant.tunables[0].default_value = std::int64_t{1024};
  if (variant.name == "grid_stride") variant.tunables[1].default_value = std::int64_t{8};
  if (variant.name != "atomic") return;
  variant.doc = "One atomic update per element; limited by updates of one address.";
  variant.dtypes = {DType::f32, DType::f64};
  variant.kernel->launches[0].block[0] = "1";
  // Three sums of squares, or one value of the element type.
  variant.kernel->scratch = {{"total", DType::f64, "3"}};
  // Adding float32 in global memory flushes denormals to zero.
  variant.require = {"not (values == 'denormal' and dtype == 'f32' and (op == 'sum' or op == 'mean'))"};
}

VariantInfo vendor_blas() {
  VariantInfo info =
      gpu_variant("reduce", "vendor_blas", "cuBLAS's nrm2 and dot, the yardstick of these two operations.");
  info.dtypes = {DType::f32, DType::f64};
  // Its norm of a single denormal is zero; of infinities and NaNs together it is an infinity.
  info.require = {"op == 'norm' or op == 'dot'", "not (values == 'denormal' and op == 'norm')",
                  "not (values == 'special' and op == 'norm')"};
  info.vendor = true;
  return info;
}

std::unique_ptr<Prepared> make_vendor_blas(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedBlasReduce>(problem);
}

#ifdef BENCHCTL_CUDA_CUB
VariantInfo vendor() {
  VariantInfo info = gpu_variant("reduce", "vendor",
                                 "cub::DeviceReduce with the workload's own operators, the yardstick.");
  info.dtypes = {DType::f32, DType::f64};
  info.vendor = true;
  return info;
}

std::unique_ptr<Prepared> make_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedReduce>(problem);
}
#endif

const Table::Registration reduce_registration([] {
  std::vector<VariantInfo> variants = gpu::reduce_variants(language());
  for (VariantInfo& variant :
       gpu::translated({warp_shuffle(), reduce_vectorized(), single_pass()}, language())) {
    variants.push_back(std::move(variant));
  }
  for (VariantInfo& variant : variants) extend_reduction(variant);
  std::vector<Table::Entry> entries = Table::source_files(std::move(variants));
  entries.push_back({vendor_blas(), &make_vendor_blas});
#ifdef BENCHCTL_CUDA_CUB
  entries.push_back({vendor(), &make_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
