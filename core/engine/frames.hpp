// Messages between coordinator and worker: a length and a CBOR document on a stream socket.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>

namespace benchctl {

/// The other side is gone (end of file, broken pipe) or what came is no message.
class ConnectionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes one message whole. Throws ConnectionLost.
void write_frame(int socket, const nlohmann::json& message);

/// Reads one message. Nothing if it has not arrived whole by `deadline`. Throws ConnectionLost.
[[nodiscard]] std::optional<nlohmann::json> read_frame(
    int socket, std::optional<std::chrono::steady_clock::time_point> deadline);

}  // namespace benchctl
