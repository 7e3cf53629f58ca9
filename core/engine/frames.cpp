#include "engine/frames.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

namespace benchctl {

namespace {

/// No message comes near it; a larger length means that the stream is out of step.
constexpr std::uint32_t max_frame_bytes = 1U << 30;

using Clock = std::chrono::steady_clock;

void write_all(int socket, const std::uint8_t* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = send(socket, data, size, MSG_NOSIGNAL);
    if (written < 0) {
      if (errno == EINTR) continue;
      throw ConnectionLost(fmt::format("cannot send: {}", std::strerror(errno)));
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// False when the deadline passed first.
bool read_all(int socket, std::uint8_t* data, std::size_t size, std::optional<Clock::time_point> deadline) {
  while (size > 0) {
    int wait_ms = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) return false;
      wait_ms = static_cast<int>(std::min<long>(left, 60'000));
    }
    pollfd entry{socket, POLLIN, 0};
    const int ready = poll(&entry, 1, wait_ms);
    if (ready < 0 && errno != EINTR)
      throw ConnectionLost(fmt::format("cannot wait: {}", std::strerror(errno)));
    if (ready <= 0) continue;
    const ssize_t got = recv(socket, data, size, 0);
    if (got == 0) throw ConnectionLost("the other side closed the connection");
    if (got < 0) {
      if (errno == EINTR) continue;
      throw ConnectionLost(fmt::format("cannot receive: {}", std::strerror(errno)));
    }
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

void write_frame(int socket, const nlohmann::json& message) {
  std::vector<std::uint8_t> bytes(4);
  nlohmann::json::to_cbor(message, bytes);
  const auto length = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &length, 4);
  write_all(socket, bytes.data(), bytes.size());
}

std::optional<nlohmann::json> read_frame(int socket, std::optional<Clock::time_point> deadline) {
  std::uint32_t length = 0;
  std::array<std::uint8_t, 4> head{};
  if (!read_all(socket, head.data(), head.size(), deadline)) return std::nullopt;
  std::memcpy(&length, head.data(), 4);
  if (length > max_frame_bytes) throw ConnectionLost("received something that is no message");
  std::vector<std::uint8_t> bytes(length);
  if (!read_all(socket, bytes.data(), bytes.size(), deadline)) return std::nullopt;
  try {
    return nlohmann::json::from_cbor(bytes);
  } catch (const nlohmann::json::exception& error) {
    throw ConnectionLost(fmt::format("received something that is no message: {}", error.what()));
  }
}

}  // namespace benchctl
