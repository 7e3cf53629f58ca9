// What a launch passes: numbers out of expressions, local memory, scratch that was prepared, pairs that
// change places; and parameters that do not take it.
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"

#include <cstring>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t elements = 32;

constexpr const char* kernels =
    "__kernel void table(__global int* even, int base) { even[get_global_id(0)] = base + get_global_id(0); "
    "}\n"
    "__kernel void add(__global const int* from, __global int* to, __global const int* even,\n"
    "                  __local int* tile, uint step, float half_of_it) {\n"
    "  const int l = get_local_id(0), i = get_global_id(0);\n"
    "  tile[l] = (step == 0 ? 0 : from[i]) + (int)(2 * half_of_it);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  to[i] = tile[l] + even[i] + (int)step;\n"
    "}\n"
    "__kernel void types(__global int* y, char a, uchar b, short c, ushort d, long e, ulong f, ushort g,\n"
    "                    double h) {\n"
    "  y[0] = a; y[1] = b; y[2] = c; y[3] = d; y[4] = (int)(e >> 32); y[5] = (int)(f >> 32); y[6] = g;\n"
    "  y[7] = (int)(h * 8);\n"
    "}\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "__kernel void halves(__global int* y, half h) { vstore_half((float)h, 0, (__global half*)y); }\n"
    "#endif\n"
    "typedef int index;\n"
    "__kernel void named(__global int* y, index n) { y[get_global_id(0)] = n; }\n";

ProblemSpec problem_of() {
  ProblemSpec spec;
  spec.workload = "rows";
  spec.parameters = {{"n", static_cast<std::int64_t>(elements)}};
  spec.buffers = {{"y", DType::i32, elements, BufferRole::out, Space::device}};
  return spec;
}

LaunchSpec launch_of(const std::string& entry, std::vector<ArgumentSpec> arguments) {
  LaunchSpec launch;
  launch.source = "k.cl";
  launch.entry = entry;
  launch.block = {"8", "1", "1"};
  launch.grid = {"n / 8", "1", "1"};
  launch.arguments = std::move(arguments);
  return launch;
}

/// The outputs of the sequence, run twice.
std::vector<std::int32_t> outputs(const GpuLane& lane, const KernelSpec& spec) {
  const TemporaryDirectory folder;
  folder.write("k.cl", kernels);
  const auto session = lane.open();
  const ProblemSpec problem_spec = problem_of();
  const auto problem = session->create_problem({problem_spec, 1, {problem_spec.bytes()}});
  const VariantInfo variant;
  const KernelPlan plan = plan_kernel(spec, problem_spec.parameters, problem_spec, folder.path());
  const auto prepared = problem->prepare({&variant, {}, plan, {}});
  prepared->run(0);
  prepared->run(0);
  std::vector<std::byte> bytes(problem_spec.bytes());
  problem->read(0, 0, 0, bytes);
  std::vector<std::int32_t> numbers(elements);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

std::string refusal(const GpuLane& lane, const LaunchSpec& launch) {
  const Failure failure = failure_of([&] { static_cast<void>(outputs(lane, {{launch}, {}})); });
  CHECK(failure.kind() == FailureKind::compile_error);
  return failure.what();
}

}  // namespace

TEST_CASE("steps take numbers, local memory, a prepared table and buffers that change places") {
  KernelSpec spec;
  spec.launches = {
      launch_of("add", {"other", "y", "even", {"8 * 4", "local_bytes"}, "step", {"n / 64", "f32"}}),
      launch_of("table", {"even", "100"})};
  spec.launches[1].prepare = true;
  spec.scratch = {{"other", DType::i32, "n", false}, {"even", DType::i32, "n", false}};
  spec.repeat = "3";
  spec.swap = {"other", "y"};
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const std::vector<std::int32_t> numbers = outputs(lane, spec);
    // Each step adds 1, the table's 100 + i and its own number, beginning with 0.
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      CHECK(numbers[i] == 3 * (1 + 100 + static_cast<std::int32_t>(i)) + 0 + 1 + 2);
    }
  }
}

