// How the coordinator reaches a worker: a process behind a socket, or a session in this very process.
#pragma once

#include "model/status.hpp"
#include "plugins/plugin_host.hpp"
#include "worker/messages.hpp"
#include "worker/process.hpp"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>

namespace benchctl {

class WorkerSession;

/// The worker did not survive a verb, or never replied: its state is lost.
class WorkerLost : public std::runtime_error {
 public:
  WorkerLost(Status status, const std::string& reason) : std::runtime_error(reason), status_(status) {}
  /// Status::crashed or Status::timeout.
  [[nodiscard]] Status status() const noexcept { return status_; }

 private:
  Status status_;
};

class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  /// Carries out a verb and returns its reply. Throws Failure (the worker lives on unless it is
  /// sticky) or WorkerLost (it does not).
  virtual nlohmann::json call(Verb verb, const nlohmann::json& arguments,
                              std::chrono::duration<double> timeout) = 0;
  /// Lets the worker's process end by itself: how it failed to, within so many seconds, or an empty text.
  [[nodiscard]] virtual std::string end(double /*seconds*/) { return {}; }
};

/// Makes workers.
class ChannelFactory {
 public:
  ChannelFactory() = default;
  ChannelFactory(const ChannelFactory&) = delete;
  ChannelFactory& operator=(const ChannelFactory&) = delete;
  virtual ~ChannelFactory() = default;
  /// A worker that loads these plugins and no others. Throws WorkerNotStarted.
  [[nodiscard]] virtual std::unique_ptr<Channel> start(
      const std::vector<std::filesystem::path>& libraries) = 0;
};

/// Workers are processes of `program`, which is run as `program SERVICE LIBRARY…` with its end of the
/// socket as file descriptor 3. The tail of their standard error is part of the reason when one dies.
class ProcessChannelFactory : public ChannelFactory {
 public:
  /// `preload`: a library for LD_PRELOAD, or empty.
  explicit ProcessChannelFactory(std::filesystem::path program, std::string service = "worker",
                                 std::filesystem::path preload = {})
      : program_(std::move(program)), service_(std::move(service)), preload_(std::move(preload)) {}
  [[nodiscard]] std::unique_ptr<Channel> start(
      const std::vector<std::filesystem::path>& libraries) override;

 private:
  std::filesystem::path program_;
  std::string service_;
  std::filesystem::path preload_;
};

/// `--in-process`: everything in one process, for debuggers and profilers, with the plugins that it has
/// loaded. A crash is the program's, and there is no watchdog.
class LocalChannelFactory : public ChannelFactory {
 public:
  explicit LocalChannelFactory(const PluginHost& plugins) : plugins_(plugins) {}
  [[nodiscard]] std::unique_ptr<Channel> start(
      const std::vector<std::filesystem::path>& libraries) override;
  /// What the latest channel asks.
  [[nodiscard]] WorkerSession& session() { return *session_.load(); }

 private:
  const PluginHost& plugins_;
  std::atomic<WorkerSession*> session_ = nullptr;
};

/// Carries out a verb. What it throws is told to the other side as a Failure.
using Service = std::function<nlohmann::json(Verb verb, const nlohmann::json& arguments)>;

/// The worker's main loop: serves verbs on `socket` until the other side goes away.
void serve(const Service& service, int socket);

}  // namespace benchctl
