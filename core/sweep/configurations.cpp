#include "sweep/configurations.hpp"

#include "model/point.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace benchctl {

namespace {

/// Of each power of two by which sizes are multiples of different ones.
constexpr double misalignment = 0.25;
constexpr int most_aligned = 4;
/// Of a word that differs.
constexpr double other_word = 1;
/// Classes that are looked at: those further away say nothing of a problem.
constexpr std::size_t most_classes = 4;

std::optional<double> number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

int alignment(const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr || *integer <= 0) return 0;
  return std::min(std::countr_zero(static_cast<std::uint64_t>(*integer)), most_aligned);
}

double distance(const Value& a, const Value& b) {
  const auto x = number(a);
  const auto y = number(b);
  if (!x || !y || *x <= 0 || *y <= 0) return a == b ? 0 : other_word;
  return std::abs(std::log2(*x / *y)) + misalignment * std::abs(alignment(a) - alignment(b));
}

/// A value that to_text() wrote, of the type of `like`.
std::optional<Value> value_from(const std::string& word, const Value& like) {
  if (std::holds_alternative<std::string>(like)) return Value(word);
  if (std::holds_alternative<bool>(like)) return Value(word == "true");
  const char* end = word.data() + word.size();
  const auto read = [&](auto number) -> std::optional<Value> {
    const auto [at, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc{} || at != end) return std::nullopt;
    return Value(number);
  };
  return std::holds_alternative<double>(like) ? read(double{}) : read(std::int64_t{});
}

struct NearClass {
  const TunedClass* tuned;
  bool elsewhere;  ///< of another architecture
  double distance;
};

std::vector<NearClass> nearest_classes(const VariantInfo& choice, const BackendEntry& backend,
                                       const DeviceInfo& device, const ProblemSpec& problem) {
  std::vector<NearClass> near;
  const auto is_of_choice = [&](const std::string& name) {
    return name == choice.name || std::ranges::find(choice.among, name) != choice.among.end();
  };
  for (const TuningTable& table : backend.tunings) {
    if (table.workload != choice.workload) continue;
    for (const TunedClass& tuned : table.classes) {
      if (!is_of_choice(tuned.choice) || tuned.layout != problem.layout) continue;
      if (const auto away = distance(tuned, problem.parameters))
        near.push_back({&tuned, table.architecture != device.architecture, *away});
    }
  }
  std::ranges::stable_sort(near, {},
                           [](const NearClass& one) { return std::pair(one.elsewhere, one.distance); });
  if (near.size() > most_classes) near.resize(most_classes);
  return near;
}

}  // namespace

std::string to_text(const Configuration& configuration) {
  return configuration.tunables.empty() ? configuration.variant
                                        : configuration.variant + " " + to_text(configuration.tunables);
}

std::optional<Configuration> configuration_from(std::string_view text, const VariantInfo& choice,
                                                const BackendEntry& backend) {
  std::map<std::string, std::string, std::less<>> words;
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

FoundConfigurations find_configurations(const VariantInfo& choice, const BackendEntry& backend,
                                        const DeviceInfo& device, const ProblemSpec& problem,
                                        std::size_t most) {
  FoundConfigurations found;
  const Parameters device_has = device_values(device);
  const auto add = [&](const Configuration& given) {
    if (found.configurations.size() >= most) return;
    const VariantInfo* variant = backend.find_variant(choice.workload, given.variant);
    // A table may name variants and tunables that this build does not have: it says nothing of others.
    if (variant == nullptr || std::ranges::find(choice.among, given.variant) == choice.among.end()) return;
    Configuration complete{given.variant, {}, given.ratio};
    for (const TunableInfo& tunable : variant->tunables) {
      const auto own = given.tunables.find(tunable.name);
      const bool fits = own != given.tunables.end() && own->second.index() == tunable.default_value.index();
      complete.tunables[tunable.name] = fits ? own->second : tunable.default_value;
    }
    const auto same = [&](const Configuration& other) {
      return other.variant == complete.variant && other.tunables == complete.tunables;
    };
    if (std::ranges::any_of(found.configurations, same)) return;
    const Parameters values =
        kernel_values(problem.parameters, problem.layout, complete.tunables, device_has);
    std::string reason = ruled_out_by({*variant, backend, device, problem, values});
    if (reason.empty()) {
      found.configurations.push_back(std::move(complete));
    } else if (found.reason.empty()) {
      found.reason = std::move(reason);
    }
  };
  for (const NearClass& near : nearest_classes(choice, backend, device, problem))
    std::ranges::for_each(near.tuned->configurations, add);
  for (const std::string& variant : choice.among) add({variant, {}});
  if (!found.configurations.empty()) found.reason.clear();
  return found;
}

}  // namespace benchctl
