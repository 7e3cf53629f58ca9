// Which points of a group may still be the fastest. Each has rivals: the points that the question asks
// about, if it is one of them; else those that are not vendor libraries, if it is none; else all of its
// device. Who is shown slower than the fastest of its rivals leaves the rounds.
#pragma once

#include "stats/race.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace benchctl {

/// A point of a group as far as contests go.
struct Contestant {
  stats::RoundValues rounds;  ///< values in this process; empty: it takes no part
  std::size_t table = 0;      ///< those of one number compete: same device, measured in the same way
  bool vendor = false;
  bool asked = false;
  bool open = true;        ///< will there be more rounds of it?
  bool may_leave = false;  ///< has it the samples that it must have?
  std::size_t fewest_rounds =
      3;  ///< common ones without which it does not leave; none if executions are long
};

enum class Prospect : std::uint8_t {
  settled,    ///< nothing is open: it is the fastest, or as fast within the threshold, or has no rival
  contested,  ///< it, or one of its rivals, may be the fastest
  slower,     ///< shown slower: it may leave
};

/// What common rounds say of each by now, at stats::confidence_of_leaving. In the order given.
[[nodiscard]] std::vector<Prospect> prospects(std::span<const Contestant> contestants, double threshold);

/// The number of rounds at which one looks again, after a look at `rounds`: 3, 4, 6, 9, 14, then half as
/// many more each time.
[[nodiscard]] std::int64_t next_look(std::int64_t rounds);

}  // namespace benchctl
