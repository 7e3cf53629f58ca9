// Every variant of matmul on every OpenCL device: right results, and nothing touched beside them.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::vector<Shape> awkward_shapes{{1, 1, 1},     {2, 2, 2},  {3, 3, 3},  {17, 17, 17},
                                        {33, 65, 129}, {1, 40, 7}, {50, 1, 9}, {16, 48, 32}};

void check_variant(const std::string& name, const std::vector<Shape>& shapes, const Parameters& tunables) {
  const VariantInfo* variant = matmul_variant(name);
  REQUIRE(variant != nullptr);
  for (const DeviceInfo& device : opencl_devices()) {
    const auto session = opencl_backend().open(device.id, {});
    for (const DType dtype : variant->dtypes) {
      if (dtype == DType::f64 && !device.fp64) continue;
      for (const Shape& shape : shapes) {
        INFO(device.id << ' ' << to_string(dtype) << ' ' << shape.m << 'x' << shape.n << 'x' << shape.k);
        MatmulProblem problem(*session, shape, dtype, 2);
        const auto prepared = problem.prepare(*variant, tunables);
        CHECK_FALSE(problem.fault(1).empty());  // poisoned, so a kernel that does nothing is caught
        CHECK(prepared->run(1) > 0);
        CHECK(problem.fault(1).empty());
        // The other set was left alone.
        CHECK(problem.fault(0).starts_with("C[0, 0]"));
      }
    }
  }
}

}  // namespace

TEST_CASE("naive matmul is right for every shape") { check_variant("naive", awkward_shapes, {}); }

TEST_CASE("naive matmul is right for every work-group") {
  const std::int64_t x = GENERATE(1, 5, 64);
  const std::int64_t y = GENERATE(1, 3);
  check_variant("naive", {{33, 65, 12}}, {{"block_x", x}, {"block_y", y}});
}

TEST_CASE("tiled matmul is right for every shape and tile") {
  const std::int64_t tile = GENERATE(1, 2, 7, 16);
  check_variant("tiled", awkward_shapes, {{"tile", tile}});
  check_variant("tiled_as_published", awkward_shapes, {{"tile", tile}});
}

const Parameters small_register_tiles{{"tile_m", std::int64_t{16}},
                                      {"tile_n", std::int64_t{32}},
                                      {"thread_m", std::int64_t{4}},
                                      {"thread_n", std::int64_t{4}}};

TEST_CASE("register-tiled matmul is right for every shape") {
  check_variant("register_tiled", awkward_shapes, small_register_tiles);
}

TEST_CASE("register-tiled matmul is right where padding has no room in local memory") {
  check_variant("register_tiled", {{33, 65, 129}},
                {{"tile_m", std::int64_t{64}},
                 {"tile_n", std::int64_t{128}},
                 {"depth", std::int64_t{32}},
                 {"thread_m", std::int64_t{8}},
                 {"thread_n", std::int64_t{4}}});
}

TEST_CASE("register-tiled matmul is right in slices for every shape") {
  Parameters in_slices = small_register_tiles;
  in_slices["sliced_k"] = GENERATE(std::int64_t{2}, std::int64_t{3}, std::int64_t{4});
  check_variant("register_tiled", awkward_shapes, in_slices);
}

TEST_CASE("register-tiled matmul is right where slices add up their sums in several rounds") {
  check_variant(
      "register_tiled", {{70, 66, 75}, {65, 68, 9}},
      {{"tile_m", std::int64_t{64}}, {"tile_n", std::int64_t{64}}, {"sliced_k", std::int64_t{3}}});
}

// In packs and element by element; warps that share rows and those that do not; strips of few lanes and of
// many.
TEST_CASE("a matmul of a matrix and vectors is right") {
  check_variant("vectors",
                {{1, 1, 1}, {33, 3, 2001}, {100, 1, 5001}, {65, 2, 1024}, {5000, 4, 36}, {70, 4, 514}}, {});
  check_variant("vectors", {{1, 515, 9}, {2, 130, 702}, {3, 701, 77}, {4, 260, 1000}, {4, 5000, 40}}, {});
}

// In packs and element by element; one lane's rows and several, several groups, more than what is held.
TEST_CASE("a skinny matmul of few columns is right") {
  check_variant("skinny_columns", {{5, 5, 300}, {130, 7, 37}, {2, 1, 130}, {20, 32, 45}}, {});
  check_variant(
      "skinny_columns", {{70, 9, 300}},
      {{"rows", std::int64_t{2}}, {"row_threads", std::int64_t{16}}, {"split_k", std::int64_t{1}}});
}

TEST_CASE("a skinny matmul of few rows is right") {
  check_variant("skinny_rows", {{5, 1001, 9}, {6, 130, 77}, {1, 40, 300}, {16, 33, 19}}, {});
  check_variant(
      "skinny_rows", {{7, 130, 99}},
      {{"row_threads", std::int64_t{16}}, {"ahead", std::int64_t{2}}, {"split_k", std::int64_t{1}}});
}

