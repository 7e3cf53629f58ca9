// Functions of the plugin that need neither driver nor compiler.
#include <benchctl/failure.hpp>

#include "compile/push_constants.hpp"
#include "compile/spirv.hpp"
#include "measure/stamps.hpp"
#include "support/catch.hpp"

#include <cstring>

using namespace benchctl;
using namespace benchctl::vulkan;

namespace {

PlannedLaunch launch_with(std::size_t scalars) {
  PlannedLaunch launch;
  for (std::size_t i = 0; i < scalars; ++i) {
    launch.arguments.push_back({PlannedArgument::Kind::buffer, 0});
    launch.arguments.push_back({PlannedArgument::Kind::scalar, i});
  }
  return launch;
}

constexpr std::uint32_t op(std::uint32_t words, std::uint32_t code) { return words << 16U | code; }

/// A compute shader of 8 × 4 × 1 with a storage buffer at binding 1 and one integer as push constant.
std::vector<std::uint32_t> module_of(std::uint32_t version = 0x00010300) {
  return {0x07230203, version, 0,  20,         0,     //
          op(2, 17),  1,                              // OpCapability Shader
          op(3, 14),  0,       1,                     // OpMemoryModel
          op(5, 15),  5,       7,  0x6e69616d, 0,     // OpEntryPoint GLCompute %7 "main"
          op(6, 16),  7,       17, 8,          4, 1,  // OpExecutionMode LocalSize
          op(4, 71),  10,      33, 1,                 // OpDecorate %10 Binding 1
          op(4, 71),  10,      34, 0,                 // OpDecorate %10 DescriptorSet 0
          op(5, 72),  12,      0,  35,         0,     // OpMemberDecorate %12 0 Offset 0
          op(4, 21),  11,      32, 1,                 // %11 = OpTypeInt 32 1
          op(3, 30),  12,      11,                    // %12 = OpTypeStruct %11
          op(4, 32),  13,      9,  12,                // %13 = OpTypePointer PushConstant %12
          op(4, 59),  13,      14, 9};                // %14 = OpVariable %13 PushConstant
}

}  // namespace

TEST_CASE("scalars are push constants in the order of the arguments") {
  const PushConstants push = push_constants(
      launch_with(3),
      {{"n", DType::i32, std::int64_t{-5}}, {"x", DType::f64, 0.5}, {"m", DType::u32, std::int64_t{7}}});
  CHECK(to_text(push.members) == "int at 0, double at 8, int at 16");
  REQUIRE(push.bytes.size() == 20);
  std::int32_t n = 0;
  double x = 0;
  std::memcpy(&n, push.bytes.data(), sizeof n);
  std::memcpy(&x, push.bytes.data() + 8, sizeof x);
  CHECK(n == -5);
  CHECK(x == 0.5);
  CHECK(to_text(push_constants({}, {}).members) == "none");
  const PushConstants small = push_constants(launch_with(5), {{"c", DType::i8, std::int64_t{-1}},
                                                              {"h", DType::f16, 1.5},
                                                              {"l", DType::u64, std::int64_t{1} << 40},
                                                              {"b", DType::bf16, -2.5},
                                                              {"d", DType::u8, std::int64_t{255}}});
  CHECK(to_text(small.members) == "int8_t at 0, float16_t at 2, int64_t at 8, int16_t at 16, int8_t at 18");
  REQUIRE(small.bytes.size() == 20);
  std::array<std::uint8_t, 20> bytes{};
  std::memcpy(bytes.data(), small.bytes.data(), bytes.size());
  CHECK(bytes == std::array<std::uint8_t, 20>{0xff, 0, 0, 0x3e, 0, 0, 0,    0,    0,    0,
                                              0,    0, 0, 1,    0, 0, 0x20, 0xc0, 0xff, 0});
}

TEST_CASE("a shader tells its local size, bindings and push constants") {
  const ShaderInterface interface = read_interface(module_of());
  CHECK(interface.local_size == std::array<std::uint32_t, 3>{8, 4, 1});
  CHECK(interface.bindings == std::set<std::uint32_t>{1});
  CHECK(interface.uniform.empty());
  CHECK_FALSE(interface.other_sets);
  CHECK_FALSE(interface.float64);
  CHECK(to_text(interface.push) == "int at 0");
}

