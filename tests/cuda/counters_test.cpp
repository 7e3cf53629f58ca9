// Counters of the card: what can be said of them without a card.

#if defined(BENCHCTL_CUDA_COUNTERS)

#include "counters/counter_observer.hpp"
#include "counters/counter_schedule.hpp"
#include "model/metrics.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::cuda;

namespace {

const CuptiApi& cupti() {
#ifdef BENCHCTL_SANITIZED
  SKIP("CUPTI loads a library in a way (RTLD_DEEPBIND) that sanitizers end the program for");
#endif
  static const std::unique_ptr<const CuptiApi> api = []() -> std::unique_ptr<const CuptiApi> {
    try {
      return std::make_unique<const CuptiApi>();
    } catch (const CounterError& error) {
      SKIP(error.what());
      return nullptr;
    }
  }();
  return *api;
}

std::vector<const char*> names_of(const std::vector<CounterReading>& readings) {
  std::vector<const char*> names;
  for (const CounterReading& reading : readings)
    names.insert(names.end(), reading.metrics.begin(), reading.metrics.end());
  return names;
}

DeviceInfo device(const std::string& architecture) {
  DeviceInfo info;
  info.id = "0";
  info.physical = "pci:0000:65:00.0";
  info.architecture = architecture;
  return info;
}

}  // namespace

TEST_CASE("every counter that readings need exists on data-centre chips of four generations") {
  for (const char* chip : {"TU102", "GA100", "AD102", "GH100"}) {
    INFO(chip);
    CounterSchedule schedule(cupti(), chip, names_of(counter_readings()));
    CHECK(schedule.config().size() > 100);
    CHECK(schedule.passes() >= 1);
    CHECK(schedule.passes() <= 16);
  }
}

TEST_CASE("an unknown counter and an unknown chip are errors that name them") {
  const CuptiApi& api = cupti();
  CHECK_THROWS_WITH(CounterSchedule(api, "GH100", {"dram__nonsense.sum"}),
                    ContainsSubstring("dram__nonsense.sum"));
  CHECK_THROWS_WITH(CounterSchedule(api, "XX999", {"dram__bytes.sum"}), ContainsSubstring("XX999"));
}

TEST_CASE("readings are made from the sums over all kernels") {
  const auto figure = [](const std::string& id, const std::vector<double>& sums, double executions) {
    for (const CounterReading& reading : counter_readings()) {
      if (reading.id == id) return reading.figure(sums, executions);
    }
    FAIL("no such reading");
    return std::optional<double>();
  };
  CHECK(figure("dram_bytes", {600}, 3) == 200);
  CHECK(figure("sectors_per_request", {300, 100, 60, 40}, 3) == 4);
  CHECK_FALSE(figure("sectors_per_request", {0, 0, 0, 0}, 1).has_value());
}

TEST_CASE("readings of counters are metrics, and need to be asked for") {
  CounterObserver observer;
  CHECK(observer.readings().size() == counter_readings().size());
  for (const ReadingInfo& reading : observer.readings()) {
    INFO(reading.id);
    const MetricInfo* metric = find_metric(metric_of_reading(reading.id));
    REQUIRE(metric != nullptr);
    CHECK(metric->observed);
    CHECK(metric->unit == reading.unit);
    CHECK(reading.on_request);
    CHECK(reading.kind == ReadingKind::pass);
  }
  CHECK(metric_of_reading("sectors_per_request") == "measured_sectors_per_request");
  CHECK(metric_of_reading("dram_bytes") == "dram_bytes");
}

TEST_CASE("only CUDA devices have counters, and without a driver there is a reason") {
  CounterObserver observer;
  const std::vector<std::string> ids{"dram_bytes"};
  CHECK(observer.watch(device("gfx942"), ids) == nullptr);
  static_cast<void>(cupti());
  try {
    const auto watch = observer.watch(device("sm_90a"), ids);
    watch->begin();
    SUCCEED("there is a card");
  } catch (const CounterError& error) {
    CHECK_FALSE(std::string(error.what()).empty());
  }
}

#endif