// Rows of A that begin anywhere and end within a slab, within the next one, or with it; rows of B that
// begin anywhere; one tile and several, one part of k and several.
TEST_CASE("a matmul in strips is right") {
  check_variant("strips", {{7, 5, 3}, {65, 31, 254}, {33, 100, 129}, {70, 17, 3001}}, {});
  check_variant("strips", {{70, 100, 257}},
                {{"thread_m", std::int64_t{8}},
                 {"resident", std::int64_t{1}},
                 {"depth", std::int64_t{64}},
                 {"thread_n", std::int64_t{12}}});
}

TEST_CASE("the variants that read local memory and edges pass a simulator", "[oclgrind]") {
  check_variant("skinny_columns", {{5, 6, 7}, {20, 17, 40}}, {});
  check_variant("skinny_rows", {{6, 34, 9}, {5, 40, 35}}, {});
  check_variant("vectors", {{5, 3, 7}, {20, 2, 260}, {3, 40, 35}, {1, 36, 9}}, {});
  // In one part: the simulator does not know that counters are filled with zeros.
  check_variant("strips", {{5, 3, 7}, {20, 17, 40}, {33, 8, 63}}, {{"split_k", std::int64_t{1}}});
  check_variant("register_tiled", {{5, 9, 7}, {17, 36, 18}}, small_register_tiles);
  Parameters in_slices = small_register_tiles;
  for (const std::int64_t slices : {2, 3, 4}) {
    in_slices["sliced_k"] = slices;
    check_variant("register_tiled", {{5, 9, 7}, {17, 36, 30}}, in_slices);
  }
  check_variant("naive", {{5, 9, 3}}, {{"block_x", std::int64_t{4}}, {"block_y", std::int64_t{2}}});
  check_variant("tiled", {{5, 9, 7}, {8, 8, 8}}, {{"tile", std::int64_t{4}}});
}

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

TEST_CASE("the vendor's matmul is right") {
  if (matmul_variant("vendor") == nullptr) SKIP("built without CLBlast");
  CHECK(matmul_variant("vendor")->vendor);
  check_variant("vendor", {{33, 65, 129}}, {});
}

TEST_CASE("the vendor's matmul names its library and times the whole product") {
  if (matmul_variant("vendor") == nullptr) SKIP("built without CLBlast");
  for (const DeviceInfo& device : opencl_devices()) {
    INFO(device.id);
    const auto session = opencl_backend().open(device.id, {});
    MatmulProblem problem(*session, {96, 64, 80}, DType::f32);
    const auto prepared = problem.prepare(*matmul_variant("vendor"));
    CHECK(prepared->notes().at("library").find("libclblast.so.1") != std::string::npos);
    // Making ready runs once, but not into the problem's own C.
    CHECK(problem.fault(0).starts_with("C[0, 0]"));
    prepared->run(0);
    SampleRequest request;
    request.batch = 2;
    request.count = 5;
    const SampleBlock block = prepared->sample(request);
    REQUIRE(block.ns.size() == 5);
    for (const double ns : block.ns) CHECK(ns > 0);
    CHECK(problem.fault(0).empty());
  }
}

TEST_CASE("a work-group that is too large is refused with the numbers") {
  for (const DeviceInfo& device : opencl_devices()) {
    INFO(device.id);
    const auto session = opencl_backend().open(device.id, {});
    MatmulProblem problem(*session, {4, 4, 4}, DType::f32);
    const auto limit = static_cast<std::int64_t>(device.limits.max_block_threads);
    try {
      static_cast<void>(
          problem.prepare(*matmul_variant("naive"), {{"block_x", limit}, {"block_y", std::int64_t{2}}}));
      FAIL("it was accepted");
    } catch (const Failure& failure) {
      CHECK(failure.kind() == FailureKind::unsupported);
      CHECK_FALSE(failure.sticky());
      const std::string text = failure.what();
      CHECK(text.find("matmul_naive") != std::string::npos);
      CHECK(text.find("asked for " + std::to_string(2 * limit)) != std::string::npos);
    }
  }
}

TEST_CASE("the kernel's resources are told") {
  for (const DeviceInfo& device : opencl_devices()) {
    INFO(device.id);
    const auto session = opencl_backend().open(device.id, {});
    MatmulProblem problem(*session, {8, 8, 8}, DType::f32);
    const Resources resources =
        problem.prepare(*matmul_variant("tiled"), {{"tile", std::int64_t{8}}})->resources();
    CHECK(resources.at("max_block_threads") >= 64);
    // PoCL 5 counts no local memory at all; a driver that counts must see both tiles.
    if (const double local = resources.at("local_memory_bytes"); local != 0) CHECK(local >= 2 * 8 * 8 * 4);
    CHECK(resources.at("preferred_multiple") >= 1);
  }
}
