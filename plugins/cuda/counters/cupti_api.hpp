// The functions of CUPTI that this plugin uses, taken from libcupti at run time.
#pragma once

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <stdexcept>
#include <string>

namespace benchctl::cuda {

/// There is no CUPTI, or it refuses. The text is meant for users.
class CounterError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// member, exported symbol of that name.
#define BENCHCTL_CUDA_CUPTI_FUNCTIONS(X)                                 \
  X(get_result_string, cuptiGetResultString)                             \
  X(get_chip_name, cuptiDeviceGetChipName)                               \
  X(profiler_initialize, cuptiProfilerInitialize)                        \
  X(profiler_deinitialize, cuptiProfilerDeInitialize)                    \
  X(host_initialize, cuptiProfilerHostInitialize)                        \
  X(host_deinitialize, cuptiProfilerHostDeinitialize)                    \
  X(host_add_metrics, cuptiProfilerHostConfigAddMetrics)                 \
  X(host_config_size, cuptiProfilerHostGetConfigImageSize)               \
  X(host_config, cuptiProfilerHostGetConfigImage)                        \
  X(host_passes, cuptiProfilerHostGetNumOfPasses)                        \
  X(host_evaluate, cuptiProfilerHostEvaluateToGpuValues)                 \
  X(range_enable, cuptiRangeProfilerEnable)                              \
  X(range_disable, cuptiRangeProfilerDisable)                            \
  X(range_set_config, cuptiRangeProfilerSetConfig)                       \
  X(range_start, cuptiRangeProfilerStart)                                \
  X(range_stop, cuptiRangeProfilerStop)                                  \
  X(range_decode, cuptiRangeProfilerDecodeData)                          \
  X(range_data_size, cuptiRangeProfilerGetCounterDataSize)               \
  X(range_data_initialize, cuptiRangeProfilerCounterDataImageInitialize) \
  X(range_data_info, cuptiRangeProfilerGetCounterDataInfo)

struct CuptiApi {
#define BENCHCTL_CUDA_MEMBER(member, symbol) decltype(::symbol)* member = nullptr;
  BENCHCTL_CUDA_CUPTI_FUNCTIONS(BENCHCTL_CUDA_MEMBER)
#undef BENCHCTL_CUDA_MEMBER

  /// Opens libcupti. Throws CounterError.
  CuptiApi();

  /// Throws CounterError, saying what was being done and, where users can help it, how.
  void check(CUptiResult result, const std::string& doing) const;
};

}  // namespace benchctl::cuda
