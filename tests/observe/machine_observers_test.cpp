// Core's own observers: processes, packages' energy, hardware counters.
#include "observe/machine_observers.hpp"
#include "model/metrics.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <thread>

using namespace benchctl;
namespace fs = std::filesystem;

namespace {

DeviceInfo processor() {
  DeviceInfo device;
  device.physical = "cpu:package-0";
  return device;
}

DeviceInfo nvidia_card() {
  DeviceInfo device;
  device.physical = "pci:0000:65:00.0";
  return device;
}

/// Touches so many fresh pages.
void touch(std::size_t pages) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();  // on any thread
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  auto* bytes = static_cast<volatile char*>(memory);
  for (std::size_t i = 0; i < pages; ++i) bytes[i * page] = 1;
  munmap(memory, pages * page);
}

Window window(double seconds, double executions) {
  Window result;
  result.wall_ns = seconds * 1e9;
  result.busy_ns = result.wall_ns;
  result.executions = executions;
  return result;
}

/// A folder with two packages and a zone that is none, as the kernel lays them out.
class Powercap {
 public:
  Powercap() {
    zone("zone:0", "package-0", 1'000'000, 10'000'000);
    zone("zone:0:0", "core", 5, 10'000'000);
    zone("zone:1", "package-1", 9'000'000, 10'000'000);
  }
  void set(const std::string& name, std::uint64_t microjoules) const {
    folder_.write(name + "/energy_uj", std::to_string(microjoules) + "\n");
  }
  [[nodiscard]] const fs::path& path() const { return folder_.path(); }

 private:
  void zone(const std::string& name, const std::string& label, std::uint64_t now,
            std::uint64_t range) const {
    fs::create_directories(folder_.path() / name);
    folder_.write(name + "/name", label + "\n");
    folder_.write(name + "/max_energy_range_uj", std::to_string(range) + "\n");
    set(name, now);
  }
  test::TemporaryDirectory folder_;
};

/// What a watch reads in a window in which `act` is done.
Readings read_while(Watch& watch, const Window& window, const std::function<void()>& act) {
  Readings readings;
  watch.begin();
  act();
  watch.end(window, readings);
  return readings;
}

const std::vector<std::string> energy_id{"energy"};

}  // namespace

TEST_CASE("every reading of core's observers is an observed metric with the same unit") {
  for (const Observer* observer : machine_observers()) {
    for (const ReadingInfo& reading : observer->readings()) {
      INFO(reading.id);
      const MetricInfo* metric = find_metric(reading.id);
      REQUIRE(metric != nullptr);
      CHECK(metric->observed);
      CHECK(metric->unit == reading.unit);
      CHECK_FALSE(reading.doc.empty());
    }
  }
}

TEST_CASE("stolen time is that of the processors in use") {
  const test::TemporaryDirectory folder;
  const fs::path stat = folder.write("stat",
                                     "cpu  9 9 9 9 9 9 9 900 0 0\n"
                                     "cpu0 1 1 1 1 1 1 1 3 0 0\n"
                                     "cpu1 1 1 1 1 1 1 1 50 0 0\n"
                                     "cpu2 1 1 1 1 1 1 1 4 0 0\n"
                                     "intr 12345\n");
  const double tick = 1e9 / static_cast<double>(sysconf(_SC_CLK_TCK));
  CHECK(stolen_ns(stat, std::vector<int>{0, 2}) == 7 * tick);
  CHECK(stolen_ns(stat, std::vector<int>{1}) == 50 * tick);
  CHECK(stolen_ns(stat, std::vector<int>{7}) == 0);
  CHECK_THROWS_AS(stolen_ns(folder.path() / "nothing", std::vector<int>{0}), std::runtime_error);
}

