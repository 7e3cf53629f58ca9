#include "observe/places.hpp"

#include <benchctl/cpu_packages.hpp>

#include "observe/machine.hpp"

#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view pci_scheme = "pci:";
constexpr int most_nodes = 1024;

/// Groups of logical processors that are threads of one core.
std::vector<std::vector<int>> whole_cores(const std::vector<int>& threads, const fs::path& root) {
  std::map<int, std::vector<int>> by_first;
  for (const int thread : threads) {
    const fs::path file =
        root / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", thread);
    const std::vector<int> siblings = parse_cpu_list(machine::first_line(file));
    by_first[siblings.empty() ? thread : siblings.front()].push_back(thread);
  }
  std::vector<std::vector<int>> cores;
  for (auto& [first, core] : by_first) cores.push_back(std::move(core));
  return cores;
}

/// Deals the cores out between the cards that are near them.
void deal(const std::vector<std::vector<int>>& cores, const std::vector<Place*>& cards) {
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const bool own = cores.size() >= cards.size();
    const std::size_t first = own ? i * cores.size() / cards.size() : 0;
    const std::size_t last = own ? (i + 1) * cores.size() / cards.size() : cores.size();
    for (std::size_t core = first; core < last; ++core) {
      cards[i]->cores.insert(cards[i]->cores.end(), cores[core].begin(), cores[core].end());
    }
    std::ranges::sort(cards[i]->cores);
    if (!own) cards[i]->doubt = fmt::format("{} cards share {} cores", cards.size(), cores.size());
  }
}

}  // namespace

std::map<std::string, Place, std::less<>> places_near(const std::vector<std::string>& cards,
                                                      const std::vector<int>& allowed,
                                                      const fs::path& root) {
  std::map<std::string, Place, std::less<>> places;
  std::map<std::vector<int>, std::vector<Place*>> neighbours;  // by the cores that they are near
  for (const std::string& card : cards) {
    Place& place = places[card];
    if (!card.starts_with(pci_scheme)) {
      place.doubt = "its slot is not known";
      continue;
    }
    const fs::path slot = root / "sys/bus/pci/devices" / card.substr(pci_scheme.size());
    const std::vector<int> near = parse_cpu_list(machine::first_line(slot / "local_cpulist"));
    std::vector<int> usable;
    std::ranges::set_intersection(near, allowed, std::back_inserter(usable));
    if (usable.empty()) {
      place.doubt = near.empty() ? "the kernel does not tell which cores are near it"
                                 : "this process may use none of the cores near it";
      continue;
    }
    // -1 on a machine with one node.
    const std::vector<int> node = parse_cpu_list(machine::first_line(slot / "numa_node"));
    if (node.size() == 1 && node[0] < most_nodes) place.memory_node = node[0];
    neighbours[usable].push_back(&place);
  }
  for (const auto& [near, sharing] : neighbours) deal(whole_cores(near, root), sharing);
  return places;
}

std::string bind_to(const Place& place) {
  if (!place.cores.empty()) {
    const auto count = static_cast<std::size_t>(place.cores.back()) + 1;
    cpu_set_t* set = CPU_ALLOC(count);
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(bytes, set);
    for (const int core : place.cores) CPU_SET_S(static_cast<std::size_t>(core), bytes, set);
    const int error = sched_setaffinity(0, bytes, set) == 0 ? 0 : errno;
    CPU_FREE(set);
    if (error != 0) {
      return fmt::format("not bound to cores {}: {}", list_of_numbers(place.cores), std::strerror(error));
    }
  }
  if (!place.memory_node) return {};
  constexpr auto word_bits = 8 * static_cast<int>(sizeof(unsigned long));
  std::array<unsigned long, most_nodes / word_bits> nodes{};
  nodes[static_cast<std::size_t>(*place.memory_node / word_bits)] = 1UL << (*place.memory_node % word_bits);
  if (syscall(SYS_set_mempolicy, MPOL_BIND, nodes.data(), most_nodes) == 0) return {};
  return fmt::format("not bound to the memory of node {}: {}", *place.memory_node, std::strerror(errno));
}

std::string list_of_numbers(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end - i == 1 ? std::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace benchctl
