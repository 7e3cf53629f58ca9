
#include "observe/comparability.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using enum Comparability;

namespace {

Lane a_lane(const std::string& backend, DeviceType type) {
  Lane lane;
  lane.backend = backend;
  DeviceInfo& device = lane.device;
  device.id = "0";
  device.name = "Some device";
  device.vendor = "Maker";
  device.type = type;
  device.driver = "driver 1.0";
  device.architecture = "arch_9";
  device.physical = "pci:0000:65:00.0";
  device.compute_units = 12;
  device.limits.memory_bytes = 80ULL << 30;
  device.properties = {{"uuid", "U-1"}, {"ecc", "on"}, {"power_limit_w", "700"}};
  return lane;
}

Circumstances a_record() {
  using enum EnvironmentClass;
  Circumstances record;
  record.environment.entries = {{"cpu.model", "Some CPU", must_match},
                                {"cpu.usable", "8", must_match},
                                {"cpu.governor", "performance", should_match},
                                {"system.load", "0.1 0.2 0.3", information}};
  record.lanes = {a_lane("gpu_maker", DeviceType::gpu), a_lane("cpu_maker", DeviceType::cpu)};
  return record;
}

const std::string gpu = "gpu_maker:0";
const std::string cpu = "cpu_maker:0";

/// The verdict of records that know this lane alone.
Comparability on(const std::string& lane, Circumstances first, Circumstances second) {
  for (Circumstances* record : {&first, &second})
    std::erase_if(record->lanes, [&](const Lane& one) { return one.name() != lane; });
  return compare_circumstances(first, second).verdict;
}

/// The only difference of a verdict; fails the test when there is another number of them.
Difference only_difference(const ComparabilityVerdict& verdict) {
  REQUIRE(verdict.differences.size() == 1);
  return verdict.differences.front();
}

}  // namespace

TEST_CASE("another library behind references is told, and so is a record that does not know its own") {
  Circumstances first = a_record();
  Circumstances second = a_record();
  first.environment.entries.push_back(
      {"library.blas", "pthread, Some BLAS", EnvironmentClass::should_match});
  const ComparabilityVerdict older = compare_circumstances(first, second);
  CHECK(older.verdict == with_warnings);
  CHECK_THAT(only_difference(older).reason, ContainsSubstring("not known"));
  second.environment.entries.push_back(
      {"library.blas", "openmp, Some BLAS", EnvironmentClass::should_match});
  const ComparabilityVerdict verdict = compare_circumstances(first, second);
  CHECK(verdict.verdict == with_warnings);
  CHECK_THAT(only_difference(verdict).reason,
             ContainsSubstring("openmp") && ContainsSubstring("use threads"));
}

TEST_CASE("equal records are comparable, with nothing to say") {
  const ComparabilityVerdict verdict = compare_circumstances(a_record(), a_record());
  CHECK(verdict.verdict == comparable);
  CHECK(on(gpu, a_record(), a_record()) == comparable);
  CHECK(on(cpu, a_record(), a_record()) == comparable);
  CHECK(verdict.differences.empty());
}

TEST_CASE("a key for information is listed and changes no verdict; a should-match key warns on all lanes") {
  Circumstances second = a_record();
  second.environment.entries[3].value = "9 9 9";
  CHECK(compare_circumstances(a_record(), second).verdict == comparable);
  const Difference load = only_difference(compare_circumstances(a_record(), second));
  CHECK(load.key == "system.load");
  CHECK(load.first == "0.1 0.2 0.3");
  CHECK(load.second == "9 9 9");
  CHECK(load.weight == EnvironmentClass::information);

  second = a_record();
  second.environment.entries[2].value = "powersave";
  CHECK(on(gpu, a_record(), second) == with_warnings);
  CHECK(on(cpu, a_record(), second) == with_warnings);
  CHECK(only_difference(compare_circumstances(a_record(), second)).reason ==
        "cpu.governor differs (performance / powersave): cores may run at another speed");
}

