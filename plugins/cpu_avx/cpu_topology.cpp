#include "cpu_topology.hpp"

#include <cpuid.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace benchctl::cpu_avx {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string cpu_folder(int cpu) { return "/sys/devices/system/cpu/cpu" + std::to_string(cpu); }

/// A number with an optional unit as in "32768K"; 0 when there is none.
std::uint64_t parse_size(const std::string& text) {
  std::istringstream stream(text);
  std::uint64_t number = 0;
  char unit = 0;
  if (!(stream >> number)) return 0;
  stream >> unit;
  if (unit == 'K') return number << 10;
  if (unit == 'M') return number << 20;
  return number;
}

std::uint64_t configured(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

std::vector<int> affinity_mask() {
  // A machine may have more processors than a fixed cpu_set_t holds.
  for (int capacity = CPU_SETSIZE; capacity <= CPU_SETSIZE * 64; capacity *= 2) {
    std::vector<cpu_set_t> set(static_cast<std::size_t>(capacity / CPU_SETSIZE));
    const std::size_t bytes = set.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, set.data()) != 0) continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.data())) cpus.push_back(cpu);
    }
    return cpus;
  }
  return {0};
}

struct Cache {
  int level = 0;
  bool instructions = false;
  std::uint64_t bytes = 0;
  std::string shared_by;
};

std::vector<Cache> caches_of(int cpu) {
  std::vector<Cache> caches;
  for (int index = 0;; ++index) {
    const std::string folder = cpu_folder(cpu) + "/cache/index" + std::to_string(index);
    const std::string level = first_line(folder + "/level");
    if (level.empty()) return caches;
    caches.push_back({std::atoi(level.c_str()), first_line(folder + "/type") == "Instruction",
                      parse_size(first_line(folder + "/size")), first_line(folder + "/shared_cpu_list")});
  }
}

void read_caches(Topology& topology) {
  int last_level = 0;
  std::map<std::string, std::uint64_t> last;
  for (const int cpu : topology.cores) {
    for (const Cache& cache : caches_of(cpu)) {
      if (cache.instructions || cache.level < last_level) continue;
      if (cache.level > last_level) last.clear();
      last_level = cache.level;
      last[cache.shared_by] = cache.bytes;
    }
  }
  for (const auto& [shared_by, bytes] : last) {
    topology.last_level_cache_bytes = std::max(topology.last_level_cache_bytes, bytes);
    topology.last_level_cache_total_bytes += bytes;
  }
  for (const Cache& cache : caches_of(topology.cores.front())) {
    if (cache.instructions) continue;
    if (cache.level == 1) topology.l1d_bytes = cache.bytes;
    if (cache.level == 2) topology.l2_bytes = cache.bytes;
  }
  if (topology.l1d_bytes == 0) topology.l1d_bytes = configured(_SC_LEVEL1_DCACHE_SIZE);
  if (topology.l2_bytes == 0) topology.l2_bytes = configured(_SC_LEVEL2_CACHE_SIZE);
  if (topology.last_level_cache_bytes == 0) {
    topology.last_level_cache_bytes = std::max(configured(_SC_LEVEL3_CACHE_SIZE), topology.l2_bytes);
    topology.last_level_cache_total_bytes = topology.last_level_cache_bytes;
  }
}

/// The value of a "key : value" line of /proc/cpuinfo's first processor.
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t key_end = line.find_last_not_of(" \t", colon - 1);
    if (line.compare(0, key_end + 1, key) != 0) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

std::uint64_t installed_memory() { return configured(_SC_PHYS_PAGES) * configured(_SC_PAGESIZE); }

/// Smallest limit of the control groups from this process's own up to the root, versions 2 and 1; the
/// greatest number where there is none.
std::uint64_t control_group_limit() {
  std::uint64_t limit = ~std::uint64_t{0};
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers.find("memory") == std::string::npos) continue;
    const std::string root = controllers.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const std::string file = controllers.empty() ? "/memory.max" : "/memory.limit_in_bytes";
    std::string group = line.substr(second + 1);
    for (;;) {
      const std::uint64_t bytes = parse_size(first_line(root + (group == "/" ? "" : group) + file));
      if (bytes != 0) limit = std::min(limit, bytes);
      if (group.empty() || group == "/") break;
      group.erase(group.find_last_of('/'));
    }
  }
  return limit;
}

/// Enhanced rep movsb and stosb: leaf 7, EBX bit 9.
bool quick_strings() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & (1U << 9)) != 0;
}

bool disabled(const std::string& feature) {
  const char* text = std::getenv("BENCHCTL_CPU_AVX_DISABLE");
  std::istringstream names(text != nullptr ? text : "");
  for (std::string name; std::getline(names, name, ',');) {
    if (name == feature) return true;
  }
  return false;
}

bool intel_since_ice_lake() {
  __builtin_cpu_init();
  return __builtin_cpu_is("intel") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
}

}  // namespace

Topology read_topology() {
  Topology topology;
  topology.logical = affinity_mask();
  std::set<std::string> seen;
  for (const int cpu : topology.logical) {
    std::string core = first_line(cpu_folder(cpu) + "/topology/thread_siblings_list");
    if (core.empty()) core = std::to_string(cpu);
    if (seen.insert(core).second) topology.cores.push_back(cpu);
  }
  read_caches(topology);
  return topology;
}

std::vector<std::string> cpu_features() {
  __builtin_cpu_init();
  std::vector<std::string> features;
  const auto add = [&features](bool present, const char* name) {
    if (present && !disabled(name)) features.emplace_back(name);
  };
  add(__builtin_cpu_supports("avx2") != 0, "avx2");
  add(__builtin_cpu_supports("fma") != 0, "fma");
  add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
  add(__builtin_cpu_supports("avx512vl") != 0, "avx512vl");
  add(quick_strings(), "erms");
  return features;
}

double most_operations_per_second(std::size_t cores) {
  constexpr double hertz = 6.5e9;
  // An addition and a multiplication each, in two units: of 16 bits in tiles, in 512, 256 and 128 bits.
  constexpr double in_tiles = 2048;
  constexpr double in_512 = 128;
  constexpr double in_256 = 64;
  constexpr double in_128 = 32;
  constexpr unsigned amx_bf16 = 1U << 22;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  double per_cycle = in_128;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & amx_bf16) != 0) {
    per_cycle = in_tiles;
  } else if (__builtin_cpu_supports("avx512f") != 0) {
    per_cycle = in_512;
  } else if (__builtin_cpu_supports("avx2") != 0) {
    per_cycle = in_256;
  }
  return static_cast<double>(cores) * hertz * per_cycle;
}

bool half_vectors_shuffle_faster() { return intel_since_ice_lake(); }

bool stores_wait_for_lines() { return intel_since_ice_lake(); }

CpuIdentity read_identity() {
  CpuIdentity identity{cpuinfo("model name"), cpuinfo("vendor_id"), cpuinfo("microcode")};
  if (identity.name.empty()) identity.name = "x86-64 processor";
  if (identity.vendor == "AuthenticAMD") identity.vendor = "AMD";
  if (identity.vendor == "GenuineIntel") identity.vendor = "Intel";
  return identity;
}

std::uint64_t memory_limit_bytes() { return std::min(installed_memory(), control_group_limit()); }

}  // namespace benchctl::cpu_avx