TEST_CASE("numbers of every width arrive as they are") {
  const LaunchSpec launch = launch_of("types", {"y",
                                                {"0 - 128", "i8"},
                                                {"200", "u8"},
                                                {"0 - 30000", "i16"},
                                                {"60000", "u16"},
                                                {"0 - 2 ** 33", "i64"},
                                                {"2 ** 34", "u64"},
                                                {"0 - 2.5", "bf16"},
                                                {"0.125", "f64"}});
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    std::vector<std::int32_t> numbers = outputs(lane, {{launch}, {}});
    numbers.resize(8);
    CHECK(numbers == std::vector<std::int32_t>{-128, 200, -30000, 60000, -2, 4, 0xc020, 1});
    LaunchSpec wrong = launch;
    wrong.arguments[1] = {"5", "i32"};
    if (lane.device.vendor.find("NVIDIA") == std::string::npos)
      CHECK_THAT(refusal(lane, wrong), ContainsSubstring("give it the type i8"));
  }
}

TEST_CASE("a half as parameter takes an extension") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const KernelSpec spec{{launch_of("halves", {"y", {"1.5", "f16"}})}, {}};
    if (lane.device.fp16) {
      CHECK((outputs(lane, spec)[0] & 0xffff) == 0x3e00);
      continue;
    }
    const Failure failure = failure_of([&] { static_cast<void>(outputs(lane, spec)); });
    CHECK(failure.kind() == FailureKind::unsupported);
    CHECK_THAT(failure.what(), HasAll({"takes '1.5' as f16", "no cl_khr_fp16: pass it as f32"}));
  }
}

TEST_CASE("what a parameter does not take is refused before it runs") {
  const GpuLane lane = gpu_lanes({"opencl"}).front();
  if (lane.device.vendor.find("NVIDIA") != std::string::npos) SKIP("tells nothing of binaries");
  const auto add = [](const ArgumentSpec& tile, const ArgumentSpec& step, const ArgumentSpec& half) {
    return launch_of("add", {"y", "y", "y", tile, step, half});
  };
  const ArgumentSpec tile("32", "local_bytes");
  CHECK_THAT(refusal(lane, add(tile, "1", "1")),
             ContainsSubstring("parameter 6 of kernel 'add' is a float, but its description "
                               "passes '1' as i32: give it the type f32"));
  CHECK_THAT(refusal(lane, add(tile, "(0 - 1)", "0.5")), ContainsSubstring("is a uint"));
  CHECK_THAT(refusal(lane, add("y", "1", "0.5")),
             ContainsSubstring("__local int*, but its description passes a buffer"));
  CHECK_THAT(refusal(lane, add(tile, tile, "0.5")),
             ContainsSubstring("32 bytes of local memory: pass a number"));
  CHECK_THAT(refusal(lane, launch_of("table", {"1", "1"})), ContainsSubstring("__global int*"));
  CHECK_NOTHROW(outputs(lane, {{add(tile, "1", "0.5")}, {}}));
  // A type that the file names itself may be anything.
  CHECK(outputs(lane, {{launch_of("named", {"y", "n - 1"})}, {}})[5] == 31);
}

TEST_CASE("images are no arguments, and options of the language reach the compiler") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const auto session = lane.open();
    const ProblemSpec problem_spec = problem_of();
    const auto problem = session->create_problem({problem_spec, 1, {problem_spec.bytes()}});
    const VariantInfo variant;
    const auto prepare = [&](const std::string& text, std::vector<std::string> options) {
      const TemporaryDirectory folder;
      folder.write("k.cl", text);
      LaunchSpec launch = launch_of("k", {"y"});
      launch.options = std::move(options);
      return problem->prepare(
          {&variant,
           {},
           plan_kernel({{launch}, {}}, problem_spec.parameters, problem_spec, folder.path()),
           {}});
    };
    const std::string fast =
        "#ifndef __FAST_RELAXED_MATH__\n#error slow\n#endif\n__kernel void k(__global int* y) { y[0] = 1; "
        "}\n";
    CHECK_NOTHROW(prepare(fast, {"-cl-fast-relaxed-math"}));
    CHECK_THROWS_WITH(prepare(fast, {}), ContainsSubstring("slow"));
    CHECK_THROWS_WITH(prepare(fast, {"-I.."}), ContainsSubstring("the option -I.. is not among"));
    if (lane.device.type != DeviceType::cpu) continue;  // others may have no images
    const Failure image = failure_of([&] { prepare("__kernel void k(read_only image2d_t y) {}\n", {}); });
    CHECK(image.kind() == FailureKind::unsupported);
    CHECK_THAT(image.what(), ContainsSubstring("read a buffer instead"));
  }
}
