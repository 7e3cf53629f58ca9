#include "card.hpp"

#include <array>
#include <utility>

namespace benchctl::nvml {

std::unique_ptr<Card> Card::at(std::shared_ptr<const Library> library, const std::string& address) {
  Device device = nullptr;
  const Code code = library->device_by_pci(address.c_str(), &device);
  if (code == not_found) return nullptr;
  if (code != success) {
    throw LibraryError("NVML cannot open the card at " + address + ": " + library->text(code));
  }
  return std::unique_ptr<Card>(new Card(std::move(library), device));
}

Card::Card(std::shared_ptr<const Library> library, Device device)
    : library_(std::move(library)), device_(device) {
  unsigned current = 0;
  unsigned pending = 0;
  divided_ = library_->mig_mode != nullptr && library_->mig_mode(device_, &current, &pending) == success &&
             current != 0;
}

template <class Raw, class Function, class... Arguments>
Reading Card::ask(const char* what, Function function, double factor, Arguments... arguments) const {
  if (function == nullptr) return {{}, std::string("this version of NVML does not report the ") + what};
  Raw raw = 0;
  const Code code = function(device_, arguments..., &raw);
  if (code == success) return {static_cast<double>(raw) * factor, {}};
  if (code == not_supported) return {{}, std::string("this card does not report its ") + what};
  if (code == no_permission) return {{}, std::string("no permission to read the ") + what};
  return {{}, std::string("reading the ") + what + ": " + library_->text(code)};
}

Reading Card::clock_mhz(Clock clock) const {
  return ask<unsigned>(clock == Clock::sm ? "SM clock" : "memory clock", library_->clock, 1.0,
                       static_cast<int>(clock));
}

Reading Card::instant_power_w() const {
  if (library_->fields == nullptr) return {};
  FieldValue value;
  value.field = power_instant;
  if (library_->fields(device_, 1, &value) != success || value.code != success) return {};
  if (value.type != unsigned_number) return {};
  return {value.number * 1e-3, {}};
}

Reading Card::power_w() const {
  if (Reading now = instant_power_w(); now.value) return now;
  unsigned number = ampere;
  const bool known =
      library_->architecture != nullptr && library_->architecture(device_, &number) == success;
  if (known && number < ampere) return ask<unsigned>("power", library_->power, 1e-3);
  return {
      {},
      "this card or its driver reports power only as an average over a second, most of which other points "
      "took; `observe = [\"energy\"]` measures energy in a pass"};
}

Reading Card::temperature_c() const {
  constexpr int sensor_of_the_chip = 0;
  return ask<unsigned>("temperature", library_->temperature, 1.0, sensor_of_the_chip);
}

Reading Card::clock_reasons() const {
  return ask<unsigned long long>("reasons for its clock", library_->clock_reasons, 1.0);
}

Reading Card::energy_j() const { return ask<unsigned long long>("energy", library_->energy, 1e-3); }

std::string slowdown_text(unsigned long long bits) {
  constexpr std::array<std::pair<unsigned long long, const char*>, 4> names{
      {{reason::hardware_thermal, "the hardware slowed the card down because of heat"},
       {reason::driver_thermal, "the driver slowed the card down because of heat"},
       {reason::power_brake, "a power brake signal slowed the card down"},
       {reason::slowdown, "the hardware slowed the card down"}}};
  std::string text;
  for (const auto& [bit, name] : names) {
    if ((bits & bit) == 0) continue;
    // The general bit accompanies those that say why.
    if (bit == reason::slowdown && !text.empty()) continue;
    text += (text.empty() ? "" : "; ") + std::string(name);
  }
  return text;
}

}  // namespace benchctl::nvml
