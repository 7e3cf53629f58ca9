#include "observe/comparability.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

using enum EnvironmentClass;

struct KeyRule {
  std::string_view key;  ///< a `*` stands for any further text, one before it at most for text in between
  EnvironmentClass key_class;
  std::string_view meaning;  ///< what a difference means, after a colon
};

/// The first rule that fits decides.
constexpr auto rules = std::to_array<KeyRule>({
    // of the environment
    {"cpu.model", must_match, "another processor"},
    {"cpu.usable", must_match, "another number of usable cores"},
    {"cpu.hypervisor", must_match, "a virtual machine shares its cores, a real one does not"},
    {"cpu.quota", should_match, "a control group holds processes back when they have used their share"},
    {"cpu.*", should_match, "cores may run at another speed"},
    {"memory.*", should_match, "memory may be laid out or paged in another way"},
    {"system.machine", information, ""},
    {"system.host", information, ""},
    {"system.load", information, ""},
    {"system.*", should_match, "kernel and scheduler differ; launch overhead may change"},
    {"build.*", should_match, "the program itself was built in another way"},
    {"library.blas", should_match,
     "processors' vendor variants may be other code or use threads in another way"},
    {"plugin.*.digest*", information, ""},  // built anew from the same sources it differs as well
    {"plugin.*", should_match, "variants may be other code"},
    {"env.*", should_match, "libraries and drivers heed this variable"},
    // of a device
    {"name", must_match, "another product"},
    {"vendor", must_match, "another maker"},
    {"type", must_match, "another kind of device"},
    {"architecture", must_match, "kernels are compiled for another architecture"},
    {"compute_units", must_match, "another number of compute units"},
    {"last_level_cache_bytes", must_match, "what stays in the cache differs"},
    {"driver", should_match, "the driver may compile, schedule and clock in another way"},
    {"physical", information, ""},
    {"memory", should_match, "another amount of memory"},
    {"property.ecc", must_match, "error correction takes its share of memory bandwidth"},
    {"property.mig*", must_match, "an instance of a partitioned device has a part of its units only"},
    {"property.compiler", should_match, "kernels may be compiled to other code"},
    {"property.uuid", should_match, "another card of the same product; cards differ by some per cent"},
    {"property.power_limit*", should_match, "the device may throttle earlier or later"},
    {"property.*clock*", should_match, "another range of clocks"},
    {"property.pcie_link_now", information, ""},
    {"property.numa_node", should_match, "the device may be nearer to other cores"},
    {"property.pcie*", should_match, "copies run at another speed"},
    {"property.*version*", should_match, "another version of a library"},
    // Made from clocks and the product, which are compared themselves.
    {"property.peak_*", information, ""},
    {"property.*", should_match, "the plugin records this as part of the device"},
});

bool fits(std::string_view pattern, std::string_view key) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == key;
  if (!key.starts_with(pattern.substr(0, star))) return false;
  const std::string_view middle = pattern.substr(star + 1);
  if (middle.empty()) return true;
  return key.find(middle.substr(0, middle.size() - 1), star) != std::string_view::npos;
}

const KeyRule* rule_of(std::string_view key) {
  const auto* const found =
      std::ranges::find_if(rules, [&](const KeyRule& rule) { return fits(rule.key, key); });
  return found == rules.end() ? nullptr : found;
}

/// What a record tells of a device. Memory as a driver counts it wavers by what others have taken: to a
/// tenth.
Environment record_of(const DeviceInfo& device) {
  const auto number = [](std::uint64_t value) {
    return value == 0 ? std::string() : std::to_string(value);
  };
  const std::uint64_t memory = device.limits.memory_bytes;
  Environment record;
  const auto add = [&](const std::string& key, std::string value) {
    record.entries.push_back({key, std::move(value), key_class(key)});
  };
  add("name", device.name);
  add("vendor", device.vendor);
  add("type", std::string(to_string(device.type)));
  add("architecture", device.architecture);
  add("compute_units", number(device.compute_units));
  add("last_level_cache_bytes", number(device.last_level_cache_bytes));
  add("memory", memory == 0 ? "" : fmt::format("{:.2g} GiB", static_cast<double>(memory) / (1ULL << 30)));
  add("driver", device.driver);
  add("physical", device.physical);
  for (const auto& [key, value] : device.properties) add("property." + key, value);
  return record;
}

bool is_known(const std::string& value) { return !value.empty() && value != unknown_value; }

/// What two records of the environment differ in or, with a `lane`, two of its device.
void add_differences(std::vector<Difference>& differences, const std::string& lane,
                     const Environment& first, const Environment& second) {
  const auto compare = [&](const EnvironmentEntry* a, const EnvironmentEntry* b) {
    const EnvironmentEntry& either = a != nullptr ? *a : *b;
    Difference found{
        lane, either.key, a != nullptr ? a->value : "", b != nullptr ? b->value : "", either.entry_class,
        ""};
    const bool told_first = is_known(found.first);
    const bool told_second = is_known(found.second);
    if (found.first == found.second || (!told_first && !told_second)) return;
    found.reason =
        fmt::format("{}{} differs ({} / {})", lane.empty() ? "" : lane + ": ", found.key,
                    told_first ? found.first : "not known", told_second ? found.second : "not known");
    const KeyRule* rule = rule_of(found.key);
    if (!told_first || !told_second) {
      found.reason += ": known in one of the records only";
      if (found.weight == must_match) found.weight = should_match;
    } else if (rule != nullptr && !rule->meaning.empty() && found.weight != information) {
      found.reason += fmt::format(": {}", rule->meaning);
    }
    differences.push_back(std::move(found));
  };
  for (const EnvironmentEntry& entry : first.entries) compare(&entry, second.entry(entry.key));
  for (const EnvironmentEntry& entry : second.entries) {
    if (first.entry(entry.key) == nullptr) compare(nullptr, &entry);
  }
}

Comparability verdict_of(EnvironmentClass weight) {
  return weight == must_match     ? Comparability::not_comparable
         : weight == should_match ? Comparability::comparable_with_warnings
                                  : Comparability::comparable;
}

/// What the differences mean for a lane: those of the host count fully on the host alone.
Comparability verdict_on(DeviceType type, std::span<const Difference> differences) {
  const bool on_host = type == DeviceType::cpu || type == DeviceType::simulator;
  Comparability verdict = Comparability::comparable;
  for (const Difference& difference : differences) {
    const bool softened = difference.lane.empty() && !on_host && difference.weight == must_match;
    verdict = std::max(verdict, verdict_of(softened ? should_match : difference.weight));
  }
  return verdict;
}

}  // namespace

EnvironmentClass key_class(std::string_view key) {
  const KeyRule* rule = rule_of(key);
  return rule != nullptr ? rule->key_class : should_match;
}

ComparabilityVerdict compare_circumstances(const Circumstances& first, const Circumstances& second) {
  ComparabilityVerdict result;
  add_differences(result.differences, "", first.environment, second.environment);
  const std::vector<Difference> shared = result.differences;
  for (const Lane& lane : first.lanes) {
    const auto other = std::ranges::find(second.lanes, lane.name(), &Lane::name);
    if (other == second.lanes.end()) continue;
    std::vector<Difference> own = shared;
    add_differences(own, lane.name(), record_of(lane.device), record_of(other->device));
    result.verdict = std::min(result.verdict, verdict_on(lane.device.type, own));
    result.differences.insert(result.differences.end(), own.begin() + std::ssize(shared), own.end());
  }
  return result;
}

}  // namespace benchctl
