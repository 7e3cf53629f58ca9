// What a run may still spend. All time is read from its clock.
#pragma once

#include "engine/run_point.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace benchctl {

class RunningClock;

class Budget {
 public:
  /// First every point is covered with a part of the budget; what is left is spent where it is wanted.
  enum class Stage : std::uint8_t {
    before_libraries,  ///< libraries that compile wait until all others have times
    covering,
    searching,
  };

  /// No limit without `seconds`. `clock`: seconds since some fixed moment; without one, the steady clock
  /// without the time in which this process was stopped. `points`: those of the run.
  Budget(std::optional<double> seconds, std::function<double()> clock, const std::vector<RunPoint>& points);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget();

  [[nodiscard]] double now() const { return clock_(); }
  [[nodiscard]] bool is_limited() const { return seconds_.has_value(); }
  /// Seconds of all of it, and of what is left; infinity without a limit.
  [[nodiscard]] double whole() const;
  [[nodiscard]] double left() const { return left_until(1); }
  /// `must_stop` heeds it only once the session has brought a result.
  [[nodiscard]] bool is_used() const { return left() < 0; }
  /// Should no new work be begun, for an interrupt or since it is used?
  [[nodiscard]] bool must_stop();
  /// What has made `must_stop` say so.
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }
  [[nodiscard]] bool has_ended() const { return ended_; }

  /// Seconds that a point without a result may take.
  [[nodiscard]] double for_a_point() const;
  /// Seconds that one verb may take.
  [[nodiscard]] double for_a_verb() const;
  /// If other points have times: may a compiler be started, and when must it have answered?
  [[nodiscard]] bool has_time_to_compile() const;
  [[nodiscard]] double for_a_compiler() const;

  void enter(Stage stage) { stage_ = stage; }
  /// Searches may still try so many points more, or need not.
  void expect(std::uint64_t points) { planned_ += points; }
  void expect_no_more(std::uint64_t points) { planned_ -= points; }
  [[nodiscard]] std::uint64_t planned() const { return planned_; }
  /// So many points have results of earlier sessions.
  void set_aside(std::size_t results) { results_before_ += results; }
  /// Every point had its chance: from now on it stops the run when it is used.
  void all_had_a_chance() { brought_a_result_ = true; }

 private:
  /// Until that share of it is used.
  [[nodiscard]] double left_until(double share) const;
  [[nodiscard]] std::size_t open_points() const;

  std::optional<double> seconds_;
  std::unique_ptr<RunningClock> running_;
  std::function<double()> clock_;
  double start_;
  const std::vector<RunPoint>& points_;
  Stage stage_ = Stage::covering;
  std::uint64_t planned_ = 0;
  std::size_t results_before_ = 0;
  /// Has this session brought a result? However small the budget is, the same command, given often enough,
  /// measures everything.
  bool brought_a_result_ = false;
  bool interrupted_ = false;
  bool ended_ = false;
};

}  // namespace benchctl
