// The observer of NVIDIA cards against libraries that stand for the driver's.
#include "model/metrics.hpp"
#include "plugins/plugin_host.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

#include <cstdlib>

using namespace benchctl;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> block_ids{"sm_clock",    "memory_clock",      "power",
                                         "temperature", "throttled_samples", "power_capped_samples"};
const std::vector<std::string> energy_id{"energy"};

fs::path library(const std::string& kind) {
  return test::test_plugin_directory().parent_path() / "nvml" / ("libfake_nvml_" + kind + ".so");
}

DeviceInfo card(const std::string& physical = "pci:0000:65:00.0", const std::string& vendor = "NVIDIA") {
  DeviceInfo device;
  device.physical = physical;
  device.vendor = vendor;
  return device;
}

/// The plugin, freshly made, with a library and a script in the environment.
class Driver {
 public:
  Driver(const std::string& file, const std::string& script)
      : host_(PluginHost::load({test::plugin_directory()})) {
    setenv("BENCHCTL_NVML_LIBRARY", file.c_str(), 1);
    say(script);
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() {
    unsetenv("BENCHCTL_NVML_LIBRARY");
    unsetenv("FAKE_NVML");
  }
  static void say(const std::string& script) { setenv("FAKE_NVML", script.c_str(), 1); }
  [[nodiscard]] Observer& observer() const {
    const LoadedPlugin* plugin = host_.find("nvml");
    REQUIRE(plugin != nullptr);
    CHECK(plugin->backend == nullptr);
    REQUIRE(plugin->observer != nullptr);
    return *plugin->observer;
  }

 private:
  PluginHost host_;
};

Window window(double seconds = 3, double executions = 1000) {
  Window result;
  result.wall_ns = seconds * 1e9;
  result.busy_ns = 0.95 * result.wall_ns;
  result.executions = executions;
  return result;
}

Readings one_block(Watch& watch, const Window& of = window()) {
  Readings readings;
  watch.begin();
  watch.end(of, readings);
  return readings;
}

constexpr const char* healthy =
    "sm=1980 memory=2619 power=250000 instant=412500 architecture=9 temperature=61 reasons=0 "
    "energy=1000000,1900000 mig=!3";

}  // namespace

TEST_CASE("its readings are observed metrics with the same units") {
  const Driver driver(library("now"), healthy);
  CHECK(driver.observer().readings().size() == 7);
  for (const ReadingInfo& reading : driver.observer().readings()) {
    INFO(reading.id);
    const MetricInfo* metric = find_metric(reading.id);
    REQUIRE(metric != nullptr);
    CHECK(metric->observed);
    CHECK(metric->unit == reading.unit);
    CHECK(reading.on_request == (reading.kind == ReadingKind::pass));
  }
}

TEST_CASE("a block has the card's clocks, power and temperature") {
  const Driver driver(library("now"), healthy);
  const auto watch = driver.observer().watch(card(), block_ids);
  REQUIRE(watch != nullptr);
  const Readings readings = one_block(*watch);
  CHECK(readings.absent.empty());
  CHECK(readings.redo.empty());
  CHECK(readings.values.at("sm_clock") == std::vector<double>{1980});
  CHECK(readings.values.at("memory_clock") == std::vector<double>{2619});
  CHECK(readings.values.at("power") == std::vector<double>{412.5});
  CHECK(readings.values.at("temperature") == std::vector<double>{61});
  CHECK(readings.values.at("throttled_samples") == std::vector<double>{0});
  CHECK(readings.values.at("power_capped_samples") == std::vector<double>{0});
}

TEST_CASE("only what is asked for is read") {
  const Driver driver(library("now"), healthy);
  const auto watch = driver.observer().watch(card(), std::vector<std::string>{"temperature"});
  const Readings readings = one_block(*watch);
  CHECK(readings.values.size() == 1);
  CHECK(readings.values.contains("temperature"));
}

