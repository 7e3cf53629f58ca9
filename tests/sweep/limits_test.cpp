#include "sweep/limits.hpp"
#include "support/catch.hpp"

#include "fixtures.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// A device without limits, a kernel of tile × tile threads and a problem of n = 100, m = 10.
struct Case {
  VariantInfo variant = benchctl::test::variant("tiled", {tunable("tile", std::int64_t{16})});
  BackendEntry backend{"gpu", {}, "/kernels", false};
  DeviceInfo device = lane("gpu", "0", DeviceType::gpu).device;
  Parameters problem{{"n", std::int64_t{100}}, {"m", std::int64_t{10}}, {"dtype", "f32"}};
  std::string layout = "aos";
  std::int64_t tile = 16;

  Case() {
    LaunchSpec launch;
    launch.source = "tiled.cu";
    launch.entry = "tiled";
    launch.block = {"tile", "tile", "1"};
    launch.grid = {"ceil_div(n, tile)", "m", "1"};
    launch.local_bytes = "2 * tile * tile * sizeof(dtype)";
    variant.kernel = KernelSpec{{launch}, {}};
  }

  [[nodiscard]] std::string reason() const {
    const Workload& grid = *Workloads::built_in().find("grid");
    return ruled_out_by({grid, backend, variant, device, grid.problem(problem, layout), {{"tile", tile}}});
  }
};

}  // namespace

TEST_CASE("element types that the variant or the device has not") {
  Case point;
  point.variant.dtypes = {DType::f32, DType::f16};
  CHECK(point.reason().empty());
  point.problem["dtype"] = "f64";
  CHECK(point.reason() == "unsupported: variant 'tiled' takes dtype f32, f16, not f64");
  point.variant.dtypes = {};
  CHECK(point.reason().empty());
  point.device.fp64 = false;
  CHECK(point.reason() == "unsupported: the device has no double precision (dtype=f64)");
  point.device.fp16 = false;
  point.problem["dtype"] = "f16";  // stored, at least
  CHECK(point.reason().empty());
}

TEST_CASE("layouts that the variant does not take") {
  Case point;
  point.variant.layouts = {"soa"};
  CHECK(point.reason() == "unsupported: variant 'tiled' takes layout soa only");
  point.layout = "soa";
  CHECK(point.reason().empty());
}

TEST_CASE("device types and features that a variant is for") {
  Case point;
  point.variant.device_types = {DeviceType::cpu, DeviceType::accelerator};
  CHECK(point.reason() ==
        "unsupported: variant 'tiled' is for device type cpu, accelerator, this is a gpu");
  point.variant.device_types = {DeviceType::cpu, DeviceType::gpu};
  CHECK(point.reason().empty());
  point.variant.features = {"avx2", "avx512f"};
  point.device.features = {"avx2"};
  CHECK(point.reason() ==
        "unsupported: variant 'tiled' requires avx512f, which this device does not support");
  point.device.features = {"avx512f", "avx2"};
  CHECK(point.reason().empty());
}

TEST_CASE("requirements of variants and tunables, with the values that they mention") {
  Case point;
  point.variant.require = {"n % 4 == 0", "m >= 10"};
  CHECK(point.reason().empty());
  point.variant.require = {"n % 4 == 0", "m > 10 and layout == 'aos'"};
  CHECK(point.reason() == "constraint: variant 'tiled' needs m > 10 and layout == 'aos' (layout=aos m=10)");
  point.variant.require = {};
  point.variant.tunables[0].require = {"tile <= m"};
  CHECK(point.reason() == "constraint: variant 'tiled' needs tile <= m (m=10 tile=16)");
  point.tile = 10;
  CHECK(point.reason().empty());
  point.variant.require = {"what > 1"};
  CHECK(point.reason() == "constraint: \"what > 1\" of variant 'tiled': 'what' has no value here");
}

TEST_CASE("threads of a block, in all and in each direction") {
  Case point;
  point.tile = 64;
  point.device.limits.max_block_threads = 4096;
  CHECK(point.reason().empty());
  point.device.limits.max_block_threads = 4095;
  CHECK(point.reason() == "device limit: 4096 threads per block with tile=64, the device allows 4095");
  point.device.limits.max_block_threads = 0;
  point.device.limits.max_block = {64, 64, 1};
  CHECK(point.reason().empty());
  point.device.limits.max_block = {64, 63, 1};
  CHECK(point.reason() == "device limit: 64 threads per block in y with tile=64, the device allows 63");
  point.device.limits.max_block = {63, 64, 1};
  CHECK(point.reason() == "device limit: 64 threads per block in x with tile=64, the device allows 63");
  point.variant.kernel->launches[0].block = {"1", "1", "8"};
  point.device.limits.max_block = {64, 64, 7};
  CHECK(point.reason() == "device limit: 8 threads per block in z, the device allows 7");
}

TEST_CASE("a product beyond 64 bits is still too many threads") {
  Case point;
  point.variant.kernel->launches[0].block = {"4294967296", "4294967296", "1"};
  point.device.limits.max_block_threads = 1024;
  CHECK(point.reason() == "device limit: 18446744073709551615 threads per block, the device allows 1024");
}

TEST_CASE("blocks of a grid") {
  Case point;  // ceil(100 / 16) = 7 blocks in x, 10 in y
  point.device.limits.max_grid = {7, 10, 1};
  CHECK(point.reason().empty());
  point.device.limits.max_grid = {6, 10, 1};
  CHECK(point.reason() == "device limit: 7 blocks in x with tile=16, the device allows 6");
  point.device.limits.max_grid = {7, 9, 1};
  CHECK(point.reason() == "device limit: 10 blocks in y with tile=16, the device allows 9");
}

