// Parts of a [[kernel]] that need nothing of the rest. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/expressions.hpp"

#include <benchctl/variant.hpp>

#include <optional>
#include <string>

namespace benchctl {

struct Tunable {
  TunableInfo info;  ///< without its name
  bool has_default = false;
};

/// A member of the table `tunables`: a value, which is its default, or a table; nothing if it is neither,
/// which is reported. `kernel` names the kernel in messages.
[[nodiscard]] std::optional<Tunable> read_tunable(Reporter& reporter, ExpressionReader& expressions,
                                                  const Node& member, const std::string& kernel);

/// A [[kernel.scratch]].
[[nodiscard]] ScratchSpec read_scratch_buffer(Reporter& reporter, ExpressionReader& expressions,
                                              const Node& element);

}  // namespace benchctl
