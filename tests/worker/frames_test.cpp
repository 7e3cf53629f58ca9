// Messages between the coordinator and its workers, as bytes on a socket.
#include "worker/frames.hpp"

#include "support/catch.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

using namespace benchctl;
using nlohmann::json;

namespace {

struct SocketPair {
  SocketPair() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0); }
  ~SocketPair() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  void close_first() {
    close(ends[0]);
    ends[0] = -1;
  }
  int ends[2] = {-1, -1};
};

std::optional<json> receive(int socket, std::chrono::duration<double> limit = std::chrono::minutes(1)) {
  Deadline deadline(limit);
  return read_frame(socket, deadline);
}

bool post(int socket, const json& message, std::chrono::duration<double> limit = std::chrono::minutes(1)) {
  Deadline deadline(limit);
  return write_frame(socket, message, deadline);
}

constexpr std::chrono::milliseconds soon(30);

void send_bytes(int socket, const std::string& bytes) {
  REQUIRE(send(socket, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
}

/// The length in front of a message.
std::string head_of(std::uint32_t length) {
  return {reinterpret_cast<const char*>(&length), sizeof length};
}

std::size_t peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("frames arrive whole, in order, with every number intact") {
  const SocketPair pair;
  const json first = {{"text", "naïve \n \"quoted\""},
                      {"numbers", {0.1, 1e308, -0.0, std::int64_t{1} << 60}},
                      {"inf", std::numeric_limits<double>::infinity()}};
  const json large = std::string(3'000'000, 'x');
  std::jthread writer([&] {
    CHECK(post(pair.ends[0], first));
    CHECK(post(pair.ends[0], large));
  });
  CHECK(receive(pair.ends[1]) == first);
  CHECK(receive(pair.ends[1]) == large);
}

TEST_CASE("a missing or half a frame runs into the deadline") {
  const SocketPair pair;
  CHECK_FALSE(receive(pair.ends[1], soon).has_value());
  const std::uint32_t promised = 100;
  REQUIRE(send(pair.ends[0], &promised, sizeof promised, 0) == sizeof promised);
  CHECK_FALSE(receive(pair.ends[1], soon).has_value());
}

TEST_CASE("a closed connection is told apart from silence") {
  SocketPair pair;
  pair.close_first();
  CHECK_THROWS_AS(receive(pair.ends[1], soon), ConnectionLost);
  CHECK_THROWS_AS(post(pair.ends[1], json(1)), ConnectionLost);
}

TEST_CASE("a message that nobody reads runs into the deadline") {
  const SocketPair pair;
  CHECK_FALSE(post(pair.ends[0], std::string(30'000'000, 'x'), soon));
}

TEST_CASE("time in which this process was stopped is not the other side's") {
  const SocketPair pair;
  const pid_t child = fork();
  if (child == 0) {
    Deadline deadline(std::chrono::seconds(2));
    _exit(deadline.wait(pair.ends[1], POLLIN) ? 0 : 1);
  }
  kill(child, SIGSTOP);
  usleep(2'200'000);
  kill(child, SIGCONT);
  usleep(20'000);
  send_bytes(pair.ends[0], "x");
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a message takes no memory before it arrives") {
  const SocketPair pair;
  const std::size_t before = peak_kilobytes();
  send_bytes(pair.ends[0], head_of(200U << 20));
  CHECK_FALSE(receive(pair.ends[1], soon).has_value());
  CHECK(peak_kilobytes() - before < 100'000);
}
