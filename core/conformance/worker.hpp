// The side of a check that touches the plugin: a process of its own, told what to do on a socket.
#pragma once

#include "conformance/subject.hpp"

#include <nlohmann/json_fwd.hpp>

namespace benchctl::conformance {

[[nodiscard]] nlohmann::json to_json(const Task& task);
[[nodiscard]] Task task_from_json(const nlohmann::json& json);

/// Reads a task from `socket`, makes the check and tells what happens, message by message:
/// {begin, what} before a trial, {end, outcome, reason} after it, {lost} when the rest needs another
/// process, {done} at the end. The pseudo-check "probe" answers {devices, unavailable}.
void serve_check(int socket);

}  // namespace benchctl::conformance
