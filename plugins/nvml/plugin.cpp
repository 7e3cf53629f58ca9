// An observer alone: clock, power, temperature, slowdowns and energy of NVIDIA cards, for whichever backend
// runs on them.
//
// What counts as throttled: a slowdown by heat (hardware's or the driver's), by a power brake signal, or by
// the hardware without a reason given. The driver's plain power cap does not: a loaded card lives at it, so
// such samples are what users get; they are counted (`power_capped_samples`) and never taken again.
#include <benchctl/plugin.hpp>

#include "card.hpp"

#include <algorithm>
#include <cctype>

namespace benchctl::nvml {

namespace {

/// The energy counter moves about every 100 ms: after two seconds its step is at most 5 % of the window.
constexpr double least_energy_seconds = 2.0;
/// Below it, the energy of waiting would be counted as the variant's.
constexpr double least_busy_share = 0.8;

const std::vector<ReadingInfo>& table() {
  using enum ReadingKind;
  using enum ReadingSummary;
  static const std::vector<ReadingInfo> readings{
      {"sm_clock", "MHz", "clock of the multiprocessors right after the samples of a block", block, median},
      {"memory_clock", "MHz", "clock of the card's memory right after the samples of a block", block,
       median},
      {"power", "W", "power of the whole card right after the samples of a block", block, mean},
      {"temperature", "°C", "temperature of the chip", block, maximum},
      {"throttled_samples", "", "samples during a slowdown by heat, power brake or hardware", block,
       samples},
      {"power_capped_samples", "", "samples while the clock was kept down by the power limit", block,
       samples},
      {"energy", "J", "energy of the whole card per execution, by its energy counter", pass, mean, true},
  };
  return readings;
}

void put(Readings& readings, const std::string& id, const Reading& reading) {
  if (reading.value) {
    readings.values[id] = {*reading.value};
  } else {
    readings.absent[id] = reading.reason;
  }
}

constexpr const char* divided = "the card is partitioned (MIG): the reading would include its other users";

class BlockWatch final : public Watch {
 public:
  BlockWatch(std::unique_ptr<Card> card, std::span<const std::string> ids)
      : card_(std::move(card)), ids_(ids.begin(), ids.end()) {}

  void begin() override {
    if (wants("throttled_samples") || wants("power_capped_samples")) before_ = card_->clock_reasons();
  }

  void end(const Window&, Readings& readings) override {
    // The clock first: it falls as soon as the card has nothing to do.
    if (wants("sm_clock")) put(readings, "sm_clock", card_->clock_mhz(Clock::sm));
    if (wants("throttled_samples") || wants("power_capped_samples")) add_reasons(readings);
    if (wants("memory_clock")) put(readings, "memory_clock", card_->clock_mhz(Clock::memory));
    if (wants("power"))
      put(readings, "power", card_->is_divided() ? Reading{{}, divided} : card_->power_w());
    if (wants("temperature")) put(readings, "temperature", card_->temperature_c());
  }

 private:
  [[nodiscard]] bool wants(std::string_view id) const { return std::ranges::find(ids_, id) != ids_.end(); }

  void add_reasons(Readings& readings) const {
    const Reading after = card_->clock_reasons();
    if (!before_.value || !after.value) {
      const std::string& why = before_.value ? after.reason : before_.reason;
      for (const char* id : {"throttled_samples", "power_capped_samples"}) readings.absent[id] = why;
      return;
    }
    const auto bits =
        static_cast<unsigned long long>(*before_.value) | static_cast<unsigned long long>(*after.value);
    readings.values["throttled_samples"] = {(bits & slowdown_bits) != 0 ? 1.0 : 0.0};
    readings.values["power_capped_samples"] = {(bits & reason::power_cap) != 0 ? 1.0 : 0.0};
    readings.redo = slowdown_text(bits);
  }

  std::unique_ptr<Card> card_;
  std::vector<std::string> ids_;
  Reading before_;
};

class EnergyWatch final : public Watch {
 public:
  explicit EnergyWatch(std::unique_ptr<Card> card) : card_(std::move(card)) {}

  void begin() override { before_ = card_->energy_j(); }

  void end(const Window& window, Readings& readings) override {
    const Reading after = card_->energy_j();
    std::string& absent = readings.absent["energy"];
    if (card_->is_divided()) {
      absent = divided;
    } else if (!before_.value || !after.value) {
      absent = before_.value ? after.reason : before_.reason;
    } else if (!window.only_executions) {
      absent = "caches are emptied or buffers copied between executions";
    } else if (window.wall_ns < 1e9 * least_energy_seconds) {
      absent = "the pass was too short for the energy counter, which moves about every 100 ms";
    } else if (window.busy_share() < least_busy_share) {
      absent = "the card was at work for less than 80 % of the pass";
    } else {
      readings.absent.erase("energy");
      readings.values["energy"] = {(*after.value - *before_.value) / window.executions};
    }
  }

  [[nodiscard]] double pass_seconds() const override {
    return before_possible() ? least_energy_seconds : 0;
  }

 private:
  /// No need to run for seconds where no figure can come of it.
  [[nodiscard]] bool before_possible() const { return !card_->is_divided() && card_->energy_j().value; }

  std::unique_ptr<Card> card_;
  Reading before_;
};

bool is_of_nvidia(const std::string& vendor) {
  std::string lower = vendor;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("nvidia") != std::string::npos;
}

class NvmlObserver final : public Observer {
 public:
  [[nodiscard]] std::span<const ReadingInfo> readings() const override { return table(); }

  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override {
    constexpr std::string_view scheme = "pci:";
    if (!device.physical.starts_with(scheme)) return nullptr;
    try {
      if (library_ == nullptr) library_ = std::make_shared<const Library>();
    } catch (const LibraryError&) {
      if (is_of_nvidia(device.vendor)) throw;
      return nullptr;  // somebody else's card, and no driver of NVIDIA's on this machine
    }
    std::unique_ptr<Card> card = Card::at(library_, device.physical.substr(scheme.size()));
    if (card == nullptr) return nullptr;
    if (std::ranges::find(ids, "energy") != ids.end())
      return std::make_unique<EnergyWatch>(std::move(card));
    return std::make_unique<BlockWatch>(std::move(card), ids);
  }

 private:
  std::shared_ptr<const Library> library_;
};

class NvmlPlugin final : public Plugin {
 public:
  [[nodiscard]] PluginInfo info() const override {
    return {"nvml", "NVIDIA cards (observer)", BENCHCTL_NVML_PLUGIN_VERSION, BENCHCTL_NVML_COMPILER};
  }
  [[nodiscard]] Observer* observer() override { return &observer_; }

 private:
  NvmlObserver observer_;
};

}  // namespace

}  // namespace benchctl::nvml

BENCHCTL_PLUGIN(benchctl::nvml::NvmlPlugin)
