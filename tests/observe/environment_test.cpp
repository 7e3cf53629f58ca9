
#include "observe/environment.hpp"
#include "observe/control_groups.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <sched.h>
#include <unistd.h>

using namespace benchctl;

namespace {

struct Machine {
  test::TemporaryDirectory root;
  EnvironmentSources sources{root.path(), {}};

  Machine() { root.write("proc/cpuinfo", "model name : Some CPU\n"); }
  [[nodiscard]] std::string value(const std::string& key) const {
    const Environment environment = collect_environment(sources);
    const std::string* found = environment.find(key);
    return found != nullptr ? *found : "(none)";
  }
};

}  // namespace

TEST_CASE("a quota limits the processors that can be used") {
  const test::TemporaryDirectory root;
  root.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  CHECK(usable_processors(root.path()) == 1);
}

TEST_CASE("what a quota took is known by the group that was held back longest") {
  const test::TemporaryDirectory root;
  CHECK(throttling_so_far(root.path()).seconds == 0);
  root.write("proc/self/cgroup", "0::/slice/leaf\n");
  root.write("sys/fs/cgroup/slice/cpu.stat", "usage_usec 9\nnr_throttled 7\nthrottled_usec 2500000\n");
  root.write("sys/fs/cgroup/slice/leaf/cpu.stat", "nr_throttled 9\nthrottled_usec 100\n");
  const Throttling two = throttling_so_far(root.path());
  CHECK(two.times == 7);
  CHECK(two.seconds == 2.5);
  root.write("proc/self/cgroup", "1:cpu:/\n");
  root.write("sys/fs/cgroup/cpu/cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_time 500000000\n");
  const Throttling one = throttling_so_far(root.path());
  CHECK(one.times == 3);
  CHECK(one.seconds == 0.5);
  CHECK(throttling_text(one, one, 4).empty());
  CHECK(throttling_text(one, two, 4) ==
        "a control group's quota held processes back 4 times, for 2 s of 4 s");
}

TEST_CASE("plugins are in the record with their build and their library") {
  Machine machine;
  machine.sources.plugins = {{"some", "1.2", "GCC 12", "abc"}, {"other", "3", "", ""}};
  const Environment environment = collect_environment(machine.sources);
  CHECK(*environment.find("plugin.some") == "1.2 (GCC 12)");
  CHECK(environment.entry("plugin.some")->entry_class == EnvironmentClass::should_match);
  CHECK(*environment.find("plugin.some.digest") == "abc");
  CHECK(environment.entry("plugin.some.digest")->entry_class == EnvironmentClass::information);
  CHECK(*environment.find("plugin.other.digest") == "unknown");
}

TEST_CASE("the library behind references is in the record") {
  Machine machine;
  CHECK(machine.value("library.blas") == "unknown");
  machine.sources.blas = "openmp, Some BLAS 1.2";
  CHECK(machine.value("library.blas") == "openmp, Some BLAS 1.2");
  const Environment environment = collect_environment(machine.sources);
  CHECK(environment.entry("library.blas")->entry_class == EnvironmentClass::should_match);
  CHECK(*collect_environment({}, "serial, Some BLAS").find("library.blas") == "serial, Some BLAS");
}

TEST_CASE("what the machine does not tell is unknown, and nothing is left out") {
  const test::TemporaryDirectory empty;
  const Environment bare = collect_environment(EnvironmentSources{empty.path(), {}});
  for (const char* key : {"cpu.model", "cpu.hypervisor", "cpu.governor", "cpu.microcode", "cpu.quota",
                          "memory.total", "memory.transparent_hugepage", "system.release", "system.load",
                          "cpu.online", "cpu.turbo", "cpu.smt", "cpu.clock_limits", "memory.numa_nodes",
                          "memory.huge_pages", "system.machine", "system.clock"}) {
    CAPTURE(key);
    REQUIRE(bare.find(key) != nullptr);
    CHECK(*bare.find(key) == "unknown");
  }
  CHECK(bare.entries.size() == collect_environment(Machine().sources).entries.size());
}

TEST_CASE("usable cores are those of the process, not of the machine") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(*collect_environment().find("cpu.usable") == "1");
  sched_setaffinity(0, sizeof before, &before);
  CHECK(*collect_environment().find("cpu.usable") == std::to_string(CPU_COUNT(&before)));
}

