// The times of many points, one point after the other.
#pragma once

#include "store/store.hpp"

namespace benchctl {

/// What Store::samples reads, without what else is stored with a sample, and without asking the file anew
/// for each point: all points are seen as of one moment. Throws StoreError.
class SampleTimes {
 public:
  /// The store must live as long as the object.
  explicit SampleTimes(const Store& store);
  SampleTimes(SampleTimes&&) noexcept;
  SampleTimes& operator=(SampleTimes&&) noexcept;
  ~SampleTimes();

  /// Those in use, in the order in which they were taken, by replicate; no replicate without a block of
  /// samples.
  [[nodiscard]] std::vector<std::vector<double>> of(PointId point);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace benchctl
