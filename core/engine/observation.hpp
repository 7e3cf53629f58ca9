// The coordinator's side of observing: what the workers' answers tell of one point beside its samples.
#pragma once

#include "engine/replies.hpp"
#include "store/records.hpp"
#include "sweep/catalogue.hpp"

#include <span>

namespace benchctl {

class PointObservation {
 public:
  /// How often samples of one point are put aside before they have to count.
  static constexpr int most_retries = 10;

  /// Takes what observers said in the answer to `sample`. True: the samples must be put aside and taken
  /// again, for which the device was given a moment to recover.
  bool discard(const Observed& observed, std::size_t samples);
  /// Takes the answer to `observe`.
  void add_pass(const PassReply& answer);
  /// There was no such answer: readings of the choice without a value are absent.
  void pass_failed(std::span<const std::string> choice, const std::string& reason);
  /// Adds figures and notes to a point's result, from all that is stored of its samples.
  void conclude(PointResult& result, std::span<const SampleRow> rows, const Catalogue& catalogue) const;

 private:
  Notes absent_;
  Resources pass_;
  int retries_ = 0;
  std::size_t discarded_ = 0;
  std::string why_discarded_;
  std::string why_kept_;  ///< samples count although they should not
};

}  // namespace benchctl
