#include "sweep/configurations.hpp"

#include "expr/expression.hpp"
#include "model/point.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "sweep/kernel_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

namespace benchctl {

namespace {

/// The distance for each power of two by which sizes are multiples of different ones.
constexpr double misalignment = 0.25;
constexpr int most_aligned = 4;
/// The distance for a word that differs.
constexpr double other_word = 1;
/// Classes that are looked at: so many, and none that is so much further away than the nearest. What is
/// measured for a large problem says little of a small one.
constexpr std::size_t most_classes = 16;
constexpr double much_further = 3;
/// Share of an estimate by which it is trusted less for each unit of distance. With it, a class of the
/// table of sm_90a that is left out is found best from the others (tests/sweep/neighbours_test.cpp).
constexpr double doubt = 0.15;
/// What a GPU takes for a kernel of any size: about as long as for an empty one.
constexpr double launch_ns = 2000;
/// At most that share of what was measured.
constexpr double launch_share = 0.7;
/// How far a tunable that depends on the problem's size may be from what was measured.
constexpr std::int64_t most_resized = 4;

int alignment(const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr || *integer <= 0) return 0;
  return std::min(std::countr_zero(static_cast<std::uint64_t>(*integer)), most_aligned);
}

double distance(const Value& a, const Value& b) {
  const double x = as_number(a);
  const double y = as_number(b);
  if (x <= 0 || y <= 0) return a == b ? 0 : other_word;
  return std::abs(std::log2(x / y)) + misalignment * std::abs(alignment(a) - alignment(b));
}

/// A value that to_text() wrote, of the type of `like`.
std::optional<Value> value_from(const std::string& word, const Value& like) {
  if (std::holds_alternative<std::string>(like)) return Value(word);
  if (std::holds_alternative<bool>(like)) return Value(word == "true");
  if (std::holds_alternative<double>(like)) return number_from<double>(word);
  return number_from<std::int64_t>(word);
}

struct NearClass {
  const TunedClass* tuned;
  bool elsewhere;  ///< another architecture's
  double distance;
};

std::vector<NearClass> nearest_classes(const PlanCase& point) {
  const VariantInfo& choice = point.variant;
  std::vector<NearClass> near;
  const auto is_of_choice = [&](const std::string& name) {
    return name == choice.name || std::ranges::find(choice.among, name) != choice.among.end();
  };
  for (const TuningTable& table : point.backend.tunings) {
    if (table.workload != choice.workload) continue;
    for (const TunedClass& tuned : table.classes) {
      if (!is_of_choice(tuned.choice) || tuned.layout != point.problem.layout) continue;
      if (const auto away = distance(tuned, point.problem.parameters))
        near.push_back({&tuned, table.architecture != point.device.architecture, *away});
    }
  }
  std::ranges::stable_sort(near, {},
                           [](const NearClass& one) { return std::pair(one.elsewhere, one.distance); });
  if (near.size() > most_classes) near.resize(most_classes);
  if (near.empty()) return near;
  const double furthest = near.front().distance + much_further;
  std::erase_if(near, [&](const NearClass& one) { return !one.elsewhere && one.distance > furthest; });
  return near;
}

/// The configurations that the choice could run here.
class Candidates {
 public:
  explicit Candidates(const PlanCase& choice) : point_(choice), device_has_(device_values(choice.device)) {}

  void add(const NearClass& near) {
    for (const Configuration& given : near.tuned->configurations) {
      const VariantInfo* variant = among(given.variant);
      if (variant == nullptr) continue;
      const Configuration one = completed(*variant, given);
      const double ns = estimate(*variant, one, one.tunables, near);
      add(*variant, one, &near, ns, !near.elsewhere && near.distance == 0);
      add_resized(*variant, one, near, ns);
    }
  }
  void add_default(const std::string& name) {
    if (const VariantInfo* variant = among(name))
      add(*variant, completed(*variant, {name, {}}), nullptr, unknown);
  }

  /// Those measured for this very problem, then by estimated time, those without estimate in the order in
  /// which they were added.
  FoundConfigurations best(std::size_t most) {
    std::ranges::stable_sort(candidates_, {}, [](const Candidate& candidate) {
      return std::tuple(candidate.elsewhere, !candidate.measured, candidate.ns);
    });
    // An estimate may mislead: what was quickest for the nearest class is tried in any case.
    const auto nearest = std::ranges::find(candidates_, true, &Candidate::nearest);
    if (most > 1 && nearest != candidates_.end() &&
        nearest - candidates_.begin() >= static_cast<std::ptrdiff_t>(most)) {
      std::rotate(candidates_.begin() + static_cast<std::ptrdiff_t>(most) - 1, nearest, nearest + 1);
    }
    FoundConfigurations found;
    for (Candidate& candidate : candidates_) {
      if (found.configurations.size() < most)
        found.configurations.push_back(std::move(candidate.configuration));
    }
    if (found.configurations.empty()) found.reason = reason_;
    return found;
  }

 private:
  struct Candidate {
    Configuration configuration;
    bool elsewhere;  ///< another architecture's, or no table has it
    double ns;       ///< estimated
    bool nearest;    ///< the first that was added
    bool measured;   ///< for this very problem
  };
  static constexpr double unknown = std::numeric_limits<double>::infinity();

  /// A table may name variants that this build does not have, or that the choice is not among: nullptr.
  [[nodiscard]] const VariantInfo* among(const std::string& name) const {
    return std::ranges::find(point_.variant.among, name) == point_.variant.among.end()
               ? nullptr
               : point_.backend.find_variant(point_.variant.workload, name);
  }

