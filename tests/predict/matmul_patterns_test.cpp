// What the kernels with one thread per element of C ask of global memory.
#include "predict/tables.hpp"
#include "predict/traffic.hpp"
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::predict;

namespace {

constexpr MemoryGeometry sectored_card{
    .warp = 32, .sector = 32, .line = 128, .dram = 64, .banks = 32, .bank_bytes = 4};

Traffic product_traffic(const std::string& name, const MatmulSize& shape, std::int64_t tile = 1) {
  const ProblemSpec spec = matmul_problem(shape);
  Parameters values = spec.parameters;
  values["tile"] = tile;
  values["block_x"] = std::int64_t{32};
  values["block_y"] = std::int64_t{8};
  return count_traffic(table_entry("matmul", name), spec, values, sectored_card);
}

constexpr double edge = 512;

}  // namespace

TEST_CASE("the naive product loads two elements for each product and stores each element of C once") {
  const Traffic traffic = product_traffic("naive", {512, 512, 512});
  CHECK(traffic.requested_bytes == Approx(4 * (2 * edge * edge * edge + edge * edge)));
  // A warp has one row: one element of A, four sectors of B.
  CHECK(traffic.requests == Approx((2 * edge * edge * edge + edge * edge) / 32));
  CHECK(traffic.sectors == Approx((5 * edge * edge * edge + 4 * edge * edge) / 32));
}

TEST_CASE("tiles of T load a T-th of that, and the published kernel stores C in each of n/T steps") {
  const std::int64_t tile = GENERATE(2, 4, 8, 16, 32);
  const auto t = static_cast<double>(tile);
  const double loads = 2 * edge * edge * edge / t;
  const Traffic ours = product_traffic("tiled", {512, 512, 512}, tile);
  CHECK(ours.requested_bytes == Approx(4 * (loads + edge * edge)));
  const Traffic published = product_traffic("tiled_as_published", {512, 512, 512}, tile);
  CHECK(published.requested_bytes == Approx(4 * (loads + edge * edge * edge / t)));
  // Whatever is loaded or stored again comes from a cache.
  CHECK(published.dram_read == Approx(4 * 2 * edge * edge));
  CHECK(published.dram_written == Approx(4 * edge * edge));
}

TEST_CASE("nothing is counted past the edges of matrices") {
  // One block of 8 × 8 threads on 3 × 5: C has 15 elements; A's tile 3 × 7 and B's 7 × 5.
  const Traffic traffic = product_traffic("tiled", {3, 5, 7}, 8);
  CHECK(traffic.requested_bytes == Approx(4 * (3 * 7 + 7 * 5 + 3 * 5)));
  CHECK(product_traffic("naive", {3, 5, 7}).requested_bytes == Approx(4 * (2 * 3 * 5 * 7 + 3 * 5)));
}
