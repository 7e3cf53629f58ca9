// The coordinator's hold on the worker of one lane: started when needed, replaced when lost.
#pragma once

#include "engine/baton.hpp"
#include "engine/channel.hpp"
#include "model/point.hpp"
#include "observe/places.hpp"
#include "sweep/catalogue.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

/// Extra seconds for a verb: a watchdog must not bark at a long but honest sample.
[[nodiscard]] constexpr double patience(double expected_seconds) { return 10 * expected_seconds; }

class LaneWorker {
 public:
  LaneWorker(const Lane& lane, const BackendEntry& backend, ChannelFactory& factory, SessionOptions options,
             double timeout_seconds);

  [[nodiscard]] const Lane& lane() const { return lane_; }
  /// Rises with each new worker: it does not know what an older one was told.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] bool running() const { return channel_ != nullptr; }
  /// Starts, opens and defines if there is no worker. Throws like call.
  void ensure_open();
  /// Carries out a verb in the open worker. `extra_seconds` is added to the watchdog's time. Throws
  /// Failure or WorkerLost; after WorkerLost or a sticky Failure there is no worker any more.
  nlohmann::json call(Verb verb, const nlohmann::json& arguments, double extra_seconds = 0);
  /// The same, and gives what `read` makes of the answer. A worker whose answer `read` cannot make sense of
  /// is let go of, too: WorkerLost.
  template <class Read>
  auto ask(Verb verb, const nlohmann::json& arguments, Read read, double extra_seconds = 0) {
    const nlohmann::json answer = call(verb, arguments, extra_seconds);
    try {
      return read(answer);
    } catch (const nlohmann::json::exception& error) {
      misunderstood(verb, error.what());
    } catch (const std::invalid_argument& error) {
      misunderstood(verb, error.what());
    }
  }
  /// From its next start on: where it runs.
  void put(Place place) { place_ = std::move(place); }
  [[nodiscard]] const Place& place() const { return place_; }
  /// While a baton is set, the others of its threads work while this worker answers.
  void set_baton(Baton* baton) { baton_ = baton; }
  /// Lets go of the worker.
  void reset() { channel_.reset(); }

 private:
  [[noreturn]] void misunderstood(Verb verb, const std::string& why);

  const Lane& lane_;
  const BackendEntry& backend_;
  ChannelFactory& factory_;
  SessionOptions options_;
  double timeout_seconds_;
  Place place_;
  Baton* baton_ = nullptr;
  std::unique_ptr<Channel> channel_;
  std::uint64_t generation_ = 0;
};

}  // namespace benchctl