TEST_CASE("slowdowns by heat, brake and hardware are taken again, the power limit is not") {
  const Driver driver(library("now"), healthy);
  const auto block_with = [&](const std::string& reasons) {
    const auto watch = driver.observer().watch(card(), block_ids);
    Driver::say("sm=1 memory=1 instant=1 temperature=1 reasons=" + reasons);
    return one_block(*watch);
  };
  struct Case {
    std::string reasons;
    double throttled;
    double capped;
    std::string redo;
  };
  const std::vector<Case> cases{
      {"0x0", 0, 0, ""},
      {"0x1", 0, 0, ""},    // idle
      {"0x2", 0, 0, ""},    // clocks that the user has set
      {"0x4", 0, 1, ""},    // the power limit
      {"0x10", 0, 0, ""},   // synchronised with another card
      {"0x100", 0, 0, ""},  // display
      {"0x8", 1, 0, "the hardware slowed the card down"},
      {"0x20", 1, 0, "the driver slowed the card down because of heat"},
      {"0x48", 1, 0, "the hardware slowed the card down because of heat"},
      {"0x88", 1, 0, "a power brake signal slowed the card down"},
      {"0x24", 1, 1, "the driver slowed the card down because of heat"},
      {"0x40,0x0", 1, 0, "the hardware slowed the card down because of heat"},  // before the block
      {"0x0,0x40", 1, 0, "the hardware slowed the card down because of heat"},  // at its end
      {"0x4,0x20", 1, 1, "the driver slowed the card down because of heat"},
  };
  for (const Case& expected : cases) {
    INFO(expected.reasons);
    const Readings readings = block_with(expected.reasons);
    CHECK(readings.values.at("throttled_samples").front() == expected.throttled);
    CHECK(readings.values.at("power_capped_samples").front() == expected.capped);
    CHECK(readings.redo == expected.redo);
  }
}

TEST_CASE("each reading that the card refuses is absent with its own reason") {
  const Driver driver(library("now"), "sm=!4 memory=!15 instant=300000 reasons=!999,0");
  const auto watch = driver.observer().watch(card(), block_ids);
  const Readings readings = one_block(*watch);
  CHECK(readings.values.size() == 1);
  CHECK(readings.values.contains("power"));
  CHECK_THAT(readings.absent.at("sm_clock"), ContainsSubstring("no permission"));
  CHECK_THAT(readings.absent.at("memory_clock"), ContainsSubstring("GPU is lost (NVML 15)"));
  CHECK_THAT(readings.absent.at("temperature"), ContainsSubstring("does not report its temperature"));
  CHECK_THAT(readings.absent.at("throttled_samples"), ContainsSubstring("NVML 999"));
  CHECK_THAT(readings.absent.at("power_capped_samples"), ContainsSubstring("NVML 999"));
  CHECK(readings.redo.empty());
}

TEST_CASE("power that is averaged over a second is nobody's") {
  const Driver driver(library("now"), "");
  const auto power_with = [&](const std::string& script) {
    const auto watch = driver.observer().watch(card(), std::vector<std::string>{"power"});
    Driver::say(script);
    return one_block(*watch);
  };
  // Turing and older cards tell power as it is.
  CHECK(power_with("power=70000 architecture=6").values.at("power") == std::vector<double>{70});
  for (const char* averaged : {"power=70000 architecture=7", "power=70000 architecture=9 instant=!3",
                               "power=70000", "power=70000 architecture=!3"}) {
    INFO(averaged);
    const Readings readings = power_with(averaged);
    CHECK(readings.values.empty());
    CHECK_THAT(readings.absent.at("power"),
               ContainsSubstring("average over a second") && ContainsSubstring("energy"));
  }
}

TEST_CASE("energy is what the counter moved by, over the executions") {
  const Driver driver(library("now"), healthy);
  const auto watch = driver.observer().watch(card(), energy_id);
  REQUIRE(watch != nullptr);
  const Readings readings = one_block(*watch, window(3, 1000));
  CHECK(readings.absent.empty());
  CHECK_THAT(readings.values.at("energy").front(), WithinRel(0.9, 1e-9));
}

TEST_CASE("energy is absent where it would not be that of the executions") {
  const Driver driver(library("now"), healthy);
  const auto reason = [&](const Window& of) {
    Driver::say(healthy);
    const auto watch = driver.observer().watch(card(), energy_id);
    const Readings readings = one_block(*watch, of);
    CHECK(readings.values.empty());
    return readings.absent.at("energy");
  };
  CHECK_THAT(reason(window(0.5)), ContainsSubstring("too short") && ContainsSubstring("100 ms"));
  Window idle = window();
  idle.busy_ns = 0.5 * idle.wall_ns;
  CHECK_THAT(reason(idle), ContainsSubstring("80 %"));
  Window cold = window();
  cold.only_executions = false;
  CHECK_THAT(reason(cold), ContainsSubstring("between executions"));
}

