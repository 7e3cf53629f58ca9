// The plugin's thread pool by itself; compiled in where the plugin is built.
#include "support/catch.hpp"
#include "thread_pool.hpp"

#include <sched.h>

#include <thread>

#include "cpu_topology.hpp"

using namespace benchctl::cpu_avx;

TEST_CASE("parts cover a range once, in order, in whole granules") {
  for (const std::size_t count : {0U, 1U, 5U, 16U, 17U, 1000U}) {
    for (const std::size_t granule : {1U, 6U, 16U}) {
      for (const unsigned parts : {1U, 2U, 3U, 7U}) {
        CAPTURE(count, granule, parts);
        std::size_t next = 0;
        std::size_t largest = 0;
        for (unsigned number = 0; number < parts; ++number) {
          const Range range = part_of(count, granule, number, parts);
          CHECK(range.begin == next);
          CHECK(range.end >= range.begin);
          CHECK((range.end % granule == 0 || range.end == count));
          largest = std::max(largest, range.end - range.begin);
          next = range.end;
        }
        CHECK(next == count);
        const std::size_t granules = (count + granule - 1) / granule;
        CHECK(largest <= (granules + parts - 1) / parts * granule);
      }
    }
  }
}

TEST_CASE("a pool runs every part once per job, each on its own core") {
  const std::vector<int> cores = read_topology().cores;
  ThreadPool pool(cores);
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(cores.size(), 4));
  CHECK(pool.capacity() == cores.size());
  pool.require(threads);
  std::vector<int> runs(threads);
  std::vector<int> cpu(threads, -1);
  for (int job = 1; job <= 2000; ++job) {
    // Some jobs come late, when the workers sleep.
    if (job % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const unsigned used = job % 3 == 0 ? 1 : threads;
    const std::vector<int> before = runs;
    pool.run(used, [&](unsigned number) {
      ++runs[number];
      cpu[number] = sched_getcpu();
    });
    for (unsigned number = 0; number < threads; ++number) {
      REQUIRE(runs[number] == before[number] + (number < used ? 1 : 0));
    }
  }
  for (unsigned number = 1; number < threads; ++number) CHECK(cpu[number] == pool.core(number));
}