TEST_CASE("another processor: its lanes are incomparable, those of other devices warn") {
  Circumstances second = a_record();
  second.environment.entries[0].value = "Another CPU";
  const ComparabilityVerdict verdict = compare_circumstances(a_record(), second);
  CHECK(on(cpu, a_record(), second) == not_comparable);
  CHECK(on(gpu, a_record(), second) == with_warnings);
  CHECK(verdict.verdict == with_warnings);
  CHECK(only_difference(verdict).weight == EnvironmentClass::must_match);
}

TEST_CASE("devices are compared by lane") {
  Circumstances second = a_record();
  second.lanes[0].device.name = "Another device";
  const ComparabilityVerdict verdict = compare_circumstances(a_record(), second);
  CHECK(on(gpu, a_record(), second) == not_comparable);
  CHECK(on(cpu, a_record(), second) == comparable);
  CHECK(verdict.verdict == comparable);
  CHECK(only_difference(verdict).lane == gpu);
  CHECK_THAT(only_difference(verdict).reason,
             ContainsSubstring("gpu_maker:0: name differs") && ContainsSubstring("another product"));
}

TEST_CASE("what differs of a device decides how much it counts") {
  struct Case {
    std::string key;
    Comparability verdict;
    void (*change)(DeviceInfo&);
  };
  const Case cases[] = {
      {"driver", with_warnings, [](DeviceInfo& d) { d.driver = "driver 2.0"; }},
      {"architecture", not_comparable, [](DeviceInfo& d) { d.architecture = "arch_8"; }},
      {"compute_units", not_comparable, [](DeviceInfo& d) { d.compute_units = 11; }},
      {"physical", comparable, [](DeviceInfo& d) { d.physical = "pci:0000:66:00.0"; }},
      {"memory", with_warnings, [](DeviceInfo& d) { d.limits.memory_bytes = 40ULL << 30; }},
      {"property.uuid", with_warnings, [](DeviceInfo& d) { d.properties["uuid"] = "U-2"; }},
      {"property.compiler", with_warnings, [](DeviceInfo& d) { d.properties["compiler"] = "c 2"; }},
      {"property.ecc", not_comparable, [](DeviceInfo& d) { d.properties["ecc"] = "off"; }},
      {"property.power_limit_w", with_warnings,
       [](DeviceInfo& d) { d.properties["power_limit_w"] = "350"; }},
  };
  for (const Case& one : cases) {
    CAPTURE(one.key);
    Circumstances second = a_record();
    one.change(second.lanes[0].device);
    const ComparabilityVerdict verdict = compare_circumstances(a_record(), second);
    CHECK(only_difference(verdict).key == one.key);
    CHECK(on(gpu, a_record(), second) == one.verdict);
  }
}

TEST_CASE("memory that wavers a little is no difference") {
  Circumstances second = a_record();
  second.lanes[0].device.limits.memory_bytes -= 200ULL << 20;
  CHECK(compare_circumstances(a_record(), second).differences.empty());
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

TEST_CASE("what only one record tells is at most a warning, in both directions") {
  Circumstances bare = a_record();
  bare.environment.entries.erase(bare.environment.entries.begin());  // cpu.model
  bare.lanes[0].device.properties.erase("ecc");
  for (const bool swapped : {false, true}) {
    CAPTURE(swapped);
    const Circumstances first = swapped ? bare : a_record();
    const Circumstances second = swapped ? a_record() : bare;
    const ComparabilityVerdict verdict = compare_circumstances(first, second);
    CHECK(on(cpu, first, second) == with_warnings);
    CHECK(on(gpu, first, second) == with_warnings);
    REQUIRE(verdict.differences.size() == 2);
    CHECK(verdict.differences[0].key == "cpu.model");
    CHECK((swapped ? verdict.differences[0].first : verdict.differences[0].second).empty());
    CHECK_THAT(verdict.differences[1].reason, ContainsSubstring("known in one of the records only"));
  }
  Circumstances unknown = a_record();
  unknown.environment.entries[0].value = "unknown";
  CHECK(on(cpu, unknown, a_record()) == with_warnings);
  CHECK(on(cpu, unknown, bare) == comparable);
}

TEST_CASE("lanes that only one record has are not compared; none in common is no comparison") {
  Circumstances second = a_record();
  second.lanes.erase(second.lanes.begin());
  CHECK(compare_circumstances(a_record(), second).verdict == comparable);
  CHECK(on(gpu, a_record(), second) == not_comparable);
}
