// An order of the values that tied axes have at one place.
#pragma once

#include "config/config.hpp"
#include "model/values.hpp"

#include <vector>

namespace benchctl {

/// Compares places by the values that the axes have there, the first axis first.
struct TupleOrder {
  const std::vector<const Axis*>& axes;

  bool operator()(std::size_t a, std::size_t b) const {
    const ValueOrder less;
    for (const Axis* axis : axes) {
      if (less(axis->values[a], axis->values[b])) return true;
      if (less(axis->values[b], axis->values[a])) return false;
    }
    return false;
  }
};

}  // namespace benchctl
