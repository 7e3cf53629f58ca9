// The progress of a run on standard error: one line that is drawn over on a terminal, plain lines
// elsewhere.
#pragma once

#include "engine/progress.hpp"

#include <chrono>
#include <cstddef>
#include <memory>

namespace benchctl::cli {

/// Progress for what standard error is connected to.
[[nodiscard]] std::unique_ptr<Progress> make_progress();

}  // namespace benchctl::cli
