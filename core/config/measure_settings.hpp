// The keys of `[measure]`: one table for parsing, checking, help and documentation.
#pragma once

#include <benchctl/types.hpp>

#include "config/config.hpp"
#include "model/measure.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

struct MeasureKeyInfo {
  std::string name;
  std::string unit;                  ///< "s", "µs", …; empty: a count, a word, a ratio
  std::string doc;                   ///< one sentence
  std::string expected;              ///< what a value must be, for messages
  std::vector<std::string> choices;  ///< words that it takes; empty: a number
  /// Sets the field; false, and nothing changed, when the value is not `expected`.
  std::function<bool(MeasureSettings&, const Value&)> set;
  std::function<std::string(const MeasureSettings&)> text;  ///< the field as a config writes it
  bool is_list = false;  ///< a list of names; `set` takes them as one string with blanks between

  /// Measure parameters that are words tell points apart, so they may be swept like an axis.
  [[nodiscard]] bool is_parameter() const { return !choices.empty(); }
};

[[nodiscard]] std::span<const MeasureKeyInfo> measure_keys();
/// Null when there is no such key.
[[nodiscard]] const MeasureKeyInfo* find_measure_key(std::string_view name);
[[nodiscard]] std::vector<std::string> measure_key_names();

/// Lays the patch over the settings; where the maximum of samples then lies under the minimum, the
/// maximum counts. The patch has been checked before: throws std::logic_error on a bad entry.
void apply_measure(MeasureSettings& settings, const MeasurePatch& patch);

}  // namespace benchctl
