// Which counters of a chip a choice of metrics needs, and their values from what was collected. Needs no
// device.
#pragma once

#include "counters/cupti_api.hpp"

#include <cstdint>
#include <vector>

namespace benchctl::cuda {

class CounterSchedule {
 public:
  /// `chip`: CUPTI's name for it, `GH100`; `metrics`: CUPTI's names. Throws CounterError, also for metrics
  /// that the chip does not have.
  CounterSchedule(const CuptiApi& api, const std::string& chip, std::vector<const char*> metrics);
  CounterSchedule(const CounterSchedule&) = delete;
  CounterSchedule& operator=(const CounterSchedule&) = delete;
  ~CounterSchedule();

  /// Names as CUPTI's structures take them.
  [[nodiscard]] std::vector<const char*>& metrics() { return metrics_; }
  /// The counters that the device collects.
  [[nodiscard]] const std::vector<std::uint8_t>& config() const { return config_; }
  /// How often each kernel must run until all is collected.
  [[nodiscard]] std::size_t passes();
  /// The metrics of one collected range, in the order of `metrics`.
  [[nodiscard]] std::vector<double> evaluate(const std::vector<std::uint8_t>& collected, std::size_t range);

 private:
  void make_config();
  void close();

  const CuptiApi& api_;
  std::vector<const char*> metrics_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  std::vector<std::uint8_t> config_;
};

}  // namespace benchctl::cuda
