#include "workloads/latency_cycle.hpp"

#include <benchctl/rounding.hpp>

#include <cmath>

namespace benchctl {

RandomCycle::RandomCycle(std::uint64_t seed, std::uint64_t length)
    : stream_(seed, 1),
      length_(length),
      left_(static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(length))))),
      right_(ceil_div(length, left_)) {}

// The network permutes the cells of a left × right rectangle, which has at least `length` of them. Who
// lands outside the range goes on until he is inside: that keeps it a permutation.
std::uint64_t RandomCycle::place(std::uint64_t position) const {
  do {
    std::uint64_t a = position / right_;
    std::uint64_t b = position % right_;
    for (std::uint64_t round = 0; round < rounds; round += 2) {
      a = (a + draw(round, b) % left_) % left_;
      b = (b + draw(round + 1, a) % right_) % right_;
    }
    position = a * right_ + b;
  } while (position >= length_);
  return position;
}

std::uint64_t RandomCycle::position(std::uint64_t place) const {
  do {
    std::uint64_t a = place / right_;
    std::uint64_t b = place % right_;
    for (std::uint64_t round = rounds; round > 0; round -= 2) {
      b = (b + right_ - draw(round - 1, a) % right_) % right_;
      a = (a + left_ - draw(round - 2, b) % left_) % left_;
    }
    place = a * right_ + b;
  } while (place >= length_);
  return place;
}

}  // namespace benchctl
