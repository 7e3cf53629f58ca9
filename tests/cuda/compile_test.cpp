// What the variant table claims, and how compiling fails, without a GPU. spills_test.cpp compiles all
// kernels.
#include <catch2/catch_test_macros.hpp>

#include "claimed_plans.hpp"
#include "plugin_under_test.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <array>
#include <vector>

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string all_bytes_under(const std::filesystem::path& folder) {
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += file_bytes(entry.path());
  return bytes;
}

}  // namespace

TEST_CASE("the variant table names the three ways to multiply", "[cuda]") {
  Backend& backend = cuda_backend();
  CHECK(matmul_variant(backend, "naive").kernel.has_value());
  CHECK(matmul_variant(backend, "tiled").kernel.has_value());
  CHECK_FALSE(matmul_variant(backend, "vendor").kernel.has_value());
  CHECK(matmul_variant(backend, "vendor").vendor);
}

TEST_CASE("every source-file variant claims an architecture", "[cuda]") {
  for (const VariantInfo& variant : cuda_backend().variants()) {
    if (!variant.kernel) continue;
    INFO(variant.workload << "/" << variant.name);
    CHECK_FALSE(variant.architectures.empty());
  }
}

TEST_CASE("tensor products compile for rows that begin at odd places", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const DType dtype : {DType::f32, DType::bf16}) {
    const VariantInfo& variant =
        matmul_variant(backend, dtype == DType::f32 ? "tensor_tf32" : "tensor_bf16");
    for (const auto& [n, k, b_bytes] : {std::array<std::int64_t, 3>{33, 40, dtype == DType::f32 ? 4 : 2},
                                        {66, 63, dtype == DType::f32 ? 8 : 4}}) {
      const KernelPlan plan = plan_for(variant, matmul_problem({50, n, k, dtype}), tunables_of(variant));
      CHECK(plan.launches.at(0).defines.at("B_BYTES") == std::to_string(b_bytes));
      const CompileResult result = backend.compile(plan, "sm_80", {});
      CHECK(result.resources.at("spill_bytes") == 0);
    }
  }
}

TEST_CASE("register tiles compile for rows that begin at odd places", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "register_tiled");
  for (const auto& [dtype, n, before] :
       {std::tuple{DType::f32, 33, "1"}, std::tuple{DType::f32, 34, "2"}, std::tuple{DType::f32, 35, "3"},
        std::tuple{DType::f32, 36, "0"}, std::tuple{DType::f64, 33, "1"},
        std::tuple{DType::f64, 34, "0"}}) {
    for (const std::int64_t splits : {1, 3}) {
      CAPTURE(to_string(dtype), n, splits);
      const KernelPlan plan = plan_for(variant, matmul_problem({50, n, 70, dtype}),
                                       tunables_of(variant, {{"split_k", splits}}));
      CHECK(plan.launches.at(0).defines.at("BEFORE") == before);
      CHECK(plan.launches.at(0).grid ==
            std::array<std::uint64_t, 3>{1, static_cast<std::uint64_t>(splits), 1});
      CHECK(backend.compile(plan, "sm_80", {}).resources.at("spill_bytes") == 0);
    }
  }
}

TEST_CASE("transposes compile for rows that begin anywhere", "[cuda]") {
  Backend& backend = compiling_backend();
  const Workload& workload = *find_workload("transpose");
  const auto variants = backend.variants();
  const auto variant = std::find_if(variants.begin(), variants.end(), [](const VariantInfo& each) {
    return each.workload == "transpose" && each.name == "swizzled";
  });
  REQUIRE(variant != variants.end());
  for (const auto& [dtype, rows, columns, before, run, across, blocks] :
       {std::tuple{"f32", 4099, 4093, 7, 64, 64, 65 * 64},
        std::tuple{"f32", 4096, 4098, 0, 64, 64, 64 * 65}, std::tuple{"f32", 1003, 17, 7, 128, 32, 8},
        std::tuple{"f32", 1003, 16, 7, 256, 16, 4}, std::tuple{"f32", 25, 1000, 7, 32, 128, 8},
        std::tuple{"f32", 26, 1000, 7, 64, 64, 16}, std::tuple{"f64", 4099, 4093, 3, 64, 64, 65 * 64}}) {
    CAPTURE(dtype, rows, columns);
    const Parameters problem = complete_parameters(
        workload,
        {{"rows", std::int64_t{rows}}, {"columns", std::int64_t{columns}}, {"dtype", std::string(dtype)}});
    const Parameters values =
        kernel_values(problem, "", tunables_of(*variant, {{"tile", std::int64_t{64}}}), some_gpu());
    const KernelPlan plan =
        plan_kernel(*variant->kernel, values, workload.problem(problem, ""), kernel_folder());
    const PlannedLaunch& launch = plan.launches.at(0);
    CHECK(launch.defines.at("BEFORE") == std::to_string(before));
    CHECK(launch.defines.at("RUN") == std::to_string(run));
    CHECK(launch.defines.at("ACROSS") == std::to_string(across));
    CHECK(launch.grid[0] * launch.grid[1] == static_cast<std::uint64_t>(blocks));
    for (const std::string& architecture : variant->architectures) {
      const CompileResult result = backend.compile(plan, architecture, {});
      CHECK(result.resources.at("spill_bytes") == 0);
      CHECK(result.resources.at("static_shared_bytes") == static_cast<double>(launch.local_bytes));
    }
  }
}