TEST_CASE("words that are no shader are refused wherever they end") {
  const std::vector<std::uint32_t> whole = module_of();
  CHECK_THROWS_AS(read_interface({}), Failure);
  // Cut within an instruction it is broken; between two it has no entry point, up to there.
  for (std::size_t words = 0; words < 15; ++words) {
    CHECK_THROWS_AS(read_interface(std::span(whole).first(words)), Failure);
  }
  std::vector<std::uint32_t> endless = whole;
  endless[5] = op(0, 17);
  CHECK_THROWS_AS(read_interface(endless), Failure);
  std::vector<std::uint32_t> vertex = whole;
  vertex[11] = 0;
  CHECK_THROWS_AS(read_interface(vertex), Failure);
}

TEST_CASE("float controls go where the specification wants them") {
  const std::vector<std::uint32_t> plain = module_of();
  CHECK(with_float_controls(plain, {}) == plain);
  const std::vector<std::uint32_t> controlled = with_float_controls(plain, {{32, 64}, {32}});
  // Two capabilities, the extension's name, three modes.
  const std::size_t name_words = 1 + std::strlen("SPV_KHR_float_controls") / 4 + 1;
  CHECK(controlled.size() == plain.size() + 2 * 2 + name_words + 3 * 4);
  CHECK(controlled[7] == op(2, 17));
  CHECK(controlled[8] == 4464);
  CHECK(controlled[11] == op(static_cast<std::uint32_t>(name_words), 10));
  CHECK(std::memcmp(&controlled[12], "SPV_KHR_float_controls", 23) == 0);
  // Behind the local size: DenormPreserve 32 of entry point 7.
  const std::vector<std::uint32_t> expected{op(4, 16), 7,  4459,      32, op(4, 16), 7,
                                            4459,      64, op(4, 16), 7,  4461,      32};
  const std::size_t behind_local_size = 21 + 4 + name_words;
  CHECK(std::vector<std::uint32_t>(
            controlled.begin() + static_cast<std::ptrdiff_t>(behind_local_size),
            controlled.begin() + static_cast<std::ptrdiff_t>(behind_local_size + 12)) == expected);
  // From version 1.4 on it needs no extension.
  CHECK(with_float_controls(module_of(0x00010400), {{32}, {}}).size() == plain.size() + 2 + 4);
}

TEST_CASE("time stamps count what bits there are, and may begin anew") {
  CHECK(between_stamps(10, 25, 64, 1.0) == 15);
  CHECK(between_stamps(10, 25, 64, 10.0) == 150);
  CHECK(between_stamps(~std::uint64_t{0} - 4, 5, 64, 1.0) == 10);
  CHECK(between_stamps(0xffff'fff0, 0x10, 32, 1.0) == 32);
  // What is above the bits is anything.
  CHECK(between_stamps(0xab0'ffff'fff0, 0xcd1'0000'0010, 36, 1.0) == 32);
}

TEST_CASE("the rate of time stamps is known once readings are far enough apart") {
  const ClockReading first{1000, 5'000'000, 400};
  // 10 ms of the host, ticks of 2 ns; 800 ns of deviation are 0.08 %.
  const auto rate = clock_rate(first, {1000 + 5'000'000, 15'000'000, 400}, 64, 2.0);
  REQUIRE(rate);
  CHECK(*rate == 1.0);
  CHECK(clock_rate(first, {1000 + 5'500'000, 15'000'000, 400}, 64, 2.0) == 1.1);
  CHECK_FALSE(clock_rate(first, {1000 + 350'000, 5'700'000, 400}, 64, 2.0));
  CHECK_FALSE(clock_rate(first, first, 64, 2.0));
  CHECK_FALSE(clock_rate(first, {2000, 4'000'000, 0}, 64, 2.0));
  // Stamps of 24 bits begin anew every 33 ms.
  CHECK(clock_rate(first, {1000 + 5'000'000, 15'000'000, 400}, 24, 2.0) == 1.0);
  CHECK_FALSE(clock_rate(first, {1000, 5'000'000 + 33'554'432, 400}, 24, 2.0));
}
