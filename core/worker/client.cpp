#include "worker/client.hpp"

#include <fmt/format.h>

namespace benchctl {

using nlohmann::json;

Status status_of(const Failure& failure) {
  switch (failure.kind()) {
    case FailureKind::unsupported:
    case FailureKind::no_device:
      return Status::skipped;
    case FailureKind::compile_error:
      return Status::compile_error;
    case FailureKind::launch_error:
      return Status::launch_error;
    case FailureKind::out_of_memory:
      return Status::out_of_memory;
  }
  return Status::launch_error;
}

void Client::start() {
  if (running()) return;
  channel_.reset();
  spoilt_ = false;
  channel_ = factory_.start(libraries_);
  ++generation_;
  try {
    if (greet_) greet_();
  } catch (...) {
    channel_.reset();
    throw;
  }
}

json Client::call(Verb verb, const json& arguments, double timeout_seconds) {
  if (channel_ == nullptr) start();
  try {
    json reply = channel_->call(verb, arguments, std::chrono::duration<double>(timeout_seconds));
    spoilt_ = spoilt_ || reply.contains("spoilt");
    return reply;
  } catch (const Failure& failure) {
    if (failure.sticky()) channel_.reset();
    throw;
  } catch (const WorkerLost&) {
    channel_.reset();
    throw;
  }
}

void Client::lose(Verb verb, const std::string& why) {
  channel_.reset();
  throw WorkerLost(Status::crashed, fmt::format("malformed reply from the worker to '{}': {}", verb, why));
}

}  // namespace benchctl
