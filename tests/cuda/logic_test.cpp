// The plugin's plain logic: when a stream may be held back, scalars, peaks.
#include "driver/peaks.hpp"
#include "gpu/scalar.hpp"
#include "measure/gate_policy.hpp"
#include "support/catch.hpp"
#include "support/failure_of.hpp"

#include <bit>

using namespace benchctl;
using namespace benchctl::cuda;

TEST_CASE("a stream is not held back under tools that wait inside launches", "[cuda]") {
  const auto objection = [](std::vector<std::string_view> environment, long tracer = 0) {
    return gate_objection(environment, tracer);
  };
  CHECK(objection({}).empty());
  CHECK(
      objection({"PATH=/bin", "LD_PRELOAD=/usr/lib/libjemalloc.so", "CUDA_HOME=/usr/local/cuda"}).empty());
  CHECK(objection({"BENCHCTL_NO_GATE=0", "CUDA_LAUNCH_BLOCKING=0", "CUDA_INJECTION64_PATH="}).empty());
  CHECK_THAT(objection({"BENCHCTL_NO_GATE=1"}), ContainsSubstring("BENCHCTL_NO_GATE"));
  CHECK_THAT(objection({"CUDA_LAUNCH_BLOCKING=1"}), ContainsSubstring("CUDA_LAUNCH_BLOCKING"));
  CHECK_THAT(objection({"A=1", "CUDA_INJECTION64_PATH=/x.so"}), ContainsSubstring("CUDA_INJECTION64_PATH"));
  CHECK_THAT(objection({"NVTX_INJECTION64_PATH=/x.so"}), ContainsSubstring("NVTX_INJECTION64_PATH"));
  CHECK_FALSE(objection({"NV_SANITIZER_INJECTION_PORT_BASE=49152"}).empty());
  CHECK_FALSE(objection({"NV_NSIGHT_INJECTION_PORT_BASE=49152"}).empty());
  CHECK_FALSE(objection({"CUDBG_IPC_FLAG=1"}).empty());
  CHECK_THAT(objection({"LD_PRELOAD=/opt/libsanitizer-collection.so"}), ContainsSubstring("LD_PRELOAD"));
  CHECK_THAT(objection({}, 4711), ContainsSubstring("4711"));
}

TEST_CASE("scalars become argument words of their own type", "[cuda]") {
  CHECK(gpu::argument_word({"n", DType::i32, std::int64_t{-1}}) == 0xffffffffU);
  CHECK(gpu::argument_word({"n", DType::u32, std::int64_t{0xffffffff}}) == 0xffffffffU);
  CHECK(gpu::argument_word({"x", DType::f32, 1.5}) == std::bit_cast<std::uint32_t>(1.5F));
  CHECK(gpu::argument_word({"x", DType::f32, std::int64_t{3}}) == std::bit_cast<std::uint32_t>(3.0F));
  CHECK(gpu::argument_word({"x", DType::f64, 1.1}) == std::bit_cast<std::uint64_t>(1.1));
  const auto refusal = [](const ScalarSpec& scalar) -> std::string {
    const Failure failure = test::failure_of([&] { static_cast<void>(gpu::argument_word(scalar)); });
    return failure.kind() == FailureKind::unsupported ? failure.what() : "wrong kind";
  };
  CHECK_THAT(refusal({"n", DType::i32, std::int64_t{2147483648}}), ContainsSubstring("2147483648"));
  CHECK(gpu::argument_word({"n", DType::i32, std::int64_t{2147483647}}) == 0x7fffffffU);
  CHECK_THAT(refusal({"n", DType::i32, std::int64_t{-2147483649}}), ContainsSubstring("-2147483649"));
  CHECK_THAT(refusal({"n", DType::u32, std::int64_t{-1}}), ContainsSubstring("scalar 'n'"));
  CHECK_THAT(refusal({"n", DType::i32, 0.5}), ContainsSubstring("not an integer"));
  CHECK(gpu::argument_word({"h", DType::f16, -1.5}) == 0xbe00U);
  CHECK(gpu::argument_word({"h", DType::bf16, -1.5}) == 0xbfc0U);
  CHECK(gpu::argument_word({"c", DType::i8, std::int64_t{-1}}) == 0xffU);
  CHECK(gpu::argument_word({"s", DType::i16, std::int64_t{-2}}) == 0xfffeU);
  CHECK(gpu::argument_word({"l", DType::i64, std::int64_t{-3}}) == 0xfffffffffffffffdU);
  CHECK(gpu::argument_word({"l", DType::u64, std::int64_t{1} << 40}) == std::uint64_t{1} << 40);
  CHECK_THAT(refusal({"c", DType::i8, std::int64_t{128}}), ContainsSubstring("i8 cannot hold 128"));
  CHECK(gpu::argument_word({"c", DType::i8, std::int64_t{-128}}) == 0x80U);
  CHECK_THAT(refusal({"s", DType::u16, std::int64_t{65536}}), ContainsSubstring("65536"));
}

TEST_CASE("peaks agree with published figures", "[cuda]") {
  const auto within = [](double value, double published, double share) {
    return std::abs(value / published - 1) < share;
  };
  // NVIDIA's datasheets: H100 SXM 66.9 TFLOP/s and 3.35 TB/s, H200 4.8 TB/s, A100 SXM 9.7 and 19.5 TFLOP/s.
  REQUIRE(fma_per_cycle(9, 0));
  CHECK(within(peak_operations(132, 1'980'000, fma_per_cycle(9, 0)->f32), 66.9e12, 0.001));
  CHECK(within(peak_operations(132, 1'980'000, fma_per_cycle(9, 0)->f64), 33.5e12, 0.002));
  CHECK(within(peak_operations(108, 1'410'000, fma_per_cycle(8, 0)->f32), 19.5e12, 0.002));
  CHECK(within(peak_operations(108, 1'410'000, fma_per_cycle(8, 0)->f64), 9.7e12, 0.005));
  CHECK(within(peak_memory_bytes(2'619'000, 5120), 3.35e12, 0.002));
  CHECK(within(peak_memory_bytes(3'201'000, 6016), 4.8e12, 0.005));
  CHECK_FALSE(fma_per_cycle(4, 2));
  CHECK(peak_memory_bytes(0, 5120) == 0);
  CHECK(peak_operations(132, 0, 128) == 0);
}
