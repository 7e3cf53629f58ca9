#include "conformance/trials.hpp"

#include <benchctl/failure.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl::conformance {

void Trials::run(const std::string& what, const std::function<void()>& trial) {
  const std::size_t number = next_++;
  if (number < from_) return;
  tell_({{"begin", number}, {"what", what}});
  std::string outcome = "passed";
  std::string reason;
  bool lost = false;
  try {
    trial();
  } catch (const Broken& broken) {
    outcome = "failed";
    reason = broken.what();
  } catch (const NotPossible& impossible) {
    outcome = "skipped";
    reason = impossible.what();
  } catch (const Failure& failure) {
    outcome = failure.kind() == FailureKind::unsupported ? "skipped" : "failed";
    reason = fmt::format("{}: {}", to_string(failure.kind()), failure.what());
    lost = failure.sticky();
  } catch (const std::exception& error) {
    outcome = "failed";
    reason = fmt::format("it threw an exception that is not a benchctl::Failure: {}", error.what());
  } catch (...) {
    outcome = "failed";
    reason = "it threw something that is not a std::exception";
  }
  tell_({{"end", number}, {"outcome", outcome}, {"reason", reason}});
  if (lost) throw SessionLost(reason);
}

}  // namespace benchctl::conformance
