// Every table that a config, a policy or a tuning table may have, with its keys: one description for
// checking, messages and the reference. The keys of `[measure]` are in measure_settings.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

struct ConfigKey {
  std::string name;
  std::string value;     ///< what it must be, with its unit
  std::string fallback;  ///< `required`, or what holds where it is not given
  std::string doc;

  [[nodiscard]] bool is_required() const { return fallback == "required"; }
};

struct ConfigTable {
  std::string name;  ///< as it is written in a config: `[[kernel]]`
  std::string doc;   ///< one sentence
  std::vector<ConfigKey> keys;

  /// The key of that name. Throws std::logic_error if there is none.
  [[nodiscard]] const ConfigKey& at(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> key_names() const;
};

/// All of them, those of policies and tuning tables at the end.
[[nodiscard]] std::span<const ConfigTable> config_tables();
/// The table of that name. Throws std::logic_error if there is none.
[[nodiscard]] const ConfigTable& config_table(std::string_view name);

}  // namespace benchctl
