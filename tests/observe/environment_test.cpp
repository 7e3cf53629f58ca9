
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

  Machine() {
    root.write("proc/cpuinfo",
               "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\nmicrocode\t: 0xd0\n"
               "flags\t\t: fpu hypervisor avx\n\nprocessor\t: 1\nmodel name\t: Another\n");
    root.write("proc/meminfo", "MemTotal:       16302032 kB\nMemFree: 1 kB\n");
    root.write("proc/loadavg", "0.52 0.41 0.33 1/300 12345\n");
    root.write("etc/os-release", "NAME=x\nPRETTY_NAME=\"Some Linux 12\"\n");
    root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    root.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  }
  [[nodiscard]] std::string value(const std::string& key) const {
    const Environment environment = collect_environment(sources);
    const std::string* found = environment.find(key);
    return found != nullptr ? *found : "(none)";
  }
};

}  // namespace

TEST_CASE("the record reads what the machine tells") {
  const Machine machine;
  CHECK(machine.value("cpu.model") == "Some CPU @ 3 GHz");
  CHECK(machine.value("cpu.microcode") == "0xd0");
  CHECK(machine.value("cpu.hypervisor") == "yes");
  CHECK(machine.value("cpu.governor") == "powersave");
  CHECK(machine.value("cpu.quota") == "2 processors");
  CHECK(machine.value("memory.total") == "16302032 kB");
  CHECK(machine.value("memory.transparent_hugepage") == "madvise");
  CHECK(machine.value("system.release") == "Some Linux 12");
  CHECK(machine.value("system.load") == "0.52 0.41 0.33");
  CHECK(machine.value("build.benchctl") == BENCHCTL_VERSION);
  CHECK(machine.value("build.flags").find("-O") != std::string::npos);
  CHECK(machine.value("no.such.key") == "(none)");
  // The flag is a word, not a part of one.
  machine.root.write("proc/cpuinfo", "flags : fpu nohypervisor hypervisor2\n");
  CHECK(machine.value("cpu.hypervisor") == "no");
}

TEST_CASE("clocks, threads, nodes and pages of a machine") {
  Machine machine;
  const std::string cpu = "sys/devices/system/cpu/";
  machine.root.write(cpu + "online", "0-63\n");
  machine.root.write(cpu + "smt/active", "1\n");
  machine.root.write(cpu + "cpufreq/boost", "0\n");
  machine.root.write(cpu + "cpu0/cpufreq/scaling_min_freq", "800000\n");
  machine.root.write(cpu + "cpu0/cpufreq/scaling_max_freq", "3500000\n");
  machine.root.write(cpu + "cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n");
  machine.root.write("sys/devices/system/node/online", "0-1\n");
  machine.root.write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "12\n");
  machine.root.write("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
  machine.root.write("sys/class/dmi/id/product_name", "Some Server\n");
  CHECK(machine.value("cpu.online") == "0-63");
  CHECK(machine.value("cpu.smt") == "on");
  CHECK(machine.value("cpu.turbo") == "off");
  CHECK(machine.value("cpu.clock_limits") == "800000 to 3500000 kHz");
  CHECK(machine.value("cpu.frequency_driver") == "acpi-cpufreq");
  CHECK(machine.value("memory.numa_nodes") == "0-1");
  CHECK(machine.value("memory.huge_pages") == "1048576kB pages: 0, 2048kB pages: 12");
  CHECK(machine.value("system.machine") == "Some Server");
  // This driver's switch says the opposite, and it is the one that counts.
  machine.root.write(cpu + "intel_pstate/no_turbo", "0\n");
  CHECK(machine.value("cpu.turbo") == "on");
}

TEST_CASE("limits are those of the nearest control group that sets one, the quota the tightest") {
  Machine machine;
  machine.root.write("proc/self/cgroup", "0::/system.slice/bench.scope\n");
  CHECK(machine.value("cpu.quota") == "2 processors");  // of the root
  CHECK(machine.value("memory.limit") == "unknown");
  machine.root.write("sys/fs/cgroup/system.slice/cpu.max", "max 100000\n");
  machine.root.write("sys/fs/cgroup/system.slice/bench.scope/memory.max", "1073741824\n");
  machine.root.write("sys/fs/cgroup/system.slice/bench.scope/cpuset.cpus.effective", "0-3\n");
  // All groups above limit, too.
  CHECK(machine.value("cpu.quota") == "2 processors");
  machine.root.write("sys/fs/cgroup/system.slice/cpu.max", "50000 100000\n");
  machine.root.write("sys/fs/cgroup/system.slice/bench.scope/cpu.max", "max 100000\n");
  CHECK(machine.value("cpu.quota") == "0.5 processors");
  CHECK(processor_quota(machine.root.path()) == 0.5);
  CHECK(usable_processors(machine.root.path()) == 1);
  CHECK(machine.value("memory.limit") == "1073741824");
  CHECK(machine.value("cpu.set") == "0-3");
}

TEST_CASE("limits of control groups of version 1") {
  const test::TemporaryDirectory root;
  root.write("proc/self/cgroup", "4:memory:/a\n2:cpu:/a\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4096\n");
  const Environment environment = collect_environment(EnvironmentSources{root.path(), {}});
  CHECK(*environment.find("cpu.quota") == "none");
  CHECK(*environment.find("memory.limit") == "4096");
  root.write("proc/self/cgroup", "0::/x\n4:memory:/a\n2:cpuacct,cpu:/a/b\n");
  root.write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "150000\n");
  root.write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n");
  CHECK(processor_quota(root.path()) == 1.5);
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

TEST_CASE("a container shows itself by a file or by its group") {
  Machine machine;
  CHECK(machine.value("system.container") == "none");
  machine.root.write("proc/self/cgroup", "12:pids:/kubepods/burstable/pod1\n");
  CHECK(machine.value("system.container") == "kubernetes");
  machine.root.write(".dockerenv", "");
  CHECK(machine.value("system.container") == "docker");
  machine.root.write("run/systemd/container", "lxc\n");
  CHECK(machine.value("system.container") == "lxc");
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

TEST_CASE("variables of the process reach the record") {
  REQUIRE(setenv("OMP_BENCHCTL_TEST", "17", 1) == 0);
  CHECK(*collect_environment().find("env.OMP_BENCHCTL_TEST") == "17");
  unsetenv("OMP_BENCHCTL_TEST");
  CHECK(collect_environment().find("env.OMP_BENCHCTL_TEST") == nullptr);
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
