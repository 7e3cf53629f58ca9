// A run that tells nobody how far it is.
#pragma once

#include "engine/progress.hpp"

namespace benchctl::test {

class SilentProgress : public Progress {
 public:
  void started(std::size_t /*total*/, std::size_t /*open*/) override {}
  void message(const std::string& /*text*/) override {}
  void working(const Point& /*point*/, const std::string& /*what*/) override {}
  void finished(const Point& /*point*/, const Measurement* /*measurement*/) override {}
};

}  // namespace benchctl::test
