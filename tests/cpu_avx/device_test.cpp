// The device as the plugin describes it, its buffers, and how samples are taken.
#include <sched.h>
#include <unistd.h>

#include <benchctl/cpu_packages.hpp>

#include <cstdlib>

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

SampleRequest request(std::uint32_t batch, std::uint32_t count) {
  SampleRequest wanted;
  wanted.batch = batch;
  wanted.count = count;
  return wanted;
}

}  // namespace

TEST_CASE("there is one device, this machine's processor") {
  const auto plugin = load_cpu_avx();
  CHECK(plugin->info().name == "cpu_avx");
  const DeviceList list = plugin->backend()->devices();
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
  const auto plugin = load_cpu_avx();
  const cpu_set_t before = own_affinity();
  const std::uint32_t cores = plugin->backend()->devices().devices.at(0).compute_units;
  CHECK(cores <= static_cast<std::uint32_t>(CPU_COUNT(&before)));
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) last = cpu;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  const std::uint32_t narrowed = plugin->backend()->devices().devices.at(0).compute_units;
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
  CHECK(narrowed == 1);
}

TEST_CASE("an instruction set that is missing makes its variants unsupported") {
  const auto plugin = load_cpu_avx();
  const Setting setting("BENCHCTL_CPU_AVX_DISABLE", "avx512f,fma");
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  CHECK_FALSE(offers(device, "avx512f"));
  CHECK_FALSE(offers(device, "fma"));
  CHECK(device.architecture == "x86-64");
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 4, 4, 4);
  const Failure wide = failure_of([&] { product.prepare(variant_named(*plugin->backend(), "avx512")); });
  CHECK(wide.kind() == FailureKind::unsupported);
  CHECK_THAT(wide.what(), ContainsSubstring("'avx512'") && ContainsSubstring("instruction set avx512f"));
  const Failure fused = failure_of([&] { product.prepare(variant_named(*plugin->backend(), "avx2")); });
  CHECK_THAT(fused.what(), ContainsSubstring("instruction set fma"));
  CHECK_NOTHROW(product.prepare(variant_named(*plugin->backend(), "naive")));
}

TEST_CASE("a packed product on a processor without AVX-512") {
  const auto plugin = load_cpu_avx();
  const Setting setting("BENCHCTL_CPU_AVX_DISABLE", "avx512vl");
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const VariantInfo& variant = variant_named(*plugin->backend(), "packed");
  if (!runs_on(variant, device)) SKIP("no AVX2");
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 20, 20, 20);
  CHECK(product.prepare(variant)->notes().at("instructions") == "avx2 fma");
  CHECK_THAT(failure_of([&] {
               product.prepare(variant, {{"instructions", std::string("avx512")}});
             }).what(),
             ContainsSubstring("instructions = avx512 needs"));
}

TEST_CASE("buffers are written, filled and read in pieces, and never beyond their end") {
  const auto plugin = load_cpu_avx();
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 8, 8, 8, 2);
  const std::vector<float> piece{1, 2, 3};
  product.problem->write(1, 0, 5 * sizeof(float), std::as_bytes(std::span(piece)));
  product.problem->fill(1, 0, 6 * sizeof(float), sizeof(float), std::byte{0});
  std::vector<float> back(4);
  product.problem->read(1, 0, 4 * sizeof(float), std::as_writable_bytes(std::span(back)));
  CHECK(back == std::vector<float>{product.input(0, 1)[4], 1, 0, 3});
  CHECK(product.surroundings_kept(0));

  std::vector<std::byte> bytes(64);
  const std::uint64_t size = 64 * sizeof(float) + DeviceProduct<float>::guard;
  CHECK_NOTHROW(product.problem->read(0, 0, size - 64, bytes));
  CHECK_THROWS_AS(product.problem->read(0, 0, size - 63, bytes), Failure);
  CHECK_THROWS_AS(product.problem->read(0, 0, ~std::uint64_t{0}, bytes), Failure);
  CHECK_THROWS_AS(product.problem->write(0, 3, 0, bytes), Failure);
  CHECK_THROWS_AS(product.problem->fill(2, 0, 0, 4, std::byte{0}), Failure);
}

TEST_CASE("a problem that is no product is refused") {
  const auto plugin = load_cpu_avx();
  const auto session = plugin->backend()->open("0", {});
  ProblemRequest wanted;
  wanted.spec.workload = "matmul";
  wanted.spec.buffers = {{"A", DType::f32, 4, BufferRole::in, Space::device},
                         {"B", DType::f32, 4, BufferRole::in, Space::device},
                         {"C", DType::f32, 4, BufferRole::out, Space::device}};
  wanted.spec.scalars = {{"m", DType::i32, std::int64_t{2}}, {"n", DType::i32, std::int64_t{2}}};
  wanted.allocation = {64, 64, 64};
  PrepareRequest prepare;
  prepare.variant = &variant_named(*plugin->backend(), "naive");
  const auto reason = [&] {
    const auto problem = session->create_problem(wanted);
    return std::string(failure_of([&] { static_cast<void>(problem->prepare(prepare)); }).what());
  };
  CHECK_THAT(reason(), ContainsSubstring("'k'"));
  wanted.spec.scalars.push_back({"k", DType::i32, std::int64_t{3}});
  CHECK_THAT(reason(), ContainsSubstring("'A' of 6 f32"));
}

TEST_CASE("the calling thread may run everywhere again after a run and after samples") {
  const auto plugin = load_cpu_avx();
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 8, 8, 8);
  for (const VariantInfo& variant : variants_of(*plugin->backend(), "matmul")) {
    if (!runs_on(variant, plugin->backend()->devices().devices.at(0))) continue;
    const auto prepared = product.prepare(variant);
    prepared->run(0);
    const cpu_set_t after_run = own_affinity();
    CHECK(CPU_EQUAL(&affinity_at_start, &after_run));
    static_cast<void>(prepared->sample(request(2, 2)));
    const cpu_set_t after_sample = own_affinity();
    CHECK(CPU_EQUAL(&affinity_at_start, &after_sample));
  }
}
