// A plan split into parts for several machines. The split follows from the config, the backends and their
// variants alone: every machine with the same installation finds the same one, whatever devices it has.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace benchctl {

/// What a shard has to measure on one device of each backend.
struct ShardLoad {
  std::vector<std::string> problems;  ///< `matmul n=512 dtype=f32`, the longest first
  std::size_t points = 0;
  std::uint64_t searched = 0;  ///< points that searches may try
  double least_seconds = 0;    ///< PlanTotals has both
  double most_seconds = 0;
};

class Shards {
 public:
  /// Splits all points and searches of a config that has passed `validate` into `count` shards. A problem,
  /// with all its layouts, variants and devices, is in one shard. Problems go, those that may take longest
  /// first, each to the shard that has least so far; of equal times the one with more work comes first.
  /// `backends`: those of the command line; empty: all.
  Shards(const Config& config, const Catalogue& catalogue, const std::vector<std::string>& backends,
         std::size_t count);

  /// The shard of a point's problem, from 0. One that only some devices have, by an override, goes by a
  /// digest of its problem.
  [[nodiscard]] std::size_t of(const Point& point) const;
  [[nodiscard]] const std::vector<ShardLoad>& loads() const { return loads_; }
  /// A digest of which problem is in which shard: equal on machines that split alike.
  [[nodiscard]] const std::string& digest() const { return digest_; }

 private:
  std::vector<ShardLoad> loads_;
  std::unordered_map<std::string, std::size_t> shard_of_;  ///< by problem
  std::string digest_;
};

}  // namespace benchctl