TEST_CASE("local memory of a block, however it is declared") {
  Case point;  // 2 · 16 · 16 · 4 bytes
  point.device.limits.local_memory_bytes = 2048;
  CHECK(point.reason().empty());
  point.device.limits.local_memory_bytes = 2047;
  CHECK(point.reason() ==
        "device limit: 2 KiB of shared (local) memory per block with tile=16, the device has 1.999 KiB");
  point.device.limits.local_memory_bytes = 2048;
  point.variant.kernel->launches[0].shared_bytes = "3 * 1024";
  CHECK(point.reason() ==
        "device limit: 3 KiB of shared (local) memory per block with tile=16, the device has 2 KiB");
}

TEST_CASE("every launch of a sequence counts") {
  Case point;
  point.device.limits.max_block_threads = 256;
  LaunchSpec second = point.variant.kernel->launches[0];
  second.block = {"257", "1", "1"};
  point.variant.kernel->launches.push_back(second);
  CHECK(point.reason() == "device limit: 257 threads per block, the device allows 256");
}

TEST_CASE("derived values count in requirements and launches, and one that fails rules the point out") {
  Case point;
  point.variant.kernel->derived = {{"threads", "tile * tile"}, {"blocks", "n // (tile - 1)"}};
  point.variant.require = {"threads <= 256"};
  CHECK(point.reason().empty());
  point.tile = 17;
  CHECK(point.reason() == "constraint: variant 'tiled' needs threads <= 256 (threads=289)");
  point.tile = 1;
  CHECK(point.reason().starts_with("unsupported: derived value blocks = \"n // (tile - 1)\": "));
  // A tunable's own requirement comes first: it tells more.
  point.variant.tunables[0].require = {"tile >= 2"};
  CHECK(point.reason() == "constraint: variant 'tiled' needs tile >= 2 (tile=1)");
}

TEST_CASE("a launch that does not take place needs nothing") {
  Case point;
  point.device.limits.max_block_threads = 100;
  CHECK_FALSE(point.reason().empty());
  point.variant.kernel->launches[0].when = "n < 100";
  CHECK(point.reason().empty());
}

TEST_CASE("a description that gives no launch rules the point out") {
  Case point;
  point.variant.kernel->launches[0].block = {"tile / 3", "1", "1"};
  CHECK(point.reason().starts_with("unsupported: kernel tiled, block = \"tile / 3\": "));
  point.tile = 0;
  point.variant.kernel->launches[0].block = {"tile", "1", "1"};
  point.variant.kernel->launches[0].grid = {"1", "1", "1"};
  CHECK(point.reason() ==
        "unsupported: kernel tiled, block and grid must be at least 1 in every direction");
}

TEST_CASE("buffers, one by one and together, scratch included") {
  Case point;  // in: 400 bytes, out: 40
  point.device.limits.max_allocation_bytes = 400;
  point.device.limits.memory_bytes = 440;
  CHECK(point.reason().empty());
  point.device.limits.max_allocation_bytes = 399;
  CHECK(point.reason() ==
        "device limit: buffer in takes 400 bytes, the device allows 399 bytes in one piece");
  point.device.limits.max_allocation_bytes = 0;
  point.device.limits.memory_bytes = 439;
  CHECK(point.reason() == "device limit: buffers of 440 bytes together, the device has 439 bytes");
  point.device.limits.memory_bytes = 440;
  point.variant.kernel->scratch = {{"partial", DType::f64, "tile", false}};
  CHECK(point.reason() == "device limit: buffers of 568 bytes together, the device has 440 bytes");
  point.variant.kernel->scratch[0].count = "64";
  point.device.limits.memory_bytes = 0;
  point.device.limits.max_allocation_bytes = 511;
  CHECK(point.reason() ==
        "device limit: buffer partial takes 512 bytes, the device allows 511 bytes in one piece");
}

TEST_CASE("native variants have the limits of their buffers") {
  Case point;
  point.variant.kernel.reset();
  point.device.limits.max_block_threads = 1;
  CHECK(point.reason().empty());
  point.device.limits.memory_bytes = 439;
  CHECK_FALSE(point.reason().empty());
}

TEST_CASE("sizes that round to the same are told apart in bytes") {
  Case point;
  point.problem["n"] = std::int64_t{25} << 30;
  point.device.limits.max_allocation_bytes = (std::uint64_t{100} << 30) - 1;
  CHECK(point.reason() ==
        "device limit: buffer in takes 107374182400 bytes, the device allows 107374182399 bytes in one "
        "piece");
}

TEST_CASE("sizes beyond 64 bits are still too large") {
  Case point;
  point.variant.kernel->scratch = {{"a", DType::f64, "9007199254740992", false}};
  for (int i = 0; i < 512; ++i) point.variant.kernel->scratch.push_back(point.variant.kernel->scratch[0]);
  point.device.limits.memory_bytes = std::uint64_t{1} << 40;
  CHECK(point.reason() == "device limit: buffers of 1.678e+07 TiB together, the device has 1 TiB");
}

TEST_CASE("sizes are told in the largest unit that they reach") {
  CHECK(bytes_text(0) == "0 bytes");
  CHECK(bytes_text(1023) == "1023 bytes");
  CHECK(bytes_text(1024) == "1 KiB");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(std::uint64_t{48} << 20) == "48 MiB");
  CHECK(bytes_text(std::uint64_t{80} << 30) == "80 GiB");
  CHECK(bytes_text(std::uint64_t{2048} << 40) == "2048 TiB");
}
