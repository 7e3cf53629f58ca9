#include "observe/comparability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

using enum EnvironmentClass;

struct KeyRule {
  std::string_view key;  ///< a `*` at its end stands for any further text
  EnvironmentClass key_class;
  std::string_view meaning;  ///< what a difference means, after a colon
};

/// Why a difference matters, by key of the environment. The class is that of the record itself.
constexpr auto environment_meanings = std::to_array<KeyRule>({
    {"cpu.model", must_match, "another processor"},
    {"cpu.usable", must_match, "another number of usable cores"},
    {"cpu.hypervisor", must_match, "a virtual machine shares its cores, a real one does not"},
    {"cpu.*", should_match, "cores may run at another speed"},
    {"memory.*", should_match, "memory may be laid out or paged in another way"},
    {"system.*", should_match, "kernel and scheduler differ; launch overhead may change"},
    {"build.*", should_match, "the program itself was built in another way"},
    {"library.blas", should_match,
     "processors' vendor variants may be other code or use threads in another way"},
    {"plugin.*", should_match, "variants may be other code"},
    {"env.*", should_match, "libraries and drivers heed this variable"},
});

/// Device keys: the first rule that fits decides. Unknown properties warn: a plugin records nothing idly.
constexpr auto device_rules = std::to_array<KeyRule>({
    {"name", must_match, "another product"},
    {"vendor", must_match, "another maker"},
    {"type", must_match, "another kind of device"},
    {"architecture", must_match, "kernels are compiled for another architecture"},
    {"compute_units", must_match, "another number of compute units"},
    {"last_level_cache_bytes", must_match, "what stays in the cache differs"},
    {"driver", should_match, "the driver may compile, schedule and clock in another way"},
    {"timer_step_ns", information, ""},
    {"physical", information, ""},
    {"memory", should_match, "another amount of memory"},
    {"property.ecc", must_match, "error correction takes its share of memory bandwidth"},
    {"property.mig*", must_match, "an instance of a partitioned device has a part of its units only"},
    {"property.uuid", should_match, "another card of the same product; cards differ by some per cent"},
    {"property.power_limit*", should_match, "the device may throttle earlier or later"},
    {"property.*clock*", should_match, "another range of clocks"},
    {"property.pcie_link_now", information, ""},
    {"property.numa_node", should_match, "the device may be nearer to other cores"},
    {"property.pcie*", should_match, "copies run at another speed"},
    {"property.*version*", should_match, "another version of a library"},
    {"property.*free*", information, ""},
    {"property.peak_*", information,
     ""},  // made from clocks and the product, which are compared themselves
    {"property.*", should_match, "the plugin records this as part of the device"},
});

/// `*` at the end, or one `*` at the beginning of what follows `property.` and one at the end.
bool fits(std::string_view pattern, std::string_view key) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == key;
  if (!key.starts_with(pattern.substr(0, star))) return false;
  const std::string_view middle = pattern.substr(star + 1);
  if (middle.empty()) return true;
  return key.find(middle.substr(0, middle.size() - 1), star) != std::string_view::npos;
}

template <std::size_t n>
const KeyRule* rule_of(const std::array<KeyRule, n>& rules, std::string_view key) {
  const auto found = std::ranges::find_if(rules, [&](const KeyRule& rule) { return fits(rule.key, key); });
  return found == rules.end() ? nullptr : &*found;
}

using Keys = std::vector<std::pair<std::string, std::string>>;

/// Memory as a driver counts it wavers by what others have taken: to a tenth.
std::string memory_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string() : fmt::format("{:.2g} GiB", static_cast<double>(bytes) / (1ULL << 30));
}

std::string number_text(std::uint64_t number) {
  return number == 0 ? std::string() : std::to_string(number);
}

Keys keys_of(const DeviceInfo& device) {
  Keys keys = {{"name", device.name},
               {"vendor", device.vendor},
               {"type", std::string(to_string(device.type))},
               {"architecture", device.architecture},
               {"compute_units", number_text(device.compute_units)},
               {"last_level_cache_bytes", number_text(device.last_level_cache_bytes)},
               {"memory", memory_text(device.limits.memory_bytes)},
               {"driver", device.driver},
               {"physical", device.physical}};
  for (const auto& [key, value] : device.properties) keys.emplace_back("property." + key, value);
  return keys;
}

bool is_known(const std::string& value) { return !value.empty() && value != unknown_value; }

std::string side_text(const std::string& value) { return is_known(value) ? value : "not known"; }

/// Nothing when the values are equal.
void add_difference(std::vector<Difference>& differences, Difference difference, std::string_view meaning) {
  if (difference.first == difference.second) return;
  if (!is_known(difference.first) && !is_known(difference.second)) return;
  const bool told_twice = is_known(difference.first) && is_known(difference.second);
  if (!told_twice && difference.weight == must_match) difference.weight = should_match;
  difference.reason =
      fmt::format("{}{} differs ({} / {})", difference.lane.empty() ? "" : difference.lane + ": ",
                  difference.key, side_text(difference.first), side_text(difference.second));
  if (!told_twice) {
    difference.reason += ": known in one of the records only";
  } else if (!meaning.empty()) {
    difference.reason += fmt::format(": {}", meaning);
  }
  differences.push_back(std::move(difference));
}

