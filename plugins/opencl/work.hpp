// What is timed: the commands that one execution of a variant puts into the queue.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/handles.hpp"

namespace benchctl::opencl {

/// What to attach to the commands of one execution.
struct Bracket {
  cl_event gate = nullptr;       ///< the first command waits for it
  EventHandle* first = nullptr;  ///< receives the event of the first command
  EventHandle* last = nullptr;   ///< receives the event of the last command
};

class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  /// Queues one execution on a set of buffers and returns at once.
  virtual void enqueue(std::uint32_t set, const Bracket& bracket) = 0;
  /// See Prepared::reset_scratch.
  virtual void reset_scratch() {}
  /// Commands of one execution, about.
  [[nodiscard]] virtual std::uint32_t commands() const = 0;
  /// Why these commands must not be held back, or an empty text.
  [[nodiscard]] virtual std::string gate_objection() const { return {}; }
  /// Are the events those of small commands around the work, and not of the work itself?
  [[nodiscard]] virtual bool bracketed() const { return false; }

  /// Found out by sampling: its commands began before all were queued, however long they were held. A
  /// library that allocates waits for what runs.
  bool cannot_be_held = false;

  [[nodiscard]] virtual Resources resources() const { return {}; }
  [[nodiscard]] virtual std::map<std::string, std::string, std::less<>> notes() const { return {}; }
};

}  // namespace benchctl::opencl