  static Configuration completed(const VariantInfo& variant, const Configuration& given) {
    Configuration complete{given.variant, {}, given.ratio};
    for (const TunableInfo& tunable : variant.tunables) {
      const auto own = given.tunables.find(tunable.name);
      const bool fits = own != given.tunables.end() && own->second.index() == tunable.default_value.index();
      complete.tunables[tunable.name] = fits ? own->second : tunable.default_value;
    }
    return complete;
  }

  /// `near` is null for what no table has. False if the device or the problem rules it out.
  bool add(const VariantInfo& variant, const Configuration& one, const NearClass* near, double ns,
           bool measured = false) {
    for (Candidate& known : candidates_) {
      if (known.configuration.variant != one.variant || known.configuration.tunables != one.tunables)
        continue;
      if (!known.measured) known.ns = std::min(known.ns, ns);
      return true;
    }
    std::string reason = ruled_out_by(
        {point_.workload, point_.backend, variant, point_.device, point_.problem, one.tunables});
    if (!reason.empty()) {
      if (reason_.empty()) reason_ = std::move(reason);
      return false;
    }
    candidates_.push_back(
        {one, near == nullptr || near->elsewhere, ns, candidates_.empty() && near != nullptr, measured});
    return true;
  }

  /// The same with the value of each tunable `by_size` that promises most here, if it promises more.
  void add_resized(const VariantInfo& variant, const Configuration& one, const NearClass& near, double ns) {
    for (const TunableInfo& tunable : variant.tunables) {
      const auto* measured = std::get_if<std::int64_t>(&one.tunables.at(tunable.name));
      if (!tunable.by_size || measured == nullptr || *measured < 1) continue;
      std::map<double, Configuration> better;
      for (std::int64_t value = std::max<std::int64_t>(1, *measured / most_resized);
           value <= *measured * most_resized; ++value) {
        Configuration resized = one;
        resized.tunables[tunable.name] = value;
        const double promised = estimate(variant, resized, one.tunables, near) * (1 + doubt);
        if (promised < ns) better.emplace(promised, std::move(resized));
      }
      for (const auto& [promised, resized] : better) {
        if (add(variant, resized, &near, promised)) break;
      }
    }
  }

  /// A configuration's work for a problem, in its own unit. Throws ExpressionError.
  [[nodiscard]] double effort_of(const VariantInfo& variant, const Parameters& problem,
                                 const Parameters& tunables) const {
    if (variant.kernel && !variant.kernel->effort.empty()) {
      Parameters values = kernel_values(problem, point_.problem.layout, tunables, device_has_);
      derive(variant.kernel->derived, values);
      return as_number(parsed_expression(variant.kernel->effort).evaluate(values));
    }
    const Cost cost = point_.workload.cost(problem);
    return cost.flops > 0 ? cost.flops : cost.bytes();
  }

  /// What was measured for the class with `measured`, scaled by what there is to do.
  [[nodiscard]] double estimate(const VariantInfo& variant, const Configuration& one,
                                const Parameters& measured, const NearClass& near) const {
    Parameters there = point_.problem.parameters;
    for (const auto& [name, value] : near.tuned->problem) there.insert_or_assign(name, value);
    try {
      const double here = effort_of(variant, point_.problem.parameters, one.tunables);
      const double then = effort_of(variant, there, measured);
      if (!(here > 0) || !(then > 0) || near.tuned->ns <= 0) return unknown;
      const double took = near.tuned->ns * one.ratio;
      const double launch =
          point_.device.type == DeviceType::gpu ? std::min(launch_ns, launch_share * took) : 0;
      return (launch + (took - launch) * here / then) * (1 + doubt * near.distance);
    } catch (const ExpressionError&) {
      return unknown;  // as where a tunable of the class does not fit this problem
    }
  }

  const PlanCase& point_;
  Parameters device_has_;
  std::vector<Candidate> candidates_;
  std::string reason_;
};

}  // namespace

std::string to_text(const Configuration& configuration) {
  return configuration.tunables.empty() ? configuration.variant
                                        : configuration.variant + " " + to_text(configuration.tunables);
}

std::optional<Configuration> configuration_from(std::string_view text, const VariantInfo& choice,
                                                const BackendEntry& backend) {
  const std::size_t end = std::min(text.find(' '), text.size());
  Configuration found{std::string(text.substr(0, end)), {}};
  const VariantInfo* variant = backend.find_variant(choice.workload, found.variant);
  if (variant == nullptr || std::ranges::find(choice.among, found.variant) == choice.among.end())
    return std::nullopt;
  for (const TunableInfo& tunable : variant->tunables) {
    // Every value that a tunable can have is a word without blanks.
    const std::string key = " " + tunable.name + "=";
    const std::size_t begin = text.find(key);
    if (begin == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(begin + key.size());
    auto value = value_from(std::string(rest.substr(0, rest.find(' '))), tunable.default_value);
    if (!value) return std::nullopt;
    found.tunables[tunable.name] = std::move(*value);
  }
  return found;
}

std::optional<double> distance(const TunedClass& from, const Parameters& problem) {
  double sum = 0;
  for (const auto& [name, value] : from.problem) {
    const auto found = problem.find(name);
    if (found == problem.end() || (name == "dtype" && found->second != value)) return std::nullopt;
    sum += distance(value, found->second);
  }
  return sum;
}

FoundConfigurations find_configurations(const PlanCase& choice, std::size_t most) {
  Candidates candidates(choice);
  for (const NearClass& near : nearest_classes(choice)) candidates.add(near);
  for (const std::string& variant : choice.variant.among) candidates.add_default(variant);
  return candidates.best(most);
}

}  // namespace benchctl
