// Cores near a card, read from a folder that stands for the kernel's view of a machine.
#include "observe/places.hpp"
#include "support/paths.hpp"

#include <benchctl/cpu_packages.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fmt/format.h>

#include <numeric>
#include <thread>

using namespace benchctl;

namespace {

std::vector<int> first_cores(int count) {
  std::vector<int> cores(static_cast<std::size_t>(count));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

/// Two nodes of eight cores with two threads each, as Linux counts them, and three cards: two near node 0.
void write_machine(const test::TemporaryDirectory& root) {
  for (int cpu = 0; cpu < 32; ++cpu) {
    root.write(fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu),
               fmt::format("{},{}\n", cpu % 16, cpu % 16 + 16));
  }
  const auto card = [&](int number, int node, const char* list) {
    const std::string slot = fmt::format("sys/bus/pci/devices/0000:0{}:00.0/", number);
    root.write(slot + "numa_node", fmt::format("{}\n", node));
    root.write(slot + "local_cpulist", std::string(list) + '\n');
  };
  card(1, 0, "0-7,16-23");
  card(2, 0, "0-7,16-23");
  card(3, 1, "8-15,24-31");
}

const std::vector<std::string> cards{"pci:0000:01:00.0", "pci:0000:02:00.0", "pci:0000:03:00.0"};

}  // namespace

TEST_CASE("cards of one NUMA node get different cores of it, and never threads of one core") {
  const test::TemporaryDirectory root;
  write_machine(root);
  const auto places = places_near(cards, first_cores(32), root.path());
  CHECK(list_of_numbers(places.at(cards[0]).cores) == "0-3,16-19");
  CHECK(list_of_numbers(places.at(cards[1]).cores) == "4-7,20-23");
  CHECK(list_of_numbers(places.at(cards[2]).cores) == "8-15,24-31");
  CHECK(places.at(cards[0]).memory_node == 0);
  CHECK(places.at(cards[2]).memory_node == 1);
  for (const std::string& card : cards) CHECK(places.at(card).doubt.empty());
}

TEST_CASE("cores that the process may not use are left out, and what cannot be had is said") {
  const test::TemporaryDirectory root;
  write_machine(root);
  const auto few = places_near(cards, {2, 18}, root.path());
  CHECK(list_of_numbers(few.at(cards[0]).cores) == "2,18");
  CHECK(few.at(cards[1]).cores == few.at(cards[0]).cores);
  CHECK(few.at(cards[1]).doubt == "2 cards share 1 cores");
  CHECK(few.at(cards[2]).cores.empty());
  CHECK_FALSE(few.at(cards[2]).memory_node);
  CHECK(few.at(cards[2]).doubt == "this process may use none of the cores near it");

  root.write("sys/bus/pci/devices/0000:04:00.0/numa_node", "-1\n");
  root.write("sys/bus/pci/devices/0000:04:00.0/local_cpulist", "0-31\n");
  const std::vector<std::string> others{"pci:0000:04:00.0", "pci:0000:09:00.0", "fake:1"};
  const auto places = places_near(others, first_cores(32), root.path());
  CHECK(list_of_numbers(places.at(others[0]).cores) == "0-31");
  CHECK_FALSE(places.at(others[0]).memory_node);  // a machine with one node says -1
  CHECK(places.at(others[1]).doubt == "the kernel does not tell which cores are near it");
  CHECK(places.at(others[2]).doubt == "its slot is not known");
}

TEST_CASE("numbers that follow one another are listed by their ends") {
  CHECK(list_of_numbers({0, 1, 2, 5, 7, 8}) == "0-2,5,7-8");
  CHECK(list_of_numbers({}).empty());
}

TEST_CASE("a thread is bound to its place, and a place that is not there is refused in words") {
  const std::vector<int> before = allowed_cpus();
  REQUIRE_FALSE(before.empty());
  std::vector<int> bound;
  std::string refusal;
  std::jthread([&] {
    refusal = bind_to({.cores = {before.back()}, .memory_node = {}, .doubt = {}});
    bound = allowed_cpus();
  }).join();
  CHECK(refusal.empty());
  CHECK(bound == std::vector{before.back()});
  CHECK(allowed_cpus() == before);
  std::jthread([&] { refusal = bind_to({.cores = {60'000}, .memory_node = {}, .doubt = {}}); }).join();
  CHECK_THAT(refusal, Catch::Matchers::StartsWith("not bound to cores 60000: "));
}
