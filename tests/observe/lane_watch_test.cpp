// What a window tells its observer, and which values are taken over. Who is asked for which reading:
// tests/cli/observe_test.cpp.
#include "observe/lane_watch.hpp"

#include <catch2/catch_test_macros.hpp>

#include <functional>

using namespace benchctl;

namespace {

/// What a scripted watch does at the end of a window.
using Script = std::function<void(const Window&, Readings&)>;

class ScriptedWatch final : public Watch {
 public:
  ScriptedWatch(Script script, std::string& told) : script_(std::move(script)), told_(told) {}
  void begin() override { told_ += '['; }
  void begin_sample() override { told_ += '('; }
  void end_sample() override { told_ += ')'; }
  void end(const Window& window, Readings& readings) override {
    told_ += ']';
    script_(window, readings);
  }
  [[nodiscard]] double pass_seconds() const override { return 1.5; }

 private:
  Script script_;
  std::string& told_;
};

class ScriptedObserver final : public Observer {
 public:
  ScriptedObserver(std::vector<ReadingInfo> readings, Script script)
      : readings_(std::move(readings)), script_(std::move(script)) {}
  [[nodiscard]] std::span<const ReadingInfo> readings() const override { return readings_; }
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> /*ids*/) override {
    if (device.name != "Card") return nullptr;
    return std::make_unique<ScriptedWatch>(script_, told);
  }

  std::string told;

 private:
  std::vector<ReadingInfo> readings_;
  Script script_;
};

DeviceInfo card() {
  DeviceInfo device;
  device.name = "Card";
  device.physical = "pci:0000:65:00.0";
  return device;
}

ReadingInfo reading(const std::string& id) {
  return {id, "", "", ReadingKind::block, ReadingSummary::mean, false};
}

SampleBlock block_of(std::size_t samples) {
  SampleBlock block;
  block.ns.assign(samples, 100.0);
  block.batch = 10;
  return block;
}

}  // namespace

TEST_CASE("a window tells of its executions, of its samples and of what else was in it") {
  Window seen;
  ScriptedObserver observer({reading("cheap")}, [&](const Window& window, Readings&) { seen = window; });
  LaneWatch watch({&observer}, card());
  SampleBlock block = block_of(3);
  watch.begin({});
  for (int i = 0; i < 3; ++i) {
    watch.hook()->begin();
    watch.hook()->end();
  }
  static_cast<void>(watch.end(block, false));
  CHECK(observer.told == "[()()()]");
  CHECK(seen.by_sample);
  CHECK_FALSE(seen.only_executions);
  CHECK(seen.executions == 30);
  CHECK(seen.batch == 10);
  CHECK(seen.busy_ns == 3000);
  CHECK(seen.wall_ns > 0);

  watch.begin({});
  watch.hook()->begin();
  watch.hook()->end();
  static_cast<void>(watch.end(block, true));
  CHECK_FALSE(seen.by_sample);  // told of one sample, gave three
}

TEST_CASE("values are one a sample or one a block; any other number is absent with the reason") {
  ScriptedObserver observer(
      {reading("per_sample"), reading("per_block"), reading("odd")}, [](const Window&, Readings& readings) {
        readings.values = {{"per_sample", {1, 2, 3}}, {"per_block", {4}}, {"odd", {1, 2}}};
      });
  LaneWatch watch({&observer}, card());
  SampleBlock block = block_of(3);
  watch.begin({});
  const Observed observed = watch.end(block, true);
  CHECK(block.readings.at("per_sample").size() == 3);
  CHECK(block.readings.at("per_block").size() == 1);
  CHECK_FALSE(block.readings.contains("odd"));
  CHECK(observed.absent.at("odd") == "2 values for 3 samples");
}

TEST_CASE("of two observers that read the same the first that knows the device is asked") {
  const auto gives = [](double value) {
    return [value](const Window&, Readings& readings) { readings.values["a"] = {value}; };
  };
  ScriptedObserver first({reading("a")}, gives(1));
  ScriptedObserver second({reading("a")}, gives(2));
  LaneWatch watch({&first, &second}, card());
  SampleBlock block = block_of(1);
  watch.begin({});
  static_cast<void>(watch.end(block, true));
  CHECK(block.readings.at("a").front() == 1);
  CHECK(second.told.empty());
}
