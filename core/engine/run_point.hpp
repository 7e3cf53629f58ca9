// A point on its way through a run, and what is in hand of it.
#pragma once

#include "engine/audit.hpp"
#include "store/store.hpp"
#include "sweep/point_plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct RunPoint {
  Point point;
  PointId id{};  ///< in the store
  std::uint64_t ordinal = 0;
  std::string content_key;
  bool finished = false;
  bool put_off = false;                  ///< to another session: the budget has no time for it
  double spent_seconds = 0;              ///< on warming it up and sampling it in this session
  std::optional<double> median_ns = {};  ///< once it is measured
  std::optional<StopReason> stop = {};   ///< what ended its sampling, once it is measured
  bool contested = false;                ///< then: it, or a rival of it, may be the fastest
  double excess = 0;                     ///< then: half the width of its interval over the target
  double round_seconds = 0;              ///< then: how long its next samples take
  double overhead_seconds = 0;           ///< its group's latest turn without samples and compiling
  std::optional<Auditor> audit = {};     ///< what this session's audits of it have seen
  /// What is compiled and sent for it, once that was planned; of a choice those to try, then its pick.
  std::vector<Candidate> candidates = {};

  [[nodiscard]] bool is_open() const { return !finished && !put_off; }

  /// Did this session add it, and has it no result yet?
  [[nodiscard]] bool is_new() const { return samples_ && !result_; }
  /// Its samples and its result: those in hand, or what an earlier session has stored. A new point has no
  /// samples. Throw StoreError.
  [[nodiscard]] std::vector<SampleRow>& samples_in(const Store& store) {
    if (!samples_) samples_ = store.samples(id);
    return *samples_;
  }
  [[nodiscard]] Result& result_in(const Store& store) {
    if (!result_) result_ = std::make_unique<Result>(store.result(id));
    return *result_;
  }
  void hold(Result result) { result_ = std::make_unique<Result>(std::move(result)); }
  /// None of that is in hand any more.
  void let_go() {
    samples_.reset();
    result_.reset();
    candidates = {};
  }

 private:
  std::optional<std::vector<SampleRow>> samples_{std::in_place};
  std::unique_ptr<Result> result_;
};

}  // namespace benchctl
