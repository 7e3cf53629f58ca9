#include "engine/budget.hpp"

#include "engine/interrupt.hpp"
#include "worker/lane_worker.hpp"
#include "worker/stopwatch.hpp"

#include <algorithm>

namespace benchctl {

namespace {

/// Shares for covering every point once.
constexpr double coverage_share = 0.5;
constexpr double early_coverage_share = 0.3;
/// Share after which no compiler is started, and after which a running one is stopped.
constexpr double last_compiler_share = 0.6;
constexpr double compilers_end_share = 0.7;
/// A verb may overrun by so much of it.
constexpr double overrun_share = 0.08;

}  // namespace

Budget::Budget(std::optional<double> seconds, std::function<double()> clock,
               const std::vector<RunPoint>& points)
    : seconds_(seconds), clock_(std::move(clock)), points_(points) {
  if (!clock_) {
    running_ = std::make_unique<RunningClock>(steady_seconds);
    clock_ = [this] { return running_->seconds(); };
  }
  start_ = clock_();
}

Budget::~Budget() = default;

double Budget::whole() const { return seconds_.value_or(infinite_seconds); }

double Budget::left_until(double share) const {
  return seconds_ ? share * *seconds_ - (clock_() - start_) : infinite_seconds;
}

std::size_t Budget::open_points() const {
  return static_cast<std::size_t>(std::ranges::count_if(points_, &RunPoint::is_open));
}

bool Budget::must_stop() {
  interrupted_ = interrupted_ || InterruptGuard::requested();
  if (is_used()) {
    brought_a_result_ = brought_a_result_ || points_.size() - open_points() > results_before_;
    ended_ = brought_a_result_;
  }
  return interrupted_ || ended_;
}

double Budget::for_a_point() const {
  if (!seconds_) return infinite_seconds;
  const double part = stage_ == Stage::searching  ? 1.0
                      : stage_ == Stage::covering ? coverage_share
                                                  : early_coverage_share;
  const auto wanting = static_cast<double>(open_points() + planned_);
  return part * std::max(0.0, left()) / std::max(1.0, wanting);
}

double Budget::for_a_verb() const {
  if (!seconds_ || !brought_a_result_) return infinite_seconds;
  return std::max(1.0, left_until(1 + overrun_share));
}

bool Budget::has_time_to_compile() const { return left_until(last_compiler_share) > 0; }

double Budget::for_a_compiler() const { return std::max(1.0, left_until(compilers_end_share)); }

}  // namespace benchctl
