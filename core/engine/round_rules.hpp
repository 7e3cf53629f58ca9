// What tells rounds of one kind from those of another: who takes part, who leaves, when they end.
#pragma once

#include "engine/active_point.hpp"

#include <list>
#include <memory>

namespace benchctl {

class RoundRules {
 public:
  RoundRules() = default;
  RoundRules(const RoundRules&) = delete;
  RoundRules& operator=(const RoundRules&) = delete;
  virtual ~RoundRules() = default;

  /// Is a point worth nothing without the others? Then none is left out for want of time.
  [[nodiscard]] virtual bool need_each_other() const = 0;
  /// Whoever can be sampled is ready: rounds begin.
  virtual void begin() = 0;
  /// Before and after a round, `rounds` of which are over: points that need no more leave.
  virtual void before_round(std::int64_t /*rounds*/) {}
  virtual void after_round(std::int64_t /*rounds*/) {}
  /// Does an open point take part in rounds?
  [[nodiscard]] virtual bool takes_part(const ActivePoint& /*active*/) const { return true; }
};

/// Paired where a point of them is, with the baselines of those settings; else each point races its rivals.
/// The points must outlive the rules. `axis`: what the points are asked about.
[[nodiscard]] std::unique_ptr<RoundRules> make_rules(std::list<ActivePoint>& points,
                                                     const std::uint32_t& replicate,
                                                     const CompareSettings& compare, std::string axis);

}  // namespace benchctl