// Joining the values of several blocks takes longer than adding up so few elements.
TEST_CASE("a short reduction is a single block's", "[cuda]") {
  Backend& backend = compiling_backend();
  const Workload& workload = *find_workload("reduce");
  const auto variants = backend.variants();
  const auto variant = std::find_if(variants.begin(), variants.end(), [](const VariantInfo& each) {
    return each.workload == "reduce" && each.name == "single_pass";
  });
  REQUIRE(variant != variants.end());
  for (const auto& [op, dtype, n, block, threads, blocks] :
       {std::tuple{"sum", "f32", 1, 256, 512, 1}, std::tuple{"dot", "f32", 16384, 256, 512, 1},
        std::tuple{"sum", "f32", 16385, 256, 256, 17}, std::tuple{"norm", "f64", 8192, 256, 512, 1},
        std::tuple{"norm", "f64", 8193, 256, 256, 17}, std::tuple{"dot", "f64", 8192, 512, 512, 1},
        std::tuple{"max", "f32", 1000, 64, 128, 1}, std::tuple{"norm", "f32", 327680, 256, 256, 320},
        std::tuple{"norm", "f32", 540673, 256, 256, 528},
        std::tuple{"sum", "f32", 540673, 256, 256, 132}}) {
    CAPTURE(op, dtype, n, block);
    const Parameters problem = complete_parameters(
        workload, {{"op", std::string(op)}, {"n", std::int64_t{n}}, {"dtype", std::string(dtype)}});
    Parameters gpu = some_gpu();
    gpu["compute_units"] = std::int64_t{132};
    const Parameters values =
        kernel_values(problem, "", tunables_of(*variant, {{"block", std::int64_t{block}}}), gpu);
    const KernelPlan plan =
        plan_kernel(*variant->kernel, values, workload.problem(problem, ""), kernel_folder());
    const PlannedLaunch& launch = plan.launches.at(0);
    CHECK(launch.block[0] == static_cast<std::uint64_t>(threads));
    CHECK(launch.defines.at("BLOCK") == std::to_string(threads));
    CHECK(launch.grid[0] == static_cast<std::uint64_t>(blocks));
    CHECK(launch.defines.at("GRID") == std::to_string(blocks));
    const CompileResult result = backend.compile(plan, "sm_90a", {});
    CHECK(result.resources.at("spill_bytes") == 0);
    CHECK(result.resources.at("static_shared_bytes") == static_cast<double>(launch.local_bytes));
  }
}

TEST_CASE("register tiles compile in slices, for rows that begin at odd places, too", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "register_tiled");
  for (const std::int64_t n : {33, 34, 35, 36}) {
    for (const std::int64_t slices : {2, 3}) {
      CAPTURE(n, slices);
      const KernelPlan plan = plan_for(
          variant, matmul_problem({50, n, 70, DType::f32}),
          tunables_of(variant,
                      {{"tile_m", std::int64_t{64}}, {"stages", std::int64_t{4}}, {"sliced_k", slices}}));
      const PlannedLaunch& launch = plan.launches.at(0);
      CHECK(launch.block == std::array<std::uint64_t, 3>{128, static_cast<std::uint64_t>(slices), 1});
      CHECK(launch.shared_bytes == static_cast<std::uint64_t>(slices) * 4 * 16 * (n == 36 ? 196 : 200) * 4);
      for (const char* architecture : {"sm_80", "sm_90a"}) {
        CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
      }
    }
  }
}

