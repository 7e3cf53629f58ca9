// What a run reports while it measures. The command line draws it; this one says nothing.
#pragma once

#include "model/point.hpp"
#include "store/records.hpp"

#include <cstddef>
#include <string>

namespace benchctl {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// Once, when it is known what is to be done: `open` points are to be measured.
  virtual void started(std::size_t /*open*/) {}
  /// Something the user should read: a worker was replaced, a run is resumed.
  virtual void message(const std::string& /*text*/) {}
  /// What is being done for which point: "preparing", "warming up", "sampling".
  virtual void working(const Point& /*point*/, const std::string& /*what*/) {}
  /// A point has its final status. `measurement` is null where there is none.
  virtual void finished(const Point& /*point*/, const Measurement* /*measurement*/) {}
  /// The store holds the result of a point: it was measured, ruled out, or taken from an older run.
  virtual void stored(PointId /*point*/) {}
};

}  // namespace benchctl
