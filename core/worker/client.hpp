// The one way to ask a worker: it is started when it is needed, and let go of when it is lost.
#pragma once

#include "worker/channel.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace benchctl {

/// How many workers may die in turn over the same piece of work before it is given up: what kills them from
/// outside (someone, the kernel when memory runs out) is not the work's fault.
inline constexpr int most_starts = 4;

/// What `work` returns, which is called again after a crash of its worker, up to most_starts times, and
/// after so many hangs, as long as `again` agrees to what was lost. Throws what `work` throws.
template <class Work, class Again>
auto retry(const Work& work, const Again& again, int hangs_left = 0) {
  for (int starts_left = most_starts;; --starts_left) {
    try {
      return work();
    } catch (const WorkerLost& lost) {
      const bool forgiven =
          lost.status() == Status::timeout ? hangs_left-- > 0 : lost.status() == Status::crashed;
      if (!forgiven || starts_left == 1 || !again(lost)) throw;
    }
  }
}

/// The status that a plugin's failure gives to a point.
[[nodiscard]] Status status_of(const Failure& failure);

class Client {
 public:
  /// Its workers load these plugins. `greet`: what each of them is asked first.
  Client(ChannelFactory& factory, std::vector<std::filesystem::path> libraries,
         std::function<void()> greet = {})
      : factory_(factory), libraries_(std::move(libraries)), greet_(std::move(greet)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Is there a worker, and one that no kernel has spoilt for others?
  [[nodiscard]] bool running() const { return channel_ != nullptr && !spoilt_; }
  /// Rises with each new worker: it does not know what an older one was told.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Makes sure that it is running. Throws WorkerNotStarted, and what `greet` throws.
  void start();
  /// Lets go of the worker.
  void reset() { channel_.reset(); }
  /// The same; how its process failed to end by itself within so many seconds, or an empty text.
  [[nodiscard]] std::string end(double seconds) {
    const std::unique_ptr<Channel> last = std::exchange(channel_, nullptr);
    return last == nullptr ? std::string() : last->end(seconds);
  }
  /// Throws Failure or WorkerLost; after WorkerLost, also for a reply of another shape, or a sticky Failure
  /// there is no worker any more. Starts one where there is none.
  template <class Request>
  typename Request::Reply ask(const Request& request, double timeout_seconds) {
    const nlohmann::json document = call(Request::verb, encode(request), timeout_seconds);
    try {
      auto reply = decode<typename Request::Reply>(document);
      accept(request, reply);
      return reply;
    } catch (const nlohmann::json::exception& error) {
      lose(Request::verb, error.what());
    } catch (const std::invalid_argument& error) {
      lose(Request::verb, error.what());
    }
  }

 private:
  nlohmann::json call(Verb verb, const nlohmann::json& arguments, double timeout_seconds);
  /// The reply is malformed.
  [[noreturn]] void lose(Verb verb, const std::string& why);

  ChannelFactory& factory_;
  std::vector<std::filesystem::path> libraries_;
  std::function<void()> greet_;
  std::unique_ptr<Channel> channel_;
  std::uint64_t generation_ = 0;
  bool spoilt_ = false;  ///< it says that others had better run in another process
};

}  // namespace benchctl
