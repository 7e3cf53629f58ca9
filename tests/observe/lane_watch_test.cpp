// Who is asked for which reading, when, and what becomes of an observer that fails.
#include "observe/lane_watch.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <functional>

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;

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
                                             std::span<const std::string> ids) override {
    if (!refusal.empty()) throw std::runtime_error(refusal);
    if (device.physical != "pci:0000:65:00.0") return nullptr;
    asked.assign(ids.begin(), ids.end());
    return std::make_unique<ScriptedWatch>(script_, told);
  }

  std::vector<std::string> asked;
  std::string told;
  std::string refusal;

 private:
  std::vector<ReadingInfo> readings_;
  Script script_;
};

DeviceInfo card(const std::string& physical = "pci:0000:65:00.0") {
  DeviceInfo device;
  device.name = "Card";
  device.physical = physical;
  return device;
}

ReadingInfo reading(const std::string& id, bool on_request = false, ReadingKind kind = ReadingKind::block) {
  return {id, "", "", kind, ReadingSummary::mean, on_request};
}

SampleBlock block_of(std::size_t samples) {
  SampleBlock block;
  block.ns.assign(samples, 100.0);
  block.batch = 10;
  return block;
}

}  // namespace

TEST_CASE("cheap readings are always taken, others on request, none with none") {
  ScriptedObserver observer({reading("cheap"), reading("dear", true)},
                            [](const Window&, Readings& readings) {
                              readings.values = {{"cheap", {1}}, {"dear", {2}}};
                            });
  LaneWatch watch({&observer}, card());
  SampleBlock block = block_of(3);
  watch.begin({});
  CHECK(watch.end(block, true).absent.empty());
  CHECK(observer.asked == std::vector<std::string>{"cheap"});
  CHECK(block.readings.size() == 1);  // what was not asked for is not taken over
  CHECK(block.readings.at("cheap") == std::vector<double>{1});

  block = block_of(3);
  watch.begin({"dear"});
  static_cast<void>(watch.end(block, true));
  CHECK(observer.asked == std::vector<std::string>{"cheap", "dear"});
  CHECK(block.readings.size() == 2);

  observer.told.clear();
  block = block_of(3);
  watch.begin({"none"});
  CHECK(watch.end(block, true).absent.empty());
  CHECK(block.readings.empty());
  CHECK(observer.told.empty());
}

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

TEST_CASE("an observer that fails costs its own readings only, and only as long as it fails") {
  bool broken = true;
  ScriptedObserver faulty({reading("a")}, [&](const Window&, Readings& readings) {
    if (broken) throw std::runtime_error("the sensor is gone");
    readings.values["a"] = {1};
  });
  ScriptedObserver sound({reading("b")},
                         [](const Window&, Readings& readings) { readings.values["b"] = {2}; });
  LaneWatch watch({&faulty, &sound}, card());
  SampleBlock block = block_of(1);
  watch.begin({});
  CHECK(watch.end(block, true).absent.at("a") == "the sensor is gone");
  CHECK(block.readings.contains("b"));
  CHECK_FALSE(block.readings.contains("a"));
  broken = false;
  watch.begin({});
  CHECK(watch.end(block, true).absent.empty());
  CHECK(block.readings.contains("a"));
}

TEST_CASE("what cannot be watched is absent with the observer's reason") {
  ScriptedObserver observer({reading("a")}, {});
  observer.refusal = "no driver";
  LaneWatch watch({&observer}, card());
  CHECK(watch.missing({}, ReadingKind::block).at("a") == "no driver");
  SampleBlock block = block_of(1);
  watch.begin({});
  CHECK(watch.end(block, true).absent.empty());
  CHECK(block.readings.empty());
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

TEST_CASE("a reading that is asked for and that nobody can take is absent with the device's name") {
  ScriptedObserver observer({reading("a", true)}, {});
  LaneWatch watch({&observer}, card("pci:0000:01:00.0"));
  CHECK_THAT(watch.missing({"a"}, ReadingKind::block).at("a"),
             ContainsSubstring("Card") && ContainsSubstring("pci:0000:01:00.0"));
  CHECK(watch.missing({}, ReadingKind::block).empty());  // nobody asked
}

TEST_CASE("readings of a pass are taken in a pass and not around samples") {
  ScriptedObserver observer(
      {reading("cheap"), reading("dear", true, ReadingKind::pass)},
      [](const Window& window, Readings& readings) { readings.values["dear"] = {window.executions}; });
  LaneWatch watch({&observer}, card());
  CHECK(watch.passes({}) == 0);
  REQUIRE(watch.passes({"dear"}) == 1);
  CHECK(watch.pass_seconds({"dear"}, 0) == 1.5);
  CHECK(observer.asked == std::vector<std::string>{"dear"});
  SampleBlock block = block_of(1);
  watch.begin({"dear"});
  CHECK(observer.asked == std::vector<std::string>{"cheap"});
  CHECK(watch.end(block, true).absent.empty());
  watch.begin_pass({"dear"}, 0);
  Readings readings;
  Window window;
  window.executions = 40;
  CHECK(watch.end(window, readings).absent.empty());
  CHECK(readings.values.at("dear") == std::vector<double>{40});
}

TEST_CASE("an observer's wish to have samples taken again reaches the caller") {
  ScriptedObserver observer({reading("a")},
                            [](const Window&, Readings& readings) { readings.redo = "too hot"; });
  LaneWatch watch({&observer}, card());
  SampleBlock block = block_of(1);
  watch.begin({});
  CHECK(watch.end(block, true).redo == "too hot");
}