TEST_CASE("register tiles compile in slices of several blocks", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "register_tiled");
  for (const auto& [dtype, n] : {std::pair{DType::f32, 100}, std::pair{DType::f32, 101},
                                 std::pair{DType::f64, 100}, std::pair{DType::f64, 101}}) {
    for (const std::int64_t splits : {3, 8}) {
      CAPTURE(to_string(dtype), n, splits);
      const KernelPlan plan =
          plan_for(variant, matmul_problem({64, n, 5000, dtype}),
                   tunables_of(variant, {{"tile_m", std::int64_t{64}},
                                         {"tile_n", std::int64_t{64}},
                                         {"thread_n", std::int64_t{dtype == DType::f32 ? 8 : 4}},
                                         {"stages", std::int64_t{4}},
                                         {"split_k", splits},
                                         {"sliced_k", std::int64_t{2}}}));
      CHECK(plan.launches.at(0).grid ==
            std::array<std::uint64_t, 3>{2, static_cast<std::uint64_t>(splits), 1});
      for (const char* architecture : {"sm_80", "sm_90a"}) {
        CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
      }
    }
  }
}

TEST_CASE("register tiles compile for blocks that share them out evenly", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "register_tiled");
  for (const auto& [dtype, n] : {std::pair{DType::f32, 900}, std::pair{DType::f32, 901},
                                 std::pair{DType::f32, 902}, std::pair{DType::f64, 901}}) {
    for (const std::int64_t workers : {0, 1, 2, 3}) {
      CAPTURE(to_string(dtype), n, workers);
      // Doubles in tiles a quarter as large.
      const std::int64_t edge = dtype == DType::f32 ? 128 : 64;
      const KernelPlan plan =
          plan_for(variant, matmul_problem({50, n, 70, dtype}),
                   tunables_of(variant, {{"persistent", workers},
                                         {"tile_m", edge},
                                         {"tile_n", edge},
                                         {"thread_n", std::int64_t{dtype == DType::f32 ? 8 : 4}},
                                         {"compute_units", std::int64_t{3}}}));
      const PlannedLaunch& launch = plan.launches.at(0);
      const auto tiles = static_cast<std::uint64_t>((n + edge - 1) / edge);
      // 70 steps are five slabs.
      const std::uint64_t blocks =
          workers == 0 ? tiles
                       : std::min(tiles * (workers == 1 ? 2 : 5), 3 * static_cast<std::uint64_t>(workers));
      CHECK(launch.grid == std::array<std::uint64_t, 3>{blocks, 1, 1});
      CHECK(launch.defines.at("EVEN") == (workers == 0      ? "0"
                                          : tiles >= blocks ? "1"
                                          : workers == 1    ? "2"
                                                            : "3"));
      // Room for the parts of tiles that a block leaves for others: of one, or of two.
      const auto tile_bytes = static_cast<std::uint64_t>(edge * edge) * (dtype == DType::f32 ? 4 : 8);
      CHECK(plan.scratch.at(0).count * 8 ==
            (workers == 0 ? 16 : blocks * (workers == 1 ? 1 : 2) * tile_bytes));
      for (const char* architecture : {"sm_80", "sm_90a"}) {
        CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
      }
    }
  }
}

TEST_CASE("tensor products of doubles compile for rows of every length", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "tensor_f64");
  CHECK(variant.dtypes == std::vector{DType::f64});
  // The pitch of rows in shared memory is congruent to their length modulo 4, and leaves room for two, or,
  // with `lines`, modulo 16, and odd ones leave room for one more; modulo 4 for multiples of 8 beside an
  // odd length.
  for (const auto& [lines, n, k, a_pitch, b_pitch] :
       {std::tuple{0, 32, 72, 20, 132}, std::tuple{0, 33, 70, 18, 133}, std::tuple{0, 34, 71, 19, 130},
        std::tuple{0, 35, 73, 21, 131}, std::tuple{1, 32, 72, 24, 128}, std::tuple{1, 33, 70, 22, 129},
        std::tuple{1, 34, 71, 23, 130}, std::tuple{1, 35, 73, 25, 131}, std::tuple{1, 33, 72, 20, 129},
        std::tuple{1, 32, 71, 23, 132}}) {
    for (const std::int64_t splits : {1, 3}) {
      CAPTURE(lines, n, k, splits);
      const KernelPlan plan =
          plan_for(variant, matmul_problem({50, n, k, DType::f64}),
                   tunables_of(variant, {{"split_k", splits}, {"lines", std::int64_t{lines}}}));
      const PlannedLaunch& launch = plan.launches.at(0);
      CHECK(launch.defines.at("N_MODULO") == std::to_string(n % 16));
      CHECK(launch.defines.at("K_MODULO") == std::to_string(k % 16));
      CHECK(launch.shared_bytes == 8U * 3 * (64U * a_pitch + 16U * b_pitch));
      CHECK(launch.grid == std::array<std::uint64_t, 3>{1, static_cast<std::uint64_t>(splits), 1});
      for (const char* architecture : {"sm_80", "sm_90a"}) {
        CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
      }
    }
  }
}