std::vector<Difference> environment_differences(const Environment& first, const Environment& second) {
  std::vector<Difference> differences;
  const auto compare = [&](const EnvironmentEntry* a, const EnvironmentEntry* b) {
    const EnvironmentEntry& either = a != nullptr ? *a : *b;
    const KeyRule* rule = rule_of(environment_meanings, either.key);
    // The classes of an older record may be others: the stricter one counts (must_match is the smallest).
    const EnvironmentClass weight =
        std::min(a != nullptr ? a->entry_class : information, b != nullptr ? b->entry_class : information);
    add_difference(differences,
                   {"", either.key, a != nullptr ? a->value : "", b != nullptr ? b->value : "", weight, ""},
                   rule != nullptr && weight != information ? rule->meaning : "");
  };
  for (const EnvironmentEntry& entry : first.entries) compare(&entry, second.entry(entry.key));
  for (const EnvironmentEntry& entry : second.entries) {
    if (first.entry(entry.key) == nullptr) compare(nullptr, &entry);
  }
  return differences;
}

std::vector<Difference> device_differences(const Lane& first, const Lane& second) {
  std::vector<Difference> differences;
  const Keys before = keys_of(first.device);
  std::map<std::string, std::string> after;
  for (auto& [key, value] : keys_of(second.device)) after.emplace(key, value);
  const auto compare = [&](const std::string& key, const std::string& a, const std::string& b) {
    const KeyRule* rule = rule_of(device_rules, key);
    add_difference(differences, {first.name(), key, a, b, device_key_class(key), ""},
                   rule != nullptr ? rule->meaning : "");
  };
  for (const auto& [key, value] : before) {
    const auto other = after.find(key);
    compare(key, value, other != after.end() ? other->second : "");
    if (other != after.end()) after.erase(other);
  }
  for (const auto& [key, value] : after) compare(key, "", value);
  return differences;
}

Comparability verdict_of(EnvironmentClass weight) {
  return weight == must_match     ? Comparability::not_comparable
         : weight == should_match ? Comparability::with_warnings
                                  : Comparability::comparable;
}

const Lane* find_lane(const std::vector<Lane>& lanes, std::string_view name) {
  const auto found = std::ranges::find_if(lanes, [&](const Lane& lane) { return lane.name() == name; });
  return found == lanes.end() ? nullptr : &*found;
}

/// How an environment's difference counts on a device.
EnvironmentClass weight_on(const Difference& difference, DeviceType type) {
  const bool on_host = type == DeviceType::cpu || type == DeviceType::simulator;
  if (difference.weight == must_match && !on_host) return should_match;
  return difference.weight;
}

void summarise(ComparabilityVerdict& result) {
  const auto line = [&](const std::string& text) {
    result.summary += (result.summary.empty() ? "" : "\n") + text;
  };
  if (result.lanes.empty()) line("the records have no device in common");
  for (const Difference& difference : result.differences) {
    if (difference.weight != information) line(difference.reason);
  }
}

}  // namespace

EnvironmentClass device_key_class(std::string_view key) {
  const KeyRule* rule = rule_of(device_rules, key);
  return rule != nullptr ? rule->key_class : should_match;
}

Comparability ComparabilityVerdict::of(std::string_view lane) const {
  const auto found = std::ranges::find(lanes, lane, &LaneVerdict::lane);
  return found == lanes.end() ? Comparability::not_comparable : found->verdict;
}

ComparabilityVerdict compare_circumstances(const Circumstances& first, const Circumstances& second) {
  ComparabilityVerdict result;
  result.differences = environment_differences(first.environment, second.environment);
  const std::vector<Difference> shared = result.differences;
  for (const Lane& lane : first.lanes) {
    const Lane* other = find_lane(second.lanes, lane.name());
    if (other == nullptr) continue;
    LaneVerdict verdict{lane.name(), Comparability::comparable};
    for (const Difference& difference : shared) {
      verdict.verdict = std::max(verdict.verdict, verdict_of(weight_on(difference, lane.device.type)));
    }
    for (Difference& difference : device_differences(lane, *other)) {
      verdict.verdict = std::max(verdict.verdict, verdict_of(difference.weight));
      result.differences.push_back(std::move(difference));
    }
    result.lanes.push_back(std::move(verdict));
  }
  const auto best = std::ranges::min_element(result.lanes, {}, &LaneVerdict::verdict);
  result.verdict = best == result.lanes.end() ? Comparability::not_comparable : best->verdict;
  summarise(result);
  return result;
}

}  // namespace benchctl
