// The trials of one check, one after another, and what became of each: told to the coordinator before and
// after, so that a crash or a hang in one of them costs that one alone.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

namespace benchctl::conformance {

/// The contract is broken. The text says what was expected, what was found and what to do.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It cannot be tried here; the text says why.
class NotPossible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The plugin said that its session is lost: the rest is tried in another process.
class SessionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Trials {
 public:
  using Tell = std::function<void(const nlohmann::json&)>;

  /// Trials before number `from` are left out: another process has tried them.
  Trials(std::size_t from, Tell tell) : from_(from), tell_(std::move(tell)) {}

  /// Tries one thing. It is broken when `trial` throws Broken or anything that is neither NotPossible nor a
  /// Failure of kind `unsupported`, which say that it cannot be tried. Throws SessionLost after a sticky
  /// Failure.
  void run(const std::string& what, const std::function<void()>& trial);

 private:
  std::size_t from_;
  std::size_t next_ = 0;
  Tell tell_;
};

}  // namespace benchctl::conformance
