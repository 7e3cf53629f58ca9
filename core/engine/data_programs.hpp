// Programs of a config that make inputs and truths (`[workload.NAME.data]`): asked once for each problem
// and seed, before anything reads what they write.
#pragma once

#include <benchctl/disk_cache.hpp>

#include "model/point.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace benchctl {

/// Throws ConfigErrors for each workload of these points that has a program.
void refuse_data_programs(const Workloads& workloads, const std::vector<Point>& points);

class DataPrograms {
 public:
  /// `interrupted`: the program is stopped.
  DataPrograms(const DiskCache& cache, std::function<bool()> interrupted)
      : cache_(cache), interrupted_(std::move(interrupted)) {}

  /// Makes the files of the point's problem and of this seed, if its workload has a program: those that are
  /// kept, or else by asking it; `keep`: for later runs. Returns the keys that they are kept under. Throws
  /// Failure with the program's place in the config and its last output, or WorkerLost when interrupted.
  std::vector<std::string> make(const Workload& workload, const Point& point, std::uint64_t seed,
                                bool keep);
  /// Deletes them.
  static void forget(const Workload& workload, const Point& point, std::uint64_t seed);

 private:
  const DiskCache& cache_;
  std::function<bool()> interrupted_;
};

}  // namespace benchctl