TEST_CASE("page faults belong to the sample in which they happen, or to the block") {
  TableObserver observer = disturbance_observer();
  const std::vector<std::string> ids{"page_faults", "context_switches", "steal_ns"};
  const auto watch = observer.watch(processor(), ids);
  REQUIRE(watch != nullptr);
  Window block = window(1, 2);
  block.by_sample = true;
  Readings readings = read_while(*watch, block, [&] {
    watch->begin_sample();
    watch->end_sample();
    touch(500);
    watch->begin_sample();
    touch(1000);
    watch->end_sample();
  });
  REQUIRE(readings.values.at("page_faults").size() == 2);
  CHECK(readings.values.at("page_faults")[0] < 100);
  CHECK(readings.values.at("page_faults")[1] >= 1000);
  CHECK(readings.values.at("page_faults")[1] < 1400);
  CHECK(readings.values.at("context_switches").size() == 2);
  REQUIRE(readings.values.at("steal_ns").size() == 1);
  CHECK(readings.values.at("steal_ns")[0] >= 0);

  block.by_sample = false;
  readings = read_while(*watch, block, [] { touch(700); });
  REQUIRE(readings.values.at("page_faults").size() == 1);
  CHECK(readings.values.at("page_faults")[0] >= 700);
  CHECK(observer.watch(nvidia_card(), ids) == nullptr);
}

TEST_CASE("context switches of all threads are counted") {
  TableObserver observer = disturbance_observer();
  const auto watch = observer.watch(processor(), std::vector<std::string>{"context_switches"});
  const Readings readings = read_while(*watch, window(1, 1), [] {
    std::thread([] {
      for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }).join();
  });
  CHECK(readings.values.at("context_switches").front() >= 20);
  CHECK(readings.values.size() == 1);
}

TEST_CASE("the peak of host memory is that of the window") {
  TableObserver observer = host_memory_observer();
  const auto watch = observer.watch(nvidia_card(), std::vector<std::string>{"peak_host_bytes"});
  const auto peak = [&](std::size_t pages) {
    const Readings readings = read_while(*watch, window(1, 1), [&] { touch(pages); });
    return readings.values.at("peak_host_bytes").front();
  };
  const double before = peak(1);
  CHECK(before > 1e5);
  CHECK(peak(16384) > before + 50e6);  // 64 MiB, gone again at the end
}

