// What a window tells its observer, which values are taken over, and the figures that they become. Who is
// asked for which reading: tests/cli/observe_test.cpp.
#include "observe/lane_watch.hpp"
#include "support/catch.hpp"

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

SampleBlock with(std::size_t samples, const std::string& id, std::vector<double> values) {
  SampleBlock block = block_of(samples);
  block.readings[id] = std::move(values);
  return block;
}

double figure(const std::vector<ObservedBlock>& blocks, ReadingSummary summary) {
  const ReadingInfo reading{"x", "", "", ReadingKind::block, summary};
  const Resources figures = summarize_readings(blocks, {&reading, 1});
  return figures.contains("x") ? figures.at("x") : std::nan("");
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

TEST_CASE("readings of blocks become one figure as their table says") {
  const SampleBlock first = with(10, "x", {1});
  const SampleBlock second = with(20, "x", {2});
  const SampleBlock third = with(30, "x", {9});
  const std::vector<ObservedBlock> blocks{{&first}, {&second}, {&third}};
  CHECK(figure(blocks, ReadingSummary::median) == 2);
  CHECK(figure(blocks, ReadingSummary::mean) == 4);
  CHECK(figure(blocks, ReadingSummary::maximum) == 9);
  CHECK(figure(blocks, ReadingSummary::sum) == 12);
  CHECK(figure(blocks, ReadingSummary::samples) == 60);
}

TEST_CASE("put-aside blocks count in the number of samples and nowhere else") {
  const SampleBlock good = with(10, "x", {0});
  const SampleBlock bad = with(7, "x", {1});
  const std::vector<ObservedBlock> blocks{{&good, true}, {&bad, false}};
  CHECK(figure(blocks, ReadingSummary::samples) == 7);
  CHECK(figure(blocks, ReadingSummary::sum) == 0);
  CHECK(figure({{&bad, false}}, ReadingSummary::samples) == 7);
  CHECK(std::isnan(figure({{&bad, false}}, ReadingSummary::mean)));
}

TEST_CASE("marked samples are counted one by one where there is a value for each") {
  const SampleBlock block = with(4, "x", {0, 1, 0, 1});
  CHECK(figure({{&block}}, ReadingSummary::samples) == 2);
  const SampleBlock none = with(4, "x", {0});
  CHECK(figure({{&none}}, ReadingSummary::samples) == 0);
}

TEST_CASE("what was not read has no figure, and what is no number is left out") {
  const SampleBlock other = with(4, "y", {1});
  for (const auto& [summary, name] : detail::Spellings<ReadingSummary>::table) {
    CAPTURE(name);
    const ReadingInfo reading{"x", "", "", ReadingKind::block, summary};
    CHECK(summarize_readings(std::vector<ObservedBlock>{{&other}}, {&reading, 1}).empty());
  }
  const SampleBlock gap = with(3, "x", {1, std::nan(""), 3});
  CHECK(figure({{&gap}}, ReadingSummary::mean) == 2);
  const ReadingInfo pass{"x", "", "", ReadingKind::pass, ReadingSummary::mean};
  CHECK(summarize_readings(std::vector<ObservedBlock>{{&gap}}, {&pass, 1}).empty());
}
