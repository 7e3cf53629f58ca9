#include "engine/audit.hpp"
#include "model/json.hpp"
#include "worker/frames.hpp"
#include "worker/messages.hpp"

#include "fuzz/target.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl::fuzz {

namespace {

using nlohmann::json;

/// Less than a socket takes before somebody reads.
constexpr std::size_t most_bytes = 100'000;
/// Far more than a message takes that has arrived.
constexpr std::chrono::duration<double> time_limit{5};

class SocketPair {
 public:
  SocketPair() {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) throw Broken("no socket pair");
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() {
    close(ends_[0]);
    close(ends_[1]);
  }
  [[nodiscard]] int near() const { return ends_[0]; }
  [[nodiscard]] int far() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

void require_same_message(const json& message) {
  const SocketPair sockets;
  Deadline deadline(time_limit);
  require(write_frame(sockets.far(), message, deadline), "a message cannot be written");
  const std::optional<json> again = read_frame(sockets.near(), deadline);
  // As bytes: a NaN is not equal to itself.
  require(again && json::to_cbor(*again) == json::to_cbor(message), "a message read again is another");
}

/// As a client takes it.
template <class Request>
typename Request::Reply reply_to(const Request& request, const json& answer) {
  auto reply = decode<typename Request::Reply>(answer);
  accept(request, reply);
  return reply;
}

template <class Figures>
void require_finite(const Figures& figures) {
  for (const auto& [id, value] : figures) {
    require_utf8(id, "the id of a figure");
    require(std::isfinite(value), "a figure that is no finite number");
  }
}

void require_texts(const Notes& notes) {
  for (const auto& [key, text] : notes) {
    require_utf8(key, "the key of a note");
    require_utf8(text, "a note");
  }
}

void read_probe(const json& answer) {
  const BackendLanes lanes = lanes_of("fuzz", decode<DeviceList>(answer));
  std::set<std::string> ids;
  for (const Lane& lane : lanes.lanes) {
    require(!lane.device.id.empty() && ids.insert(lane.device.id).second,
            "a device without an id of its own");
    require(lane.device.timer_step_ns >= 0, "a timer with a negative step");
    require(device_from_json(to_json(lane.device)).name == lane.device.name,
            "a device read again is another");
  }
  for (const std::string& remark : lanes.remarks) require_utf8(remark, "a remark");
  require(!lanes.lanes.empty() || !lanes.unavailable.empty(), "no device, and no reason");
}

void read_samples(const json& answer, bool counts) {
  constexpr std::uint32_t asked = 8;
  verbs::Sample request;
  request.request.count = asked;
  const SampleReply samples = reply_to(request, answer);
  if (counts) refuse_stopped_clock(samples.block);
  require(!samples.block.ns.empty() && samples.block.ns.size() <= asked, "a wrong number of samples");
  for (const double ns : samples.block.ns) {
    require(std::isfinite(ns) && (counts ? ns > 0 : ns >= 0), "a sample that is no time");
  }
  for (const auto& [id, readings] : samples.block.readings) {
    for (const double value : readings) require(std::isfinite(value), "a reading that is no finite number");
  }
  require_texts(samples.observed.absent);
}

/// Calls one reader; an answer of another shape is refused by an exception that the worker's owner knows.
template <class Read>
void allow_refusals(const Read& read) {
  try {
    read();
  } catch (const json::exception&) {
  } catch (const std::invalid_argument&) {
  } catch (const Failure& failure) {
    require_utf8(failure.what(), "a failure");
  }
}

void read_answer(const json& message) {
  if (!message.is_object() || !message.contains("reply")) return;
  const json answer = with_valid_text(message.at("reply"));
  require_utf8(one_line(answer), "an answer made valid");
  static_cast<void>(answer.dump());  // throws where a text is no UTF-8
  allow_refusals([&] { read_probe(answer); });
  allow_refusals([&] {
    const PrepareReply prepared = reply_to(verbs::Prepare(), answer);
    require_finite(prepared.resources);
    require_texts(prepared.notes);
  });
  allow_refusals([&] {
    const CheckReply check = reply_to(verbs::Check(), answer);
    require(std::isfinite(check.run_ns) && check.run_ns >= 0, "a check that took no time that can be");
    require_finite(check.metrics);
    require_texts(check.notes);
  });
  for (const bool counts : {false, true}) allow_refusals([&] { read_samples(answer, counts); });
  allow_refusals([&] {
    Auditor audit{AuditBounds{}};
    audit.add(reply_to(verbs::Audit(), answer));
    require_finite(audit.metrics(1000));
    require_utf8(audit.contradiction(1000).value_or(Contradiction{}).reason, "a contradiction");
  });
  allow_refusals([&] {
    const PassReply pass = reply_to(verbs::Observe(), answer);
    require_finite(pass.metrics);
    require_texts(pass.absent);
  });
  allow_refusals([&] {
    const json entry = encode(decode<PluginEntry>(answer));
    require(encode(decode<PluginEntry>(entry)) == entry, "a plugin read again is another");
  });
}

/// The frame with that JSON document; empty if it is none.
std::string frame_of(std::string_view text) {
  const json message = json::parse(text, nullptr, false);
  if (message.is_discarded()) return {};
  std::string bytes(4, '\0');
  json::to_cbor(message, nlohmann::detail::output_adapter<char>(bytes));
  const auto length = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &length, 4);
  return bytes;
}

}  // namespace

void frame(std::string_view bytes) {
  const std::string framed = bytes.starts_with("{\"") ? frame_of(bytes) : std::string();
  if (!framed.empty()) bytes = framed;
  bytes = bytes.substr(0, most_bytes);
  const SocketPair sockets;
  require(send(sockets.far(), bytes.data(), bytes.size(), MSG_DONTWAIT) == std::ssize(bytes),
          "a socket does not take the bytes");
  require(shutdown(sockets.far(), SHUT_WR) == 0, "a socket cannot be shut");
  Deadline deadline(time_limit);
  try {
    while (true) {
      const std::optional<json> message = read_frame(sockets.near(), deadline);
      require(message.has_value(), "read_frame waits for what cannot come");
      require_same_message(*message);
      read_answer(*message);
    }
  } catch (const ConnectionLost&) {
  }
}

}  // namespace benchctl::fuzz
