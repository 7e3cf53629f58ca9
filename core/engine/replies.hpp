// What comes back from a worker, read and checked where it comes in. A plugin is a stranger: its texts are
// made UTF-8, a figure that is not a number is left out with a note, and a time that cannot be is a Failure
// of the point. All of them throw nlohmann::json::exception or std::invalid_argument for an reply of
// another shape; LaneWorker::ask turns these into WorkerLost.
#pragma once

#include "engine/audit.hpp"
#include "model/status.hpp"
#include "observe/lane_watch.hpp"
#include "sweep/lanes.hpp"

#include <nlohmann/json_fwd.hpp>

namespace benchctl {

using Notes = std::map<std::string, std::string, std::less<>>;

/// The document with every byte that is not UTF-8 replaced by U+FFFD, in texts and in names.
[[nodiscard]] nlohmann::json with_valid_text(nlohmann::json document);

/// Reply to `probe`. Devices without a usable id, and those with the id of an earlier one, are left out
/// and named in BackendLanes::remarks.
[[nodiscard]] BackendLanes probe_reply(const std::string& backend, const nlohmann::json& reply);

struct PrepareReply {
  Resources resources;
  Notes notes;
  std::size_t picked = 0;  ///< a choice's pick: position among the configurations that were sent
};
[[nodiscard]] PrepareReply prepare_reply(const nlohmann::json& reply);

struct CheckReply {
  Verification verification;
  double run_ns = 0;   ///< duration of the last execution, as the plugin says
  double host_ns = 0;  ///< its duration by the host's clock
  Resources metrics;
  Notes notes;
};
[[nodiscard]] CheckReply check_reply(const nlohmann::json& reply);

struct SampleReply {
  SampleBlock block;
  Observed observed;
  std::optional<Verification> verification;  ///< for the outputs that the samples left; absent: not checked
};
/// Reads the reply to a request for `count` samples. Failure: launch_error for none, for more than these,
/// and for a time that is negative or not a number; with `counts` also for one below a picosecond, 0 among
/// them, in which nothing can have run. (While warming up a coarse clock may not have moved yet.)
[[nodiscard]] SampleReply sample_reply(const nlohmann::json& reply, std::uint32_t count, bool counts);

/// Reply to `audit`. Failure: launch_error for a time that is negative or not a number.
[[nodiscard]] AuditReply audit_reply(const nlohmann::json& reply);

struct PassReply {
  Resources metrics;
  Notes absent;
};
/// Reply to `observe`.
[[nodiscard]] PassReply pass_reply(const nlohmann::json& reply);

}  // namespace benchctl