TEST_CASE("environment variables are taken by prefix, sorted, with all of their value") {
  Machine machine;
  machine.sources.plugins = {{"one", "1", "test", "", {"CUDA_"}}, {"two", "1", "test", "", {"OPENBLAS_"}}};
  machine.sources.variables = {"OMP_NUM_THREADS=4",    "HOME=/root",        "SECRET_OMP_=x",
                               "CUDA_VISIBLE_DEVICES", "OPENBLAS_X=a=b\nc", "CUDA_CACHE_PATH="};
  const Environment environment = collect_environment(machine.sources);
  std::vector<std::string> keys;
  for (const EnvironmentEntry& entry : environment.entries) {
    if (entry.key.starts_with("env.")) keys.push_back(entry.key);
  }
  CHECK(keys == std::vector<std::string>{"env.CUDA_CACHE_PATH", "env.OMP_NUM_THREADS", "env.OPENBLAS_X"});
  CHECK(environment.find("env.CUDA_CACHE_PATH")->empty());
  CHECK(*environment.find("env.OPENBLAS_X") == "a=b\nc");
  CHECK(worker_environment(environment) == "CUDA_CACHE_PATH=\nOMP_NUM_THREADS=4\nOPENBLAS_X=a=b\nc\n");

  // Variables that only choose devices are recorded, and make no other measurement.
  machine.sources.variables.insert(machine.sources.variables.end(),
                                   {"CUDA_VISIBLE_DEVICES=3", "CUDA_DEVICE_ORDER=PCI_BUS_ID", "CUDA_X=1"});
  const Environment chosen = collect_environment(machine.sources);
  REQUIRE(chosen.find("env.CUDA_VISIBLE_DEVICES") != nullptr);
  CHECK(*chosen.find("env.CUDA_VISIBLE_DEVICES") == "3");
  CHECK(worker_environment(chosen) == "CUDA_CACHE_PATH=\nCUDA_X=1\nOMP_NUM_THREADS=4\nOPENBLAS_X=a=b\nc\n");

  machine.sources.plugins.clear();  // what plugins alone know
  CHECK(worker_environment(collect_environment(machine.sources)) == "OMP_NUM_THREADS=4\n");
}

TEST_CASE("the record has the variables that the process was given, not what plugins add for drivers") {
  REQUIRE(setenv("OMP_BENCHCTL_TEST", "17", 1) == 0);
  CHECK(collect_environment().find("env.OMP_BENCHCTL_TEST") == nullptr);
  unsetenv("OMP_BENCHCTL_TEST");
}

TEST_CASE("keys are unique and classes are as a comparison needs them") {
  const Environment environment = collect_environment();
  std::set<std::string> keys;
  std::set<std::string> must;
  std::set<std::string> information;
  for (const EnvironmentEntry& entry : environment.entries) {
    CHECK(keys.insert(entry.key).second);
    if (entry.entry_class == EnvironmentClass::must_match) must.insert(entry.key);
    if (entry.entry_class == EnvironmentClass::information) information.insert(entry.key);
  }
  CHECK(must == std::set<std::string>{"cpu.model", "cpu.usable", "cpu.hypervisor"});
  CHECK(information == std::set<std::string>{"system.host", "system.load", "system.machine"});
}

TEST_CASE("a record survives JSON") {
  Environment environment = collect_environment();
  environment.entries.push_back({"env.OMP_X", "quote \" µ \n", EnvironmentClass::must_match});
  CHECK(environment_from_json_text(to_json_text(environment)) == environment);
  CHECK(environment_from_json_text("[]").entries.empty());
  CHECK_THROWS_AS(environment_from_json_text("{"), std::invalid_argument);
  CHECK_THROWS_AS(environment_from_json_text(R"([{"key":"a","value":"b"}])"), std::invalid_argument);
  CHECK_THROWS_AS(environment_from_json_text(R"([{"key":"a","value":"b","class":"x"}])"),
                  std::invalid_argument);
}

TEST_CASE("the slot of a device is read from the kernel's view of the bus") {
  const test::TemporaryDirectory root;
  const std::string slot = "sys/bus/pci/devices/0000:65:00.0/";
  root.write(slot + "max_link_speed", "32.0 GT/s PCIe\n");
  root.write(slot + "max_link_width", "16\n");
  root.write(slot + "current_link_speed", "2.5 GT/s PCIe\n");
  root.write(slot + "numa_node", "1\n");
  DeviceInfo device;
  device.physical = "pci:0000:65:00.0";
  add_bus_properties(device, root.path());
  CHECK(device.properties.at("pcie_link_max") == "32.0 GT/s PCIe x16");
  CHECK_FALSE(device.properties.contains("pcie_link_now"));  // its width is missing
  CHECK(device.properties.at("numa_node") == "1");
  DeviceInfo other = device;
  other.physical = "cpu:package-0";
  other.properties.clear();
  add_bus_properties(other, root.path());
  CHECK(other.properties.empty());
}
