// What the scripted backend reads of its own devices, where BENCHCTL_FAKE_OBSERVER is set: `redo=N` wants
// the first N blocks taken again, `throw` fails at the end of every window, `clock` falls block by block,
// `watch` does none of these.
#pragma once

#include <benchctl/plugin.hpp>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl::fake {

/// Appends a line to the file that BENCHCTL_FAKE_LOG names.
inline void log(const std::string& line) {
  const char* file = std::getenv("BENCHCTL_FAKE_LOG");
  if (file != nullptr && *file != '\0') std::ofstream(file, std::ios::app) << line << '\n';
}

class FakeWatch : public Watch {
 public:
  FakeWatch(std::string script, std::vector<std::string> ids)
      : script_(std::move(script)), ids_(std::move(ids)) {}
  void begin() override {
    ticks_.clear();
    std::string line = "watch";
    for (const std::string& id : ids_) line += ' ' + id;
    log(line);
  }
  void end_sample() override { ticks_.push_back(static_cast<double>(ticks_.size() + 1)); }
  void end(const Window&, Readings& readings) override {
    if (script_ == "throw") throw std::runtime_error("scripted: the sensor fell off");
    readings.values["fake_level"] = {5.0};
    readings.values["fake_ticks"] = ticks_;
    readings.values["fake_charge"] = {7.0};
    readings.absent["fake_gone"] = "scripted: not on this device";
    const bool redo = script_.starts_with("redo=") && blocks_ < std::stol(script_.substr(5));
    ++blocks_;
    if (script_ == "clock") {  // falls block by block under an even load
      readings.values["sm_clock"] = {static_cast<double>(2000 - 15 * blocks_)};
      readings.values["power"] = {250.0};
    }
    readings.values["throttled_samples"] = {redo ? 1.0 : 0.0};
    if (redo) readings.redo = "scripted heat";
  }

 private:
  std::string script_;
  std::vector<std::string> ids_;
  long blocks_ = 0;
  std::vector<double> ticks_;
};

class FakeObserver : public Observer {
 public:
  [[nodiscard]] std::span<const ReadingInfo> readings() const override {
    using enum ReadingKind;
    static const std::vector<ReadingInfo> table{
        {"fake_level", "V", "scripted, once a block", block, ReadingSummary::mean},
        {"throttled_samples", "", "scripted", block, ReadingSummary::samples},
        {"sm_clock", "MHz", "scripted", block, ReadingSummary::mean},
        {"power", "W", "scripted", block, ReadingSummary::mean},
        {"fake_ticks", "", "scripted, once a sample", block, ReadingSummary::maximum, true},
        {"fake_gone", "", "never there", block, ReadingSummary::mean, true},
        {"fake_charge", "C", "scripted, in a pass of its own", pass, ReadingSummary::mean, true}};
    return table;
  }
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override {
    const char* script = std::getenv("BENCHCTL_FAKE_OBSERVER");
    if (script == nullptr || !device.physical.starts_with("fake:")) return nullptr;
    return std::make_unique<FakeWatch>(script, std::vector<std::string>(ids.begin(), ids.end()));
  }
};

}  // namespace benchctl::fake
