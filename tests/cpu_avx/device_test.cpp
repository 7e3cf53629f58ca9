// The device as the plugin describes it, its buffers, and how samples are taken.
#include <sched.h>
#include <unistd.h>

#include <benchctl/cpu_packages.hpp>

#include <cstdlib>
#include <span>

#include "cpu_avx/plugin_under_test.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// An environment variable for the length of a scope.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() { unsetenv(name_); }

 private:
  const char* name_;
};

bool offers(const DeviceInfo& device, const char* feature) {
  return std::ranges::find(device.features, feature) != device.features.end();
}

cpu_set_t own_affinity() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  return mask;
}

// Before any test: one that leaves the thread bound must not set the measure for the next.
const cpu_set_t affinity_at_start = own_affinity();

}  // namespace

TEST_CASE("there is one device, this machine's processor") {
  const DeviceList list = gpu_lanes({"cpu_avx"}).front().backend.devices();
  CHECK(list.unavailable.empty());
  REQUIRE(list.devices.size() == 1);
  const DeviceInfo& device = list.devices[0];
  CHECK(device.id == "0");
  CHECK(!device.name.empty());
  CHECK(device.type == DeviceType::cpu);
  CHECK(device.physical == cpu_physical(cpu_packages()));
  CHECK(device.fp64);
  CHECK(device.max_batch == 100'000);
  CHECK(device.timer_step_ns > 0);
  CHECK(device.timer_step_ns < 100'000);
  CHECK(device.last_level_cache_bytes > 0);
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  CHECK(device.limits.memory_bytes > 0);
  CHECK(device.limits.memory_bytes <= pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  CHECK(offers(device, "avx512f") == (__builtin_cpu_supports("avx512f") != 0));
  CHECK(offers(device, "avx2") == (__builtin_cpu_supports("avx2") != 0));
  // No less than one core does with 256 bits at 3 GHz.
  CHECK(std::stod(device.properties.at("peak_any_per_s")) > 3e9 * 32);
  if (offers(device, "avx512f")) CHECK(device.architecture == "x86-64-avx512");
}

TEST_CASE("only cores of the affinity mask count") {
  Backend& backend = gpu_lanes({"cpu_avx"}).front().backend;
  const cpu_set_t before = own_affinity();
  const std::uint32_t cores = backend.devices().devices.at(0).compute_units;
  CHECK(cores <= static_cast<std::uint32_t>(CPU_COUNT(&before)));
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) last = cpu;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  const std::uint32_t narrowed = backend.devices().devices.at(0).compute_units;
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
  CHECK(narrowed == 1);
}

TEST_CASE("an instruction set that is missing makes its variants unsupported") {
  const Setting setting("BENCHCTL_CPU_AVX_DISABLE", "avx512f,fma");
  const Processor cpu;
  CHECK_FALSE(offers(cpu.lane.device, "avx512f"));
  CHECK_FALSE(offers(cpu.lane.device, "fma"));
  CHECK(cpu.lane.device.architecture == "x86-64");
  MatmulProblem product(*cpu.session, {4, 4, 4});
  const Failure wide = failure_of([&] { static_cast<void>(product.prepare(cpu.lane, "avx512")); });
  CHECK(wide.kind() == FailureKind::unsupported);
  CHECK_THAT(wide.what(), ContainsSubstring("'avx512'") && ContainsSubstring("instruction set avx512f"));
  const Failure fused = failure_of([&] { static_cast<void>(product.prepare(cpu.lane, "avx2")); });
  CHECK_THAT(fused.what(), ContainsSubstring("instruction set fma"));
  CHECK_NOTHROW(product.prepare(cpu.lane, "naive"));
}

TEST_CASE("a packed product on a processor without AVX-512") {
  const Setting setting("BENCHCTL_CPU_AVX_DISABLE", "avx512vl");
  const Processor cpu;
  if (!cpu.runs(cpu.matmul("packed"))) SKIP("no AVX2");
  MatmulProblem product(*cpu.session, {20, 20, 20});
  CHECK(product.prepare(cpu.lane, "packed")->notes().at("instructions") == "avx2 fma");
  const Parameters wished{{"instructions", std::string("avx512")}};
  CHECK_THAT(failure_of([&] { static_cast<void>(product.prepare(cpu.lane, "packed", wished)); }).what(),
             ContainsSubstring("instructions = avx512 needs"));
}

TEST_CASE("buffers are written, filled and read in pieces, and never beyond their end") {
  const Processor cpu;
  const MatmulProblem product(*cpu.session, {8, 8, 8}, 2);
  Problem& buffers = product.device();
  const auto part_of_a = [&](std::uint32_t set) {
    std::vector<float> part(4);
    buffers.read(set, 0, 4 * sizeof(float), std::as_writable_bytes(std::span(part)));
    return part;
  };
  const std::vector<float> before = part_of_a(1);
  const std::vector<float> piece{1, 2, 3};
  buffers.write(1, 0, 5 * sizeof(float), std::as_bytes(std::span(piece)));
  buffers.fill(1, 0, 6 * sizeof(float), sizeof(float), std::byte{0});
  CHECK(part_of_a(1) == std::vector<float>{before[0], 1, 0, 3});
  CHECK(part_of_a(0) == before);

  std::vector<std::byte> bytes(64);
  const std::uint64_t size = 64 * sizeof(float) + MatmulProblem::guard_bytes;
  CHECK_NOTHROW(buffers.read(0, 0, size - 64, bytes));
  CHECK_THROWS_AS(buffers.read(0, 0, size - 63, bytes), Failure);
  CHECK_THROWS_AS(buffers.read(0, 0, ~std::uint64_t{0}, bytes), Failure);
  CHECK_THROWS_AS(buffers.write(0, 3, 0, bytes), Failure);
  CHECK_THROWS_AS(buffers.fill(2, 0, 0, 4, std::byte{0}), Failure);
}

TEST_CASE("a problem that is no product is refused") {
  const Processor cpu;
  ProblemRequest wanted{matmul_problem({2, 2, 2}), 1, {64, 64, 64}};
  const auto reason = [&] {
    const auto problem = cpu.session->create_problem(wanted);
    return std::string(failure_of([&] {
                         static_cast<void>(problem->prepare({&cpu.matmul("naive"), {}, {}, {}}));
                       }).what());
  };
  wanted.spec.scalars.back().value = std::int64_t{3};
  CHECK_THAT(reason(), ContainsSubstring("'A' of 6 f32"));
  wanted.spec.scalars.pop_back();
  CHECK_THAT(reason(), ContainsSubstring("'k'"));
}

TEST_CASE("the calling thread may run everywhere again after a run and after samples") {
  const Processor cpu;
  MatmulProblem product(*cpu.session, {8, 8, 8});
  for (const VariantInfo& variant : cpu.variants("matmul")) {
    const auto prepared = product.prepare(cpu.lane, variant.name);
    prepared->run(0);
    const cpu_set_t after_run = own_affinity();
    CHECK(CPU_EQUAL(&affinity_at_start, &after_run));
    static_cast<void>(prepared->sample({.batch = 2, .count = 2}));
    const cpu_set_t after_sample = own_affinity();
    CHECK(CPU_EQUAL(&affinity_at_start, &after_sample));
  }
}
