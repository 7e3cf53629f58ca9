// What is timed: the commands that one execution of a variant puts into the queue.
#pragma once

#include <benchctl/backend.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace benchctl::gpu {

using Notes = std::map<std::string, std::string, std::less<>>;

class Work {
 public:
  /// `title` names it in errors: "kernel 'x'", "cuBLAS's product".
  explicit Work(std::string title) : title_(std::move(title)) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  /// Queues one execution on a set of buffers. Allocates nothing and waits for nothing.
  virtual void enqueue(std::uint32_t set) = 0;
  /// Upper bound of the device's operations in one execution.
  [[nodiscard]] virtual std::uint32_t operations() const { return 1; }
  /// See Prepared::reset_scratch.
  virtual void reset_scratch() {}
  /// Why it must not be queued behind something that holds the device back, or empty.
  [[nodiscard]] virtual std::string objection() const { return {}; }
  /// Throws Failure (unsupported) for a request that this work cannot take.
  virtual void check(const SampleRequest& request) const { static_cast<void>(request); }
  /// Are events put around the work, since those of its own commands do not cover it?
  [[nodiscard]] virtual bool bracketed() const { return false; }
  [[nodiscard]] virtual Resources resources() const { return {}; }
  [[nodiscard]] virtual Notes notes() const { return {}; }

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  /// Found out by sampling: its commands began before all were queued, however long they were held. A
  /// library that allocates waits for what runs.
  bool began_early = false;

 private:
  std::string title_;
};

/// Work that is a call of the driver or of a vendor's library.
class Call final : public Work {
 public:
  struct About {
    std::string title;
    std::uint32_t operations = 1;
    Notes notes = {};
    bool bracketed = false;
  };

  /// `call` queues one execution on the set of buffers that it is passed.
  Call(About about, std::function<void(std::uint32_t set)> call)
      : Work(about.title), about_(std::move(about)), call_(std::move(call)) {}

  void enqueue(std::uint32_t set) override { call_(set); }
  [[nodiscard]] std::uint32_t operations() const override { return about_.operations; }
  [[nodiscard]] bool bracketed() const override { return about_.bracketed; }
  [[nodiscard]] Notes notes() const override { return about_.notes; }

 private:
  About about_;
  std::function<void(std::uint32_t set)> call_;
};

}  // namespace benchctl::gpu
