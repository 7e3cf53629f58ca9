#include "predict/pattern.hpp"

#include "expr/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl::predict {

namespace {

constexpr std::uint64_t sampled_threads = 2048;
/// Names of a thread's place; what does not mention one is the same for all threads.
constexpr std::array<std::string_view, 8> place_names{"i", "t", "tx", "ty", "tz", "bx", "by", "bz"};

/// An expression of a pattern, evaluated once if no thread differs from another.
class PerThread {
 public:
  PerThread(const std::string& text, const Parameters& values) : expression_(parsed_expression(text)) {
    varies_ = std::ranges::any_of(
        place_names, [&](std::string_view name) { return expression_.names().contains(name); });
    if (!varies_) fixed_ = expression_.evaluate(values);
  }
  [[nodiscard]] std::uint64_t count(const Parameters& values) const {
    return varies_ ? expression_.count(values) : as_count(fixed_);
  }
  [[nodiscard]] bool holds(const Parameters& values) const {
    return varies_ ? expression_.holds(values) : std::get<bool>(fixed_);
  }

 private:
  [[nodiscard]] std::uint64_t as_count(const Value& value) const {
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr || *integer < 0) {
      throw PatternError(fmt::format("'{}' is not a count", expression_.text()));
    }
    return static_cast<std::uint64_t>(*integer);
  }
  const Expression& expression_;
  bool varies_ = false;
  Value fixed_;
};

Threads threads_of(const VariantInfo& variant, const AccessSpec& access, const Parameters& values) {
  Threads threads;
  if (!access.threads.empty()) {
    threads.block[0] = std::max<std::uint64_t>(1, parsed_expression(access.threads).count(values));
    return threads;
  }
  if (!variant.kernel || access.launch >= variant.kernel->launches.size()) {
    throw PatternError(fmt::format("access to '{}' belongs to no launch and declares no number of threads",
                                   access.operand));
  }
  const LaunchSpec& launch = variant.kernel->launches[access.launch];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    threads.block[axis] = parsed_expression(launch.block[axis]).count(values);
    threads.grid[axis] = parsed_expression(launch.grid[axis]).count(values);
  }
  return threads;
}

/// Is the access one of a launch that takes place?
bool takes_place(const VariantInfo& variant, const AccessSpec& access, const Parameters& values) {
  if (!access.threads.empty() || !variant.kernel || access.launch >= variant.kernel->launches.size())
    return true;
  return parsed_expression(variant.kernel->launches[access.launch].when).holds(values);
}

/// Puts the place of thread `i` of a launch into `values`.
void place(Parameters& values, const Threads& threads, std::uint64_t i) {
  const auto set = [&](const char* name, std::uint64_t number) {
    values[name] = static_cast<std::int64_t>(number);
  };
  const std::uint64_t t = i % threads.per_block();
  const std::uint64_t block = i / threads.per_block();
  set("i", i);
  set("t", t);
  set("tx", t % threads.block[0]);
  set("ty", t / threads.block[0] % threads.block[1]);
  set("tz", t / threads.block[0] / threads.block[1]);
  set("bx", block % threads.grid[0]);
  set("by", block / threads.grid[0] % threads.grid[1]);
  set("bz", block / threads.grid[0] / threads.grid[1]);
}

std::vector<Access> sample(const AccessSpec& access, const Threads& threads, Parameters values) {
  place(values, threads, 0);
  const PerThread offset(access.offset, values);
  const PerThread bytes(access.bytes, values);
  const PerThread active(access.active, values);
  const std::uint64_t blocks = std::max<std::uint64_t>(1, sampled_threads / threads.per_block());
  const std::uint64_t count =
      std::min({threads.total(), blocks * threads.per_block(), std::uint64_t{2} * sampled_threads});
  std::vector<Access> accesses(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    place(values, threads, i);
    if (active.holds(values)) {
      accesses[i] = {offset.count(values), static_cast<std::uint32_t>(bytes.count(values))};
    }
  }
  return accesses;
}

}  // namespace

std::vector<Pattern> sampled_patterns(const VariantInfo& variant, const Parameters& given) {
  std::vector<Pattern> patterns;
  Parameters values = given;
  if (variant.kernel) derive(variant.kernel->derived, values);
  for (const AccessSpec& spec : variant.access) {
    try {
      if (!takes_place(variant, spec, values)) continue;
      Pattern pattern;
      pattern.spec = &spec;
      pattern.threads = threads_of(variant, spec, values);
      pattern.times = parsed_expression(spec.times).count(values);
      pattern.sample = sample(spec, pattern.threads, values);
      patterns.push_back(std::move(pattern));
    } catch (const ExpressionError& error) {
      throw PatternError(fmt::format("access to '{}' of {}/{}: {}", spec.operand, variant.workload,
                                     variant.name, error.what()));
    }
  }
  return patterns;
}

}  // namespace benchctl::predict
