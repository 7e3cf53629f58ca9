// What a session works with: the processor as found, and its threads.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_topology.hpp"
#include "thread_pool.hpp"

namespace benchctl::cpu_avx {

struct Machine {
  Machine() : topology(read_topology()), features(cpu_features()), pool(topology.cores) {}

  [[nodiscard]] bool has(std::string_view feature) const {
    return std::ranges::find(features, feature) != features.end();
  }

  Topology topology;
  std::vector<std::string> features;
  ThreadPool pool;
};

}  // namespace benchctl::cpu_avx
