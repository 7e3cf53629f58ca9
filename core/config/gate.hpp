// The policy of `benchctl compare --policy`: which differences between two runs count as failure.
#pragma once

#include "config/diagnostic.hpp"
#include "model/status.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

/// A [[rule]]: what holds for the points and the metric that its patterns match (core/model/words.hpp).
struct GateRule {
  std::string workload = "*";
  std::string variant = "*";
  std::string backend = "*";
  std::string device = "*";
  std::string metric = "median_ns";
  std::optional<double> threshold;
  std::optional<std::vector<PairOutcome>> fail;
  std::optional<bool> needs_interval;
};

/// The first rule that matches a point and a metric applies; what it leaves open is taken from
/// [gate].
struct GatePolicy {
  std::optional<double> threshold;  ///< [gate]: none: that of the command or the run's config
  std::vector<PairOutcome> fail = {PairOutcome::slower, PairOutcome::wrong, PairOutcome::failed,
                                   PairOutcome::not_comparable};
  /// Is a figure without an interval not resolved, rather than compared as it is?
  bool needs_interval = false;
  /// Do `slower` and `faster` need the whole interval beyond the threshold?
  bool whole_interval = false;
  /// May 5 % of the called differences be false on average, rather than any of them in 5 % of
  /// comparisons?
  bool false_discovery_rate = false;
  std::vector<GateRule> rules;
};

/// Reads a policy in TOML, strictly. Throws ConfigErrors with everything that is wrong, std::system_error
/// for a file that cannot be read.
[[nodiscard]] GatePolicy load_gate(const std::filesystem::path& path);
[[nodiscard]] GatePolicy parse_gate(const std::string& text, const std::string& name);

}  // namespace benchctl
