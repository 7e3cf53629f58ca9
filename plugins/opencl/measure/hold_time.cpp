#include "measure/hold_time.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

/// What passes between the start of the hold and the first command.
constexpr double least_ns = 40e3;
constexpr double margin = 1.5;
/// Share of the latest sample in what is expected of the next when it is the smaller one.
constexpr double forgetting = 0.1;
/// The most that one sample may multiply the expected time by. A driver that loads a kernel, or was
/// interrupted, takes a thousand times as long once, and holds of a hundred such commands would last for a
/// tenth of a second.
constexpr double most_growth = 4;

}  // namespace

double HoldTime::for_commands(std::uint64_t commands) const {
  return least_ns + margin * command_ns_ * static_cast<double>(commands);
}

void HoldTime::learn(std::uint64_t commands, double ns, bool late) {
  const double each = ns / static_cast<double>(std::max<std::uint64_t>(commands, 1));
  const double believed = std::min(each, most_growth * command_ns_);
  // Up at once, down slowly: a sample that was not held is lost, a longer hold costs little.
  command_ns_ = std::max(
      {believed, late ? 2 * command_ns_ : 0.0, (1 - forgetting) * command_ns_ + forgetting * believed});
}

}  // namespace benchctl::opencl
