#include "counters/counter_schedule.hpp"

#include <utility>

namespace benchctl::cuda {

CounterSchedule::CounterSchedule(const CuptiApi& api, const std::string& chip,
                                 std::vector<const char*> metrics)
    : api_(api), metrics_(std::move(metrics)) {
  CUpti_Profiler_Host_Initialize_Params open{};
  open.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
  open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  open.pChipName = chip.c_str();
  api_.check(api_.host_initialize(&open), "preparing counters of the chip " + chip);
  host_ = open.pHostObject;
  try {
    make_config();
  } catch (...) {
    close();
    throw;
  }
}

CounterSchedule::~CounterSchedule() { close(); }

void CounterSchedule::close() {
  CUpti_Profiler_Host_Deinitialize_Params end{};
  end.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
  end.pHostObject = host_;
  static_cast<void>(api_.host_deinitialize(&end));
}

void CounterSchedule::make_config() {
  CUpti_Profiler_Host_ConfigAddMetrics_Params add{};
  add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
  add.pHostObject = host_;
  add.ppMetricNames = metrics_.data();
  add.numMetrics = metrics_.size();
  std::string names;
  for (const char* name : metrics_) names += (names.empty() ? "" : ", ") + std::string(name);
  api_.check(api_.host_add_metrics(&add), "choosing the counters for " + names);

  CUpti_Profiler_Host_GetConfigImageSize_Params size{};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = host_;
  api_.check(api_.host_config_size(&size), "sizing the counters' configuration");
  config_.resize(size.configImageSize);

  CUpti_Profiler_Host_GetConfigImage_Params image{};
  image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  api_.check(api_.host_config(&image), "making the counters' configuration");
}

std::size_t CounterSchedule::passes() {
  CUpti_Profiler_Host_GetNumOfPasses_Params ask{};
  ask.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
  ask.configImageSize = config_.size();
  ask.pConfigImage = config_.data();
  api_.check(api_.host_passes(&ask), "counting the passes");
  return ask.numOfPasses;
}

std::vector<double> CounterSchedule::evaluate(const std::vector<std::uint8_t>& collected,
                                              std::size_t range) {
  std::vector<double> values(metrics_.size());
  CUpti_Profiler_Host_EvaluateToGpuValues_Params ask{};
  ask.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
  ask.pHostObject = host_;
  ask.pCounterDataImage = collected.data();
  ask.counterDataImageSize = collected.size();
  ask.rangeIndex = range;
  ask.ppMetricNames = metrics_.data();
  ask.numMetrics = metrics_.size();
  ask.pMetricValues = values.data();
  api_.check(api_.host_evaluate(&ask), "evaluating the counters");
  return values;
}

}  // namespace benchctl::cuda
