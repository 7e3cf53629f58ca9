#include "counters/counter_observer.hpp"

#include "counters/counter_schedule.hpp"
#include "driver/toolkit.hpp"

#include <algorithm>

namespace benchctl::cuda {

namespace {

/// Kernels that one execution may have at most.
constexpr std::size_t most_ranges = 256;

using ContextGetter = CUresult(CUcontext*);

/// The context that is current on this thread: the session's.
CUcontext current_context() {
  const SharedLibrary driver = open_driver();
  ContextGetter* get = nullptr;
  driver.bind(get, "cuCtxGetCurrent");
  CUcontext context = nullptr;
  if (get(&context) != CUDA_SUCCESS || context == nullptr) {
    throw CounterError("no CUDA context is open on this device");
  }
  return context;
}

/// CUPTI's profiler, ready for questions. A second call does no harm.
void initialize(const CuptiApi& api) {
  CUpti_Profiler_Initialize_Params ask{};
  ask.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  api.check(api.profiler_initialize(&ask), "starting CUPTI");
}

std::string chip_of(const CuptiApi& api, const DeviceInfo& device) {
  initialize(api);
  CUpti_Device_GetChipName_Params ask{};
  ask.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  ask.deviceIndex = std::stoul(device.id);
  api.check(api.get_chip_name(&ask), "asking for the chip's name");
  return ask.pChipName;
}

/// The range profiler, from enabled to disabled. Every kernel is a range of its own.
class Collection {
 public:
  Collection(const CuptiApi& api, CounterSchedule& schedule) : api_(api) {
    initialize(api_);
    try {
      enable(schedule);
    } catch (...) {
      disable();
      throw;
    }
  }
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;
  ~Collection() { disable(); }

  /// Ends collecting and gives what was collected. Throws CounterError.
  const std::vector<std::uint8_t>& finish() {
    CUpti_RangeProfiler_Stop_Params stop{};
    stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
    stop.pRangeProfilerObject = profiler_;
    api_.check(api_.range_stop(&stop), "ending the collection of counters");
    CUpti_RangeProfiler_DecodeData_Params decode{};
    decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
    decode.pRangeProfilerObject = profiler_;
    api_.check(api_.range_decode(&decode), "decoding the counters");
    if (decode.numOfRangeDropped > 0) {
      throw CounterError("one execution has more than " + std::to_string(most_ranges) + " kernels");
    }
    return data_;
  }

  [[nodiscard]] std::size_t ranges() const {
    CUpti_RangeProfiler_GetCounterDataInfo_Params ask{};
    ask.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
    ask.pCounterDataImage = data_.data();
    ask.counterDataImageSize = data_.size();
    api_.check(api_.range_data_info(&ask), "counting the kernels");
    return ask.numTotalRanges;
  }

 private:
  void enable(CounterSchedule& schedule) {
    CUpti_RangeProfiler_Enable_Params enable{};
    enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
    enable.ctx = current_context();
    api_.check(api_.range_enable(&enable), "enabling counters");
    profiler_ = enable.pRangeProfilerObject;

    CUpti_RangeProfiler_GetCounterDataSize_Params size{};
    size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = schedule.metrics().data();
    size.numMetrics = schedule.metrics().size();
    size.maxNumOfRanges = most_ranges;
    size.maxNumRangeTreeNodes = most_ranges;
    api_.check(api_.range_data_size(&size), "sizing the counters");
    data_.resize(size.counterDataSize);

    CUpti_RangeProfiler_CounterDataImage_Initialize_Params clear{};
    clear.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
    clear.pRangeProfilerObject = profiler_;
    clear.counterDataSize = data_.size();
    clear.pCounterData = data_.data();
    api_.check(api_.range_data_initialize(&clear), "clearing the counters");

    CUpti_RangeProfiler_SetConfig_Params config{};
    config.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
    config.pRangeProfilerObject = profiler_;
    config.configSize = schedule.config().size();
    config.pConfig = schedule.config().data();
    config.counterDataImageSize = data_.size();
    config.pCounterDataImage = data_.data();
    config.range = CUPTI_AutoRange;
    config.replayMode = CUPTI_KernelReplay;
    config.maxRangesPerPass = most_ranges;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.passIndex = 0;
    config.targetNestingLevel = 1;
    api_.check(api_.range_set_config(&config), "configuring the counters");

    CUpti_RangeProfiler_Start_Params start{};
    start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
    start.pRangeProfilerObject = profiler_;
    api_.check(api_.range_start(&start), "starting the collection of counters");
  }

