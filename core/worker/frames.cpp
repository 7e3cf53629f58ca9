#include "worker/frames.hpp"

#include "model/json.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

namespace benchctl {

namespace {

/// No message comes near it; a larger length means that the stream is out of step.
constexpr std::uint32_t max_frame_bytes = 1U << 28;
/// What is made room for at once, before it has arrived.
constexpr std::size_t chunk_bytes = 1U << 16;

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using nlohmann::json;

/// False: the time is over.
bool read_all(int socket, std::uint8_t* data, std::size_t size, Deadline& deadline) {
  while (size > 0) {
    const ssize_t got = recv(socket, data, size, MSG_DONTWAIT);
    if (got == 0) throw ConnectionLost("it closed its connection");
    if (got < 0) {
      if (errno != EINTR && errno != EAGAIN)
        throw ConnectionLost(fmt::format("cannot receive: {}", std::strerror(errno)));
      if (!deadline.wait(socket, POLLIN)) return false;
      continue;
    }
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool Deadline::wait(int socket, short events) {
  constexpr Seconds slice{0.25};
  while (true) {
    if (left_ && left_->count() <= 0) return false;
    const Seconds limit = left_ ? std::min(*left_, slice) : slice;
    pollfd entry{socket, events, 0};
    const Clock::time_point begin = Clock::now();
    const int ready = poll(&entry, 1, static_cast<int>(std::ceil(limit.count() * 1e3)));
    if (ready < 0 && errno != EINTR) {
      throw ConnectionLost(fmt::format("cannot wait: {}", std::strerror(errno)));
    }
    // A wait that took much longer than it was to take was interrupted by a stop of this process.
    if (left_) *left_ -= std::min<Seconds>(Clock::now() - begin, limit + slice);
    if (ready > 0) return true;
  }
}

bool write_frame(int socket, const json& message, Deadline& deadline) {
  std::vector<std::uint8_t> bytes(4);
  json::to_cbor(message, bytes);
  const auto length = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &length, 4);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written =
        send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0) {
      if (errno != EINTR && errno != EAGAIN)
        throw ConnectionLost(fmt::format("cannot send: {}", std::strerror(errno)));
      if (!deadline.wait(socket, POLLOUT)) return false;
      continue;
    }
    done += static_cast<std::size_t>(written);
  }
  return true;
}

std::optional<json> read_frame(int socket, Deadline& deadline) {
  std::uint32_t length = 0;
  std::array<std::uint8_t, 4> head{};
  // Nothing is there yet in most cases: waiting first spares a call.
  if (!deadline.wait(socket, POLLIN) || !read_all(socket, head.data(), head.size(), deadline))
    return std::nullopt;
  std::memcpy(&length, head.data(), 4);
  if (length > max_frame_bytes) {
    throw ConnectionLost(fmt::format("it announced a message of {} bytes, which is too large", length));
  }
  std::vector<std::uint8_t> bytes;
  while (bytes.size() < length) {
    const std::size_t begin = bytes.size();
    bytes.resize(std::min<std::size_t>(length, begin + std::max(begin, chunk_bytes)));
    if (!read_all(socket, bytes.data() + begin, bytes.size() - begin, deadline)) return std::nullopt;
  }
  try {
    refuse_deep_cbor(bytes);
    return json::from_cbor(bytes);
  } catch (const json::exception&) {
  } catch (const std::invalid_argument&) {
  }
  throw ConnectionLost("it sent something that is not a message");
}

}  // namespace benchctl