TEST_CASE("products of doubles fed by warps of their own take the copy engine where rows suit it",
          "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "tensor_f64_fed");
  CHECK(variant.architectures == std::vector<std::string>{"sm_90a"});
  for (const auto& [n, k, engine, splits] :
       {std::tuple{32, 72, "1", 1}, std::tuple{33, 70, "0", 1}, std::tuple{34, 71, "0", 1},
        std::tuple{35, 73, "0", 1}, std::tuple{32, 72, "1", 3}, std::tuple{33, 70, "0", 5}}) {
    CAPTURE(n, k, splits);
    const KernelPlan plan = plan_for(variant, matmul_problem({50, n, k, DType::f64}),
                                     tunables_of(variant, {{"split_k", std::int64_t{splits}}}));
    const PlannedLaunch& launch = plan.launches.at(0);
    CHECK(launch.defines.at("COPY_ENGINE") == engine);
    CHECK(launch.shared_bytes == 6U * (8 * 16 * (64 + 64) + 16));
    CHECK(launch.block == std::array<std::uint64_t, 3>{384, 1, 1});
    CHECK(launch.grid == std::array<std::uint64_t, 3>{1, static_cast<std::uint64_t>(splits), 1});
    CHECK(plan.scratch.at(0).count == (splits == 1 ? 2U : 64U * 64 * splits));
    CHECK(backend.compile(plan, "sm_90a", {}).resources.at("spill_bytes") == 0);
  }
}

TEST_CASE("every part of a sum of doubles fed by warps of their own has a slab", "[cuda]") {
  const VariantInfo& variant = matmul_variant(cuda_backend(), "tensor_f64_fed");
  const auto takes = [&](std::int64_t k, std::int64_t splits, std::int64_t workers) {
    const Parameters tunables = tunables_of(variant, {{"split_k", splits}, {"persistent", workers}});
    return allowed(variant, kernel_values({{"m", std::int64_t{50}}, {"n", std::int64_t{50}}, {"k", k}}, "",
                                          tunables, some_gpu()));
  };
  CHECK(takes(33, 3, 0));
  CHECK_FALSE(takes(32, 3, 0));
  CHECK_FALSE(takes(33, 3, 1));
  CHECK(takes(1, 1, 1));
}

TEST_CASE("wgmma is claimed for Hopper alone, and copies rows that its copy engine does not take",
          "[cuda]") {
  Backend& backend = cuda_backend();
  for (const char* name : {"wgmma_tf32", "wgmma_bf16", "wgmma_3xtf32"}) {
    const VariantInfo& variant = matmul_variant(backend, name);
    CHECK(variant.architectures == std::vector<std::string>{"sm_90a"});
    CHECK(variant.features == std::vector<std::string>{"wgmma"});
    for (const std::int64_t n : {8, 6}) {
      const Parameters values = kernel_values({{"m", std::int64_t{7}}, {"n", n}, {"k", std::int64_t{16}}},
                                              "", tunables_of(variant), some_gpu());
      CHECK(allowed(variant, values));
      const PlannedLaunch& first =
          plan_kernel(*variant.kernel, values, matmul_problem({7, n, 16}), kernel_folder()).launches.at(0);
      CHECK((first.entry == "repack_rows") == (n == 6));
    }
  }
}

