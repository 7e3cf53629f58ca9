// Messages between coordinator and worker: a length and a CBOR document on a stream socket.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>

namespace benchctl {

/// The other side is gone (end of file, broken pipe), or what it sent is not a message.
class ConnectionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How long the other side may take for one exchange of messages. Time in which this process itself was
/// stopped (Ctrl-Z, a debugger) does not count.
class Deadline {
 public:
  /// Waits without end.
  Deadline() = default;
  explicit Deadline(std::chrono::duration<double> limit) : left_(limit) {}

  /// Waits until `events` of poll(2) are possible on the socket. False: the time is over. Throws
  /// ConnectionLost.
  [[nodiscard]] bool wait(int socket, short events);

 private:
  std::optional<std::chrono::duration<double>> left_;
};

/// Writes one message. False: the other side did not take all of it in time. Throws ConnectionLost.
[[nodiscard]] bool write_frame(int socket, const nlohmann::json& message, Deadline& deadline);

/// Reads one message. Nothing: it did not arrive in time. Throws ConnectionLost, also for documents that
/// are nested deeper than any message is. Takes memory only for what has arrived.
[[nodiscard]] std::optional<nlohmann::json> read_frame(int socket, Deadline& deadline);

}  // namespace benchctl