TEST_CASE("a pass is long where the card counts energy, and short where it cannot") {
  const Driver driver(library("now"), healthy);
  CHECK(driver.observer().watch(card(), energy_id)->pass_seconds() >= 2);
  Driver::say("energy=!3");
  const auto watch = driver.observer().watch(card(), energy_id);
  CHECK(watch->pass_seconds() == 0);
  CHECK_THAT(one_block(*watch).absent.at("energy"), ContainsSubstring("does not report its energy"));
}

TEST_CASE("power and energy of a divided card are nobody's") {
  const Driver driver(library("now"), "sm=1980 instant=412500 energy=1,2 reasons=0 mig=1");
  const Readings readings = one_block(*driver.observer().watch(card(), block_ids));
  CHECK(readings.values.contains("sm_clock"));
  CHECK_THAT(readings.absent.at("power"), ContainsSubstring("MIG"));
  const auto watch = driver.observer().watch(card(), energy_id);
  CHECK(watch->pass_seconds() == 0);
  CHECK_THAT(one_block(*watch).absent.at("energy"), ContainsSubstring("MIG"));
}

TEST_CASE("an older driver tells what it can") {
  const Driver driver(library("old"), healthy);
  const Readings readings = one_block(*driver.observer().watch(card(), block_ids));
  CHECK(readings.absent.size() == 1);
  CHECK(readings.absent.contains("power"));
  CHECK(readings.values.size() == 5);
  const Readings pass = one_block(*driver.observer().watch(card(), energy_id));
  CHECK_THAT(pass.absent.at("energy"), ContainsSubstring("this version of NVML does not report"));
}

TEST_CASE("without a driver the cards of NVIDIA have a reason, others are left alone") {
  const Driver driver("/nowhere/libnvidia-ml.so.1", "");
  CHECK_THROWS_WITH(driver.observer().watch(card(), block_ids),
                    ContainsSubstring("/nowhere/libnvidia-ml.so.1"));
  CHECK(driver.observer().watch(card("pci:0000:65:00.0", "Somebody Else"), block_ids) == nullptr);
  CHECK(driver.observer().watch(card("cpu:package-0"), block_ids) == nullptr);
}

TEST_CASE("a library that is none or does not start is refused with what it says") {
  {
    const Driver driver(library("none"), "");
    CHECK_THROWS_WITH(driver.observer().watch(card(), block_ids), ContainsSubstring("it is not NVML"));
  }
  const Driver driver(library("now"), "init=!9");
  CHECK_THROWS_WITH(driver.observer().watch(card(), block_ids),
                    ContainsSubstring("does not start") && ContainsSubstring("NVML 9"));
}

TEST_CASE("a card that NVML does not know is not watched, one that it refuses has a reason") {
  const Driver driver(library("now"), healthy);
  CHECK(driver.observer().watch(card("pci:0000:01:00.0"), block_ids) == nullptr);
  Driver::say("handle=!4");
  CHECK_THROWS_WITH(driver.observer().watch(card(), block_ids), ContainsSubstring("0000:65:00.0"));
}

TEST_CASE("a run on such a card stores the readings, whichever backend drives it") {
  test::Sandbox box(test::Plugins::all);
  box.set("BENCHCTL_NVML_LIBRARY", library("now").string());
  box.set("BENCHCTL_FAKE_PHYSICAL", "pci:0000:65:00.0");
  // Hot before and after the first block, then well.
  box.set("FAKE_NVML", "sm=1410 memory=2619 instant=300000 temperature=70 reasons=0x40,0x40,0x4");
  const test::Outcome outcome = box.run(test::fake_config(
      R"(variants = ["steady"])", "n = 8", "samples = 20\nwarmup_seconds = 0\nobserve = [\"energy\"]"));
  CHECK_THAT(outcome.out, ContainsSubstring("1 throttled") && ContainsSubstring("20 power-capped"));
  const nlohmann::json row = box.rows().at(0);
  CHECK(row.at("sm_clock") == 1410);
  CHECK(row.at("power") == 300);
  CHECK(row.at("temperature") == 70);
  CHECK(row.at("n_samples") == 20);
  CHECK(row.at("throttled_samples") == 1);
  CHECK(row.at("power_capped_samples") == 20);
  CHECK_FALSE(row.contains("energy"));
  const std::string notes = row.at("notes").dump();
  CHECK_THAT(notes, ContainsSubstring("\"not_observed.energy\":\"this card does not report its energy"));
  CHECK_THAT(notes, ContainsSubstring("1 samples were discarded and retaken") &&
                        ContainsSubstring("because of heat"));
}
