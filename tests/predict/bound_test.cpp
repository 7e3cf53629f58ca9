// The least time that roofs leave to a demand.
#include "predict/bound.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::predict;

TEST_CASE("the largest bound decides, and what is unknown is named") {
  Demand demand;
  demand.flops = 2e12;
  demand.flop_roof = "fma_f32";
  demand.bytes_read = 1e9;
  demand.shared_bytes = 1e9;
  const Roofs roofs{{"fma_f32", 50e12}, {"dram_read", 3e12}};
  const Bound bound = least_time(demand, roofs);
  CHECK(bound.by == "fma_f32");
  CHECK(bound.seconds == Approx(0.04));
  CHECK(bound.missing == "shared");
  CHECK(least_time(demand, {}).seconds == 0);
}

TEST_CASE("a kernel begins when it has been launched, each of its launches") {
  const Roofs roofs{{"dram_read", 1e12}, {"launch", 5e5}};
  Demand demand;
  demand.bytes_read = 1e6;
  CHECK(least_time(demand, roofs).seconds == Approx(1e-6));  // which roof of launches applies was not said
  demand.launch_roof = "launch";
  CHECK(least_time(demand, roofs).seconds == Approx(3e-6));
  CHECK(least_time(demand, roofs).by == "launch");
  demand.launches = 3;
  CHECK(least_time(demand, roofs).seconds == Approx(7e-6));
  demand.bytes_read = 1e9;
  CHECK(least_time(demand, roofs).seconds == Approx(1.006e-3));
  CHECK(least_time(demand, roofs).by == "dram_read");
  demand.launch_roof = "launch_ungated";
  CHECK(least_time(demand, roofs).seconds == Approx(1e-3));
  CHECK(least_time(demand, roofs).missing.empty());
  demand.bytes_read = 0;
  demand.launch_roof = "launch";
  CHECK(least_time(demand, roofs).seconds == 0);
}

TEST_CASE("where the host launches while the device works, the longer of both decides") {
  const Roofs roofs{{"dram_read", 1e12}, {"launch_host_sync", 5e5}};
  Demand demand;
  demand.launch_roof = "launch_host_sync";
  demand.launch_cost = LaunchCost::beside;
  demand.bytes_read = 1e6;
  CHECK(least_time(demand, roofs).seconds == Approx(2e-6));
  CHECK(least_time(demand, roofs).by == "launch_host_sync");
  demand.bytes_read = 1e9;
  CHECK(least_time(demand, roofs).seconds == Approx(1e-3));
  CHECK(least_time(demand, roofs).by == "dram_read");
}

TEST_CASE("reads, writes and both run under roofs of their own") {
  const Roofs roofs{{"dram_read", 4e12}, {"dram_write", 5e12}, {"dram_copy", 2e12}};
  CHECK(memory_time(8e6, 0, roofs).by == "dram_read");
  CHECK(memory_time(8e6, 8e4, roofs).seconds == Approx(2.02e-6));  // 1 % of writes do not make a copy
  CHECK(memory_time(0, 1e7, roofs).seconds == Approx(2e-6));
  CHECK(memory_time(0, 1e7, roofs).by == "dram_write");
  CHECK(memory_time(1e6, 1e6, roofs).seconds == Approx(1e-6));
  CHECK(memory_time(1e6, 1e6, roofs).by == "dram_copy");
  // 2 MB of both at 2 TB/s, 8 MB that are only read at 4 TB/s; 10 MB that are only written at 5 TB/s.
  CHECK(memory_time(9e6, 1e6, roofs).seconds == Approx(3e-6));
  CHECK(memory_time(9e6, 1e6, roofs).by == "dram_read");
  CHECK(memory_time(1e6, 11e6, roofs).seconds == Approx(3e-6));
  // Without a roof of one direction all runs under that of copies; without that, nothing can be said.
  CHECK(memory_time(9e6, 1e6, {{"dram_copy", 2e12}}).seconds == Approx(5e-6));
  CHECK(memory_time(9e6, 1e6, {{"dram_read", 4e12}}).seconds == 0);
  CHECK(memory_time(9e6, 1e6, {{"dram_read", 4e12}}).missing == "dram_copy");
}

TEST_CASE("pieces that stand alone take longer, as far as that was measured") {
  const Roofs roofs{{"dram_read", 4e12}, {"dram_copy", 2e12}, {"dram_read_apart", 2e12}};
  // 2 MB of both at 2 TB/s, 8 MB read at 4 TB/s, and 2 µs more for 8 MB at half the rate.
  CHECK(memory_time(9e6, 1e6, roofs, 8e6).seconds == Approx(5e-6));
  CHECK(memory_time(9e6, 1e6, roofs, 8e6).by == "dram_read_apart");
  CHECK(memory_time(9e6, 1e6, roofs, 4e6).by == "dram_read");
  const Bound unknown = memory_time(9e6, 1e6, {{"dram_read", 4e12}, {"dram_copy", 2e12}}, 8e6);
  CHECK(unknown.seconds == Approx(3e-6));
  CHECK(unknown.missing == "dram_read_apart");
}

TEST_CASE("a working set in cache runs under the cache's roof") {
  Demand demand;
  demand.bytes_read = 1e6;
  demand.bytes_written = 1e6;
  demand.in_cache = true;
  const Bound bound = least_time(demand, {{"cache_read", 4e12}, {"dram_copy", 1e12}});
  CHECK(bound.by == "cache_read");
  CHECK(bound.seconds == Approx(5e-7));
  demand.cache_bytes = 1;
  CHECK(least_time(demand, {}).missing == "cache_read");
}