TEST_CASE("a plan of a tiled product covers every element once", "[cuda]") {
  Backend& backend = cuda_backend();
  const VariantInfo& variant = matmul_variant(backend, "tiled");
  const KernelPlan plan =
      plan_for(variant, matmul_problem({33, 65, 129, DType::f64}), {{"tile", std::int64_t{16}}});
  REQUIRE(plan.launches.size() == 1);
  const PlannedLaunch& launch = plan.launches[0];
  CHECK(launch.grid == std::array<std::uint64_t, 3>{5, 3, 1});
  CHECK(launch.block == std::array<std::uint64_t, 3>{16, 16, 1});
  CHECK(launch.local_bytes == 2 * 16 * 16 * 8);
  CHECK(launch.defines.at("REAL") == "double");
  CHECK(launch.defines.at("TILE") == "16");
}

TEST_CASE("a rejected kernel is reported with file, line and the compiler's words", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source =
      folder.write("broken.cu", "extern \"C\" __global__ void f() {\n  undeclared_name = 1;\n}\n").string();
  launch.entry = "f";
  try {
    static_cast<void>(backend.compile(plan, "sm_80", {folder.path().string(), false}));
    FAIL("the kernel was accepted");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::compile_error);
    CHECK_FALSE(failure.sticky());
    const std::string text = failure.what();
    INFO(text);
    CHECK(text.find(launch.source + "(2)") != std::string::npos);
    CHECK(text.find("undeclared_name") != std::string::npos);
    CHECK(text.find("--gpu-architecture=sm_80") != std::string::npos);
  }
}

TEST_CASE("a definition may have any name, and lines are still those of the file", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.entry = "f";
  // NVRTC's built-in header has templates over names such as these.
  for (const char* name : {"T", "U", "size_t_", "B"}) launch.defines[name] = "16";
  launch.source = folder
                      .write("tile.cu",
                             "extern \"C\" __global__ void f(float* out) {\n"
                             "  out[threadIdx.x] = T * U + B;\n}\n")
                      .string();
  CHECK(backend.compile(plan, "sm_80", {}).resources.at("registers") > 0);
  launch.source = folder
                      .write("broken_tile.cu",
                             "extern \"C\" __global__ void f(float* out) {\n\n"
                             "  out[threadIdx.x] = T * undeclared_name;\n}\n")
                      .string();
  try {
    static_cast<void>(backend.compile(plan, "sm_80", {}));
    FAIL("the kernel was accepted");
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    INFO(text);
    CHECK(text.find(launch.source + "(3)") != std::string::npos);
  }
}

TEST_CASE("an entry that the source lacks is reported with those that it has", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = folder.write("one.cu", "extern \"C\" __global__ void present() {}\n").string();
  launch.entry = "absent";
  try {
    static_cast<void>(backend.compile(plan, "sm_80", {}));
    FAIL("the entry was found");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::compile_error);
    CHECK(std::string(failure.what()).find("'absent'") != std::string::npos);
    CHECK(std::string(failure.what()).find("present") != std::string::npos);
  }
}

TEST_CASE("a missing kernel file and an unknown architecture are told apart", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = (folder.path() / "nowhere.cu").string();
  launch.entry = "f";
  const auto kind_of = [&](const std::string& architecture) {
    try {
      static_cast<void>(backend.compile(plan, architecture, {}));
    } catch (const Failure& failure) {
      INFO(failure.what());
      return failure.kind();
    }
    FAIL("it compiled");
    return FailureKind::no_device;
  };
  CHECK(kind_of("sm_80") == FailureKind::compile_error);
  launch.source = folder.write("empty.cu", "extern \"C\" __global__ void f() {}\n").string();
  CHECK(kind_of("sm_7") == FailureKind::unsupported);
}

TEST_CASE("device debug puts the kernel's absolute path into the code", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "tiled");
  const KernelPlan plan =
      plan_for(variant, matmul_problem({16, 16, 16, DType::f32}), {{"tile", std::int64_t{8}}});
  const std::string path = (kernel_folder() / "matmul_tiled.cu").string();
  const TemporaryDirectory plain;
  const TemporaryDirectory debug;
  static_cast<void>(backend.compile(plan, "sm_90a", {plain.path().string(), false}));
  const CompileResult result = backend.compile(plan, "sm_90a", {debug.path().string(), true});
  CHECK_FALSE(result.cached);
  CHECK(all_bytes_under(debug.path()).find(path) != std::string::npos);
  CHECK(all_bytes_under(plain.path()).find(path) == std::string::npos);
  CHECK(all_bytes_under(debug.path()).find(".debug_info") != std::string::npos);
}
