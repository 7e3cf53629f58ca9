// Which devices this machine has, per backend.
#pragma once

#include "model/point.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

struct BackendLanes {
  std::string backend;
  std::vector<Lane> lanes;
  std::string unavailable;  ///< why there are none
  /// Status of its points without a device. Not `skipped` if its devices could not be listed: then it is
  /// unknown whether there are any. `not_run` if nobody asked, and only the points that a device would have
  /// count (sweep/shards.hpp).
  Status status = Status::skipped;
  std::vector<std::string> remarks = {};  ///< devices that cannot be used, with reasons: sentences
};

using LaneTable = std::vector<BackendLanes>;

/// Are there backends whose devices could not be listed?
[[nodiscard]] bool are_lanes_unknown(const LaneTable& table);

/// The lane of that name, or null.
[[nodiscard]] const Lane* find_lane(const LaneTable& table, std::string_view name);

/// The physical identity of the card behind a lane, the same under every backend. Empty for what runs on
/// the processors, and for a card that only its backend can tell from others (`opencl:nvidia:0`).
[[nodiscard]] std::string card_of(const Lane& lane);

/// So begins why a backend has no lane whose devices are all software that nobody has named.
inline constexpr std::string_view only_software_words = "only software";

/// Removes software devices that were not requested: `backends` has no name of theirs, and no pattern of
/// `devices` means them. A backend that has no other device then says so.
void leave_out_software(LaneTable& table, const std::vector<std::string>& backends,
                        const std::vector<std::string>& devices);

}  // namespace benchctl
