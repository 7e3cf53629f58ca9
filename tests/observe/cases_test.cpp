// Machines and pairs of records in tests/golden/expected/observe_cases.txt: what a record has of a machine,
// and whether results of two stand beside one another.
#include "model/json.hpp"
#include "observe/comparability.hpp"
#include "observe/control_groups.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/json_lines.hpp"
#include "support/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

using namespace benchctl;
using namespace benchctl::test;

namespace {

using Json = nlohmann::json;

/// What lines `FILE: TEXT` under the root bring into the record.
std::vector<std::string> record_of(const std::string& text) {
  const TemporaryDirectory root;
  const Environment bare = collect_environment(EnvironmentSources{root.path(), {}});
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    root.write(line.substr(0, colon),
               std::regex_replace(line.substr(colon + 2), std::regex(R"(\\n)"), "\n") + '\n');
  }
  const Environment found = collect_environment(EnvironmentSources{root.path(), {}});
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < found.entries.size(); ++i) {
    const EnvironmentEntry& entry = found.entries[i];
    CHECK(entry.key == bare.entries.at(i).key);
    if (entry != bare.entries[i]) lines.push_back(entry.key + " = " + entry.value);
  }
  if (const auto quota = processor_quota(root.path())) lines.push_back(fmt::format("quota: {}", *quota));
  return lines;
}

Json usual_record() {
  Json devices = Json::array();
  for (const auto& [backend, type] :
       {std::pair{"gpu_maker", DeviceType::gpu}, std::pair{"cpu_maker", DeviceType::cpu}}) {
    DeviceInfo device;
    device.id = "0";
    device.type = type;
    device.limits.memory_bytes = 80ULL << 30;
    devices.push_back({{"backend", backend}, {"device", to_json(device)}});
  }
  Environment environment;
  environment.entries = {{"cpu.model", "Some CPU", EnvironmentClass::must_match},
                         {"cpu.usable", "8", EnvironmentClass::must_match},
                         {"cpu.governor", "performance", EnvironmentClass::should_match},
                         {"system.load", "0.1 0.2 0.3", EnvironmentClass::information}};
  const std::string both =
      "lanes/X/device/name = Some device\nlanes/X/device/vendor = Maker\n"
      "lanes/X/device/driver = driver 1.0\nlanes/X/device/architecture = arch_9\n"
      "lanes/X/device/physical = pci:0000:65:00.0\nlanes/X/device/compute_units = 12\n"
      "lanes/X/device/properties = {\"uuid\": \"U-1\", \"ecc\": \"on\", \"power_limit_w\": \"700\"}\n";
  return patched(
      {{"environment", Json::parse(to_json_text(environment))}, {"lanes", devices}},
      std::regex_replace(both, std::regex("X"), "0") + std::regex_replace(both, std::regex("X"), "1"));
}

Circumstances record_from(const Json& json) {
  Circumstances record;
  record.environment = environment_from_json_text(json.at("environment").dump());
  for (const Json& one : json.at("lanes")) {
    Lane lane;
    lane.backend = one.at("backend");
    lane.device = device_from_json(one.at("device"));
    record.lanes.push_back(std::move(lane));
  }
  return record;
}

/// The verdict, those of records that know one lane alone, and what differs.
std::vector<std::string> comparison_of(const std::string& text) {
  const Json both = patched({{"first", usual_record()}, {"second", usual_record()}}, text);
  const Circumstances first = record_from(both.at("first"));
  const Circumstances second = record_from(both.at("second"));
  const ComparabilityVerdict all = compare_circumstances(first, second);
  std::vector<std::string> lines{std::string(to_string(all.verdict))};
  for (const char* lane : {"gpu_maker:0", "cpu_maker:0"}) {
    Circumstances of_first = first;
    Circumstances of_second = second;
    for (Circumstances* record : {&of_first, &of_second})
      std::erase_if(record->lanes, [&](const Lane& one) { return one.name() != lane; });
    lines.push_back(
        fmt::format("{}: {}", lane, to_string(compare_circumstances(of_first, of_second).verdict)));
  }
  for (const Difference& one : all.differences) {
    lines.push_back(fmt::format("{} {} '{}' '{}' {}: {}", one.lane, one.key, one.first, one.second,
                                to_string(one.weight), one.reason));
  }
  return lines;
}

std::vector<std::string> answer(const std::string& text) {
  const std::size_t end = text.find('\n');
  return text.starts_with("@machine") ? record_of(text.substr(end + 1))
                                      : comparison_of(text.substr(end + 1));
}

}  // namespace

TEST_CASE("a record has what the machine tells, and results are compared where records allow it") {
  check_cases("observe_cases.txt", answer);
}

TEST_CASE("patterns of keys, and a warning for those that no rule knows") {
  using enum EnvironmentClass;
  CHECK(key_class("property.sm_clock_max_khz") == should_match);
  CHECK(key_class("property.mig_profile") == must_match);
  CHECK(key_class("property.pcie_link_now") == information);
  CHECK(key_class("property.pcie_link_max") == should_match);
  CHECK(key_class("property.something_else") == should_match);
  CHECK(key_class("plugin.some.digest") == information);
  CHECK(key_class("plugin.some") == should_match);
  CHECK(key_class("quite_new") == should_match);
}