  /// Afterwards kernels run as if nothing had been: others may be timed in this process yet.
  void disable() {
    if (profiler_ != nullptr) {
      CUpti_RangeProfiler_Disable_Params off{};
      off.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
      off.pRangeProfilerObject = profiler_;
      static_cast<void>(api_.range_disable(&off));
    }
    CUpti_Profiler_DeInitialize_Params end{};
    end.structSize = CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE;
    static_cast<void>(api_.profiler_deinitialize(&end));
  }

  const CuptiApi& api_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> data_;
};

class CounterWatch final : public Watch {
 public:
  CounterWatch(std::shared_ptr<const CuptiApi> api, const DeviceInfo& device,
               std::span<const std::string> ids)
      : api_(std::move(api)) {
    std::vector<const char*> metrics;
    for (const CounterReading& reading : counter_readings()) {
      if (std::ranges::find(ids, reading.id) == ids.end()) continue;
      chosen_.push_back(&reading);
      metrics.insert(metrics.end(), reading.metrics.begin(), reading.metrics.end());
    }
    schedule_.emplace(*api_, chip_of(*api_, device), std::move(metrics));
  }

  void begin() override {
    collection_.reset();
    collection_.emplace(*api_, *schedule_);
  }

  void end(const Window& window, Readings& readings) override {
    const std::vector<double> sums = collect();
    std::size_t first = 0;
    for (const CounterReading* reading : chosen_) {
      const std::vector<double> own(
          sums.begin() + static_cast<std::ptrdiff_t>(first),
          sums.begin() + static_cast<std::ptrdiff_t>(first + reading->metrics.size()));
      first += reading->metrics.size();
      const std::optional<double> figure = reading->figure(own, window.executions);
      if (!window.only_executions) {
        readings.absent[reading->id] =
            "counters are read with the caches of the previous execution: not for cold caches, copies or "
            "buffers that are restored";
      } else if (figure) {
        readings.values[reading->id] = {*figure};
      } else {
        readings.absent[reading->id] = "its kernels neither load from global memory nor store to it";
      }
    }
  }

 private:
  std::vector<double> collect() {
    const std::vector<std::uint8_t>& data = collection_->finish();
    std::vector<double> sums(schedule_->metrics().size(), 0.0);
    const std::size_t ranges = collection_->ranges();
    if (ranges == 0) throw CounterError("CUPTI saw no kernel in the pass");
    for (std::size_t range = 0; range < ranges; ++range) {
      const std::vector<double> values = schedule_->evaluate(data, range);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
    }
    collection_.reset();
    return sums;
  }

  std::shared_ptr<const CuptiApi> api_;
  std::vector<const CounterReading*> chosen_;
  std::optional<CounterSchedule> schedule_;
  std::optional<Collection> collection_;
};

}  // namespace

const std::vector<CounterReading>& counter_readings() {
  static const std::vector<CounterReading> table{
      {"dram_bytes",
       {"dram__bytes.sum"},
       [](const std::vector<double>& sums, double executions) -> std::optional<double> {
         return sums[0] / executions;
       }},
      {"sectors_per_request",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
       [](const std::vector<double>& sums, double) -> std::optional<double> {
         const double requests = sums[2] + sums[3];
         return requests > 0 ? std::optional((sums[0] + sums[1]) / requests) : std::nullopt;
       }}};
  return table;
}

std::span<const ReadingInfo> CounterObserver::readings() const {
  static const std::vector<ReadingInfo> table{
      {"dram_bytes", "B",
       "bytes that its kernels move between the card's memory and its caches, per execution",
       ReadingKind::pass, ReadingSummary::mean, true},
      {"sectors_per_request", "",
       "memory sectors that one load or store of a warp moves, by the card's counters", ReadingKind::pass,
       ReadingSummary::mean, true}};
  return table;
}

std::unique_ptr<Watch> CounterObserver::watch(const DeviceInfo& device, std::span<const std::string> ids) {
  // The same card under another backend: CUPTI sees the work of CUDA contexts only.
  if (!device.architecture.starts_with("sm_")) return nullptr;
  if (api_ == nullptr) api_ = std::make_shared<const CuptiApi>();
  return std::make_unique<CounterWatch>(api_, device, ids);
}

}  // namespace benchctl::cuda
