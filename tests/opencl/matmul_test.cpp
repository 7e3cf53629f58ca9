// Products whose parts groups join, CLBlast's, and what is said of kernels. Results of all variants:
// tests/catalogue and the conformance kit.
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"

#include <span>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Of f64 the first size: joining does not depend on the type.
void check_variant(const std::string& name, const std::vector<MatmulSize>& sizes,
                   const Parameters& tunables) {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    const auto session = lane.open();
    for (const DType dtype : variant_of(lane.backend, "matmul", name).dtypes) {
      if (dtype == DType::f64 && !lane.device.fp64) continue;
      for (MatmulSize size : std::span(sizes).first(dtype == DType::f64 ? 1 : sizes.size())) {
        size.dtype = dtype;
        INFO(name << ' ' << to_string(dtype) << ' ' << size.m << 'x' << size.n << 'x' << size.k);
        MatmulProblem problem(*session, size);
        problem.prepare(lane, name, tunables)->run(0);
        CHECK(problem.fault(0).empty());
      }
    }
  }
}

}  // namespace

const Parameters small_register_tiles{{"tile_m", std::int64_t{16}},
                                      {"tile_n", std::int64_t{32}},
                                      {"thread_m", std::int64_t{4}},
                                      {"thread_n", std::int64_t{4}}};

// Hidden: what groups leave for each other needs a GPU, or the simulator, which runs one group after the
// other.
TEST_CASE("groups that share a tile join their parts", "[.parts]") {
  Parameters in_parts = small_register_tiles;
  in_parts["split_k"] = std::int64_t{2};
  in_parts["along"] = std::string("squares_2");
  check_variant("register_tiled", {{5, 9, 17}, {17, 36, 18}}, in_parts);
  // Slices of few groups, which one joins, and of many; parts with a slab for each slice and with fewer.
  in_parts["sliced_k"] = std::int64_t{3};
  check_variant("register_tiled", {{5, 9, 17}, {17, 36, 100}}, in_parts);
  in_parts["split_k"] = std::int64_t{10};
  check_variant("register_tiled", {{5, 9, 75}, {17, 36, 260}}, in_parts);
  check_variant("skinny_columns", {{5, 5, 8200}}, {});
  check_variant("skinny_rows", {{5, 34, 515}}, {});
  check_variant("vectors", {{2, 1, 8200}, {2, 34, 515}}, {});
  check_variant("strips", {{9, 6, 300}, {5, 33, 1001}}, {});
  check_variant("strips", {{9, 6, 300}, {5, 33, 1001}}, {{"split_k", std::int64_t{10}}});
}

TEST_CASE("the vendor's matmul names its library and times the whole product") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const std::vector<VariantInfo>& variants = variants_of(lane.backend);
    if (std::ranges::none_of(variants, &VariantInfo::vendor)) SKIP("built without CLBlast");
    const auto session = lane.open();
    MatmulProblem problem(*session, {96, 64, 80});
    const auto prepared = problem.prepare(lane, "vendor");
    CHECK_THAT(prepared->notes().at("library"), ContainsSubstring("libclblast.so.1"));
    // Making ready runs once, but not into the problem's own C.
    CHECK(problem.fault(0).starts_with("C[0, 0]"));
    prepared->run(0);
    const SampleBlock block = prepared->sample({.batch = 2, .count = 5});
    REQUIRE(block.ns.size() == 5);
    for (const double ns : block.ns) CHECK(ns > 0);
    CHECK(problem.fault(0).empty());
  }
}

TEST_CASE("a work-group that is too large is refused with the numbers") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const auto session = lane.open();
    MatmulProblem problem(*session, {4, 4, 4});
    const auto limit = static_cast<std::int64_t>(lane.device.limits.max_block_threads);
    const Failure failure = failure_of([&] {
      static_cast<void>(problem.prepare(lane, "naive", {{"block_x", limit}, {"block_y", std::int64_t{2}}}));
    });
    CHECK(failure.kind() == FailureKind::unsupported);
    CHECK_FALSE(failure.sticky());
    CHECK_THAT(failure.what(), HasAll({"matmul_naive", "asked for " + std::to_string(2 * limit)}));
  }
}

TEST_CASE("the kernel's resources are told") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const auto session = lane.open();
    MatmulProblem problem(*session, {8, 8, 8});
    const Resources resources = problem.prepare(lane, "tiled", {{"tile", std::int64_t{8}}})->resources();
    CHECK(resources.at("max_block_threads") >= 64);
    // PoCL 5 counts no local memory at all; a driver that counts must see both tiles.
    if (const double local = resources.at("local_memory_bytes"); local != 0) CHECK(local >= 2 * 8 * 8 * 4);
    CHECK(resources.at("preferred_multiple") >= 1);
  }
}
