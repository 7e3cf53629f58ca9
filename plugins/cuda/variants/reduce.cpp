// Variants of workload `reduce`.
#include <benchctl/patterns/access_spec.hpp>

#include "prepared_blas_reduce.hpp"
#include "table.hpp"

#ifdef BENCHCTL_CUDA_CUB
#include "prepared_reduce.hpp"
#endif

namespace benchctl::cuda {

namespace {

constexpr const char* threads_per_block = "Threads per block.";

TunableInfo any_block(std::int64_t default_value) {
  return {"block",
          default_value,
          threads_per_block,
          {"block >= 1", "block <= 1024"},
          {std::int64_t{16}, std::int64_t{1024}}};
}

TunableInfo whole_warps(std::int64_t most) {
  return {"block",
          std::int64_t{256},
          threads_per_block,
          {"block >= 32", "block <= " + std::to_string(most), "block % 32 == 0"},
          {most}};
}

TunableInfo shared_tunable() {
  return {"shared",
          std::string("static"),
          "Where the size of the shared memory is given: in the kernel, or at launch.",
          {"shared == 'static' or shared == 'dynamic'"},
          {std::string("static"), std::string("dynamic")}};
}

TunableInfo blocks_tunable(std::int64_t default_value) {
  return {"blocks_per_unit",
          default_value,
          "Blocks per multiprocessor.",
          {"blocks_per_unit >= 1", "blocks_per_unit <= 64"},
          {std::int64_t{2}, std::int64_t{16}}};
}

TunableInfo unroll_tunable() {
  return {"unroll",
          std::int64_t{4},
          "16-byte loads that a thread has in flight.",
          {"unroll >= 1", "unroll <= 16"},
          {std::int64_t{1}, std::int64_t{8}}};
}

/// As many blocks as the device is to hold, but none without an element to begin with.
std::string grid_of(const std::string& elements_per_thread) {
  return "min(compute_units * blocks_per_unit, ceil_div(n, block * " + elements_per_thread + "))";
}

constexpr const char* elements_of_a_pack = "16 / sizeof(dtype)";

LaunchSpec launch(const std::string& variant, const std::string& suffix, const std::string& grid,
                  std::vector<std::string> arguments) {
  LaunchSpec launch;
  launch.source = "reduce_" + variant + ".cu";
  launch.entry = "reduce_" + variant + suffix;
  launch.defines = {{"REAL", "ctype(dtype)"}, {"OP", "op"}, {"BLOCK", "block"}};
  launch.block = {"block", "1", "1"};
  launch.grid = {grid, "1", "1"};
  launch.arguments = std::move(arguments);
  return launch;
}

/// A thread's sum of squares in float32 stops growing where an element is less than half a digit of it:
/// after 2^24 elements, and loses accuracy before.
std::string squares_keep_growing(const std::string& elements, const std::string& threads) {
  return "op != 'norm' or " + elements + " <= 1048576 * " + threads;
}

void use_shared_tree(VariantInfo& variant) {
  variant.tunables.push_back(shared_tunable());
  for (LaunchSpec& launch : variant.kernel->launches) {
    launch.defines["SHARED_DYNAMIC"] = "shared == 'dynamic'";
    launch.local_bytes = "block * sizeof(dtype)";
    launch.shared_bytes = "if(shared == 'dynamic', block * sizeof(dtype), 0)";
  }
}

void use_shuffles(VariantInfo& variant) {
  for (LaunchSpec& launch : variant.kernel->launches) {
    launch.local_bytes = "block / 32 * sizeof(dtype)";
  }
}

void define(VariantInfo& variant, const char* macro, const std::string& expression) {
  for (LaunchSpec& launch : variant.kernel->launches) launch.defines[macro] = expression;
}

/// Thread i reads `elements` elements at place i of the inputs, `times` times.
void reads_inputs(VariantInfo& variant, const std::string& elements, const std::string& times,
                  std::size_t launch = 0) {
  for (const char* operand : {"x", "y"}) {
    AccessSpec access = patterns::pack(AccessKind::read, operand, "i", elements, times);
    if (operand[0] == 'y') access.active += " and op == 'dot'";
    access.launch = launch;
    variant.access.push_back(access);
  }
}

VariantInfo variant(const char* name, const char* doc, std::vector<TunableInfo> tunables,
                    std::vector<LaunchSpec> launches) {
  VariantInfo variant = gpu_variant("reduce", name, doc);
  variant.dtypes = {DType::f32, DType::f64};
  variant.architectures = all_architectures();
  variant.tunables = std::move(tunables);
  variant.kernel = KernelSpec{std::move(launches), {}};
  return variant;
}

VariantInfo racy() {
  LaunchSpec start = launch("racy", "_start", "1", {"result"});
  start.block = {"1", "1", "1"};
  VariantInfo info =
      variant("racy", "Every thread adds to one sum, unguarded: wrong, as a lesson.", {any_block(256)},
              {start, launch("racy", "", "ceil_div(n, block)", {"x", "result", "n"})});
  info.require = {"op == 'sum'"};
  info.wrong_on_purpose = true;
  reads_inputs(info, "1", "1", 1);
  return info;
}

VariantInfo atomic() {
  LaunchSpec start = launch("atomic", "_start", "1", {"total"});
  LaunchSpec finish = launch("atomic", "_finish", "1", {"total", "result", "n"});
  start.block = finish.block = {"1", "1", "1"};
  VariantInfo info = variant(
      "atomic", "One atomic update per element; limited by updates of one address.", {any_block(256)},
      {start, launch("atomic", "", "ceil_div(n, block)", {"x", "y|x", "total", "n"}), finish});
  // Three sums of squares, or one value of the element type.
  info.kernel->scratch = {{"total", DType::f64, "3"}};
  // Adding float32 in global memory flushes denormals to zero.
  info.require = {"not (values == 'denormal' and dtype == 'f32' and (op == 'sum' or op == 'mean'))"};
  reads_inputs(info, "1", "1", 1);
  return info;
}

VariantInfo single_block() {
  VariantInfo info =
      variant("single_block",
              "One block, a tree through shared memory; limited by what one multiprocessor can load.",
              {any_block(1024)}, {launch("single_block", "", "1", {"x", "y|x", "result", "n"})});
  info.require = {squares_keep_growing("n", "block")};
  use_shared_tree(info);
  reads_inputs(info, "1", "ceil_div(n, block)");
  return info;
}

VariantInfo two_kernel() {
  VariantInfo info = variant(
      "two_kernel", "One element per thread, one partial value per block, a second launch for those.",
      {any_block(256)},
      {launch("two_kernel", "", "ceil_div(n, block)", {"x", "y|x", "partial", "n"}),
       launch("two_kernel", "_finish", "1", {"partial", "result", "n"})});
  info.require = {squares_keep_growing("ceil_div(n, block)", "block")};
  use_shared_tree(info);
  info.kernel->scratch = {{"partial", DType::f64, "ceil_div(ceil_div(n, block), 8 / sizeof(dtype))"}};
  reads_inputs(info, "1", "1");
  return info;
}

/// Of as many blocks as fit the device; partial values of the blocks.
VariantInfo resident(const char* name, const char* doc, TunableInfo block, std::int64_t blocks_per_unit,
                     const std::string& elements) {
  const std::string grid = grid_of(elements);
  VariantInfo info = variant(name, doc, {std::move(block), blocks_tunable(blocks_per_unit)},
                             {launch(name, "", grid, {"x", "y|x", "partial", "n"}),
                              launch(name, "_finish", "1", {"partial", "result", "n"})});
  info.require = {squares_keep_growing("n", "block * compute_units * blocks_per_unit")};
  define(info, "GRID", grid);
  // float64 to have room for either type.
  info.kernel->scratch = {{"partial", DType::f64, grid}};
  reads_inputs(info, elements, "ceil_div(n, " + grid + " * block * " + elements + ")");
  return info;
}

VariantInfo grid_stride() {
  VariantInfo info = resident("grid_stride",
                              "Each thread takes many elements, then one tree per block; limited by memory "
                              "bandwidth with enough threads.",
                              any_block(256), 8, "1");
  use_shared_tree(info);
  return info;
}

VariantInfo warp_shuffle() {
  VariantInfo info = resident("warp_shuffle",
                              "As grid_stride, joined by shuffles between registers; limited by memory "
                              "bandwidth with enough threads.",
                              whole_warps(1024), 8, "1");
  use_shuffles(info);
  return info;
}

/// Blocks of more than 512 threads would leave a thread too few registers for its loads in flight.
VariantInfo reduce_vectorized() {
  VariantInfo info = resident(
      "vectorized", "As warp_shuffle, 16-byte loads with several in flight; limited by memory bandwidth.",
      whole_warps(512), 4, elements_of_a_pack);
  info.tunables.push_back(unroll_tunable());
  define(info, "UNROLL", "unroll");
  define(info, "NEAR", "0");
  use_shuffles(info);
  return info;
}

/// Up to 64 KB a single block of more threads, which waits for nobody. Up to 16 MB, but of norms,
/// one block per multiprocessor: more of them would be more to count. Beyond, a block's loads in flight lie
/// in one piece. Dot products and norms have less room for loads in registers.
VariantInfo single_pass() {
  VariantInfo info = resident(
      "single_pass",
      "As vectorized in one launch: the block that ends last joins the blocks' values, in their order.",
      whole_warps(512), 4, elements_of_a_pack);
  TunableInfo unroll = unroll_tunable();
  unroll.default_value = std::int64_t{0};
  unroll.doc =
      "16-byte loads that a thread has in flight. 0: 8, up to 4 MB and of dot products and norms 4.";
  unroll.require.front() = "unroll >= 0";
  info.tunables.push_back(unroll);
  info.tunables.front().doc = "Threads per block; of a single one twice as many, up to 512.";
  const std::string single = "n * sizeof(dtype) <= 65536";
  const std::string threads = "if(" + single + ", min(2 * block, 512), block)";
  const std::string grid = "if(" + single +
                           ", 1, min(compute_units * if(op != 'norm' and n * sizeof(dtype) <= "
                           "16777216, 1, blocks_per_unit), ceil_div(n, block * 16 / sizeof(dtype))))";
  LaunchSpec& only = info.kernel->launches.front();
  only.block = {threads, "1", "1"};
  only.grid = {grid, "1", "1"};
  only.arguments = {"x", "y|x", "partial", "finished", "result", "n"};
  info.kernel->launches.resize(1);
  define(info, "BLOCK", threads);
  define(info, "GRID", grid);
  info.kernel->scratch = {{"partial", DType::f64, grid}};
  info.access.clear();
  reads_inputs(info, elements_of_a_pack,
               "ceil_div(n, " + grid + " * " + threads + " * 16 / sizeof(dtype))");
  info.kernel->scratch.push_back({"finished", DType::u32, "1"});  // the kernel leaves it at zero
  define(info, "UNROLL",
         "if(unroll > 0, unroll, if(op == 'dot' or op == 'norm' or n * sizeof(dtype) <= 4194304, 4, 8))");
  define(info, "NEAR", "n * sizeof(dtype) > 16777216");
  only.local_bytes = threads + " / 32 * sizeof(dtype)";
  return info;
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
  std::vector<Table::Entry> entries{
      {racy()},        {atomic()},       {single_block()},      {two_kernel()},
      {grid_stride()}, {warp_shuffle()}, {reduce_vectorized()}, {single_pass()}};
  entries.push_back({vendor_blas(), &make_vendor_blas});
#ifdef BENCHCTL_CUDA_CUB
  entries.push_back({vendor(), &make_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