TEST_CASE("the energy of all packages is shared among the executions, across a counter that starts again") {
  const Powercap powercap;
  TableObserver observer = package_energy_observer(powercap.path());
  const auto watch = observer.watch(processor(), energy_id);
  REQUIRE(watch != nullptr);
  const Readings readings = read_while(*watch, window(1, 100), [&] {
    powercap.set("zone:0", 4'000'000);    // 3 J
    powercap.set("zone:1", 500'000);      // 1.5 J: 9 to 10, then to 0.5
    powercap.set("zone:0:0", 8'000'000);  // a part of package 0
  });
  CHECK(readings.absent.empty());
  CHECK_THAT(readings.values.at("energy").front(), WithinRel(0.045, 1e-9));
  CHECK(watch->pass_seconds() > 0);
}

TEST_CASE("energy is absent where a window says little about executions") {
  const Powercap powercap;
  TableObserver observer = package_energy_observer(powercap.path());
  const auto watch = observer.watch(processor(), energy_id);
  const auto reason = [&](const Window& of) {
    const Readings readings = read_while(*watch, of, [] {});
    CHECK(readings.values.empty());
    return readings.absent.at("energy");
  };
  CHECK_THAT(reason(window(0.1, 1)), ContainsSubstring("too short"));
  Window idle = window(1, 1);
  idle.busy_ns = 0.5e9;
  CHECK_THAT(reason(idle), ContainsSubstring("50 % of the pass"));
  Window cold = window(1, 1);
  cold.only_executions = false;
  CHECK_THAT(reason(cold), ContainsSubstring("between executions"));
}

TEST_CASE("packages without a counter are said to be missing") {
  const test::TemporaryDirectory folder;
  TableObserver none = package_energy_observer(folder.path() / "nothing");
  CHECK(none.watch(nvidia_card(), energy_id) == nullptr);
  CHECK_THROWS_WITH(none.watch(processor(), energy_id), ContainsSubstring("no package"));
  fs::create_directories(folder.path() / "zone");
  folder.write("zone/name", "package-0\n");
  folder.write("zone/max_energy_range_uj", "100\n");
  TableObserver unreadable = package_energy_observer(folder.path());
  CHECK_THROWS_WITH(unreadable.watch(processor(), energy_id),
                    ContainsSubstring("energy_uj cannot be read"));
}

TEST_CASE("events of all threads are counted by sample, per execution") {
  TableObserver observer =
      perf_observer({{"page_faults_seen", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page faults"}});
  REQUIRE(observer.readings().size() == 1);
  CHECK(observer.readings()[0].on_request);
  const std::vector<std::string> ids{"page_faults_seen"};
  CHECK(observer.watch(nvidia_card(), ids) == nullptr);
  std::atomic<int> wanted{0};
  std::atomic<int> done{0};
  std::thread other([&] {
    for (int turn = 1; turn <= 2; ++turn) {
      wanted.wait(turn - 1);
      touch(turn == 1 ? 200 : 1000);
      done = turn;
      done.notify_one();
    }
  });
  const auto let_it = [&](int turn) {
    wanted = turn;
    wanted.notify_one();
    done.wait(turn - 1);
  };
  const auto watch = observer.watch(processor(), ids);
  watch->begin();
  watch->begin_sample();
  let_it(1);
  watch->end_sample();
  touch(3000);  // between the samples: in none
  watch->begin_sample();
  let_it(2);
  touch(500);
  watch->end_sample();
  other.join();
  Window block = window(1, 20);
  block.by_sample = true;
  block.batch = 10;
  Readings readings;
  watch->end(block, readings);
  if (readings.absent.contains("page_faults_seen")) SKIP(readings.absent.at("page_faults_seen"));
  const std::vector<double>& values = readings.values.at("page_faults_seen");
  REQUIRE(values.size() == 2);
  CHECK(values[0] >= 20);
  CHECK(values[0] < 60);
  CHECK(values[1] >= 150);
  CHECK(values[1] < 200);
}

TEST_CASE("counters of a whole block are those of its executions, unless something else is in it") {
  TableObserver observer =
      perf_observer({{"page_faults_seen", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page faults"}});
  const auto watch = observer.watch(processor(), std::vector<std::string>{"page_faults_seen"});
  Readings readings = read_while(*watch, window(1, 10), [] { touch(1000); });
  if (readings.absent.contains("page_faults_seen")) SKIP(readings.absent.at("page_faults_seen"));
  CHECK(readings.values.at("page_faults_seen").front() >= 100);
  CHECK(readings.values.at("page_faults_seen").front() < 120);
  Window cold = window(1, 10);
  cold.only_executions = false;
  readings = read_while(*watch, cold, [] {});
  CHECK(readings.values.empty());
  CHECK_THAT(readings.absent.at("page_faults_seen"), ContainsSubstring("other work between"));
}

TEST_CASE("an event that this machine does not have is absent with what to do") {
  TableObserver observer = perf_observer({{"nonsense", 0x7ffffff0, 1, "no such event"}});
  const auto watch = observer.watch(processor(), std::vector<std::string>{"nonsense"});
  const Readings readings = read_while(*watch, window(1, 1), [] {});
  CHECK(readings.values.empty());
  CHECK_FALSE(readings.absent.at("nonsense").empty());
  CHECK_THAT(perf_refusal(EACCES), ContainsSubstring("perf_event_paranoid"));
  CHECK_THAT(perf_refusal(EPERM), ContainsSubstring("container"));
  CHECK_THAT(perf_refusal(ENOENT), ContainsSubstring("no such counter"));
  CHECK_THAT(perf_refusal(EINVAL), ContainsSubstring("Invalid argument"));
}
