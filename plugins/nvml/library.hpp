// NVML, opened at run time: the few functions of its C interface that are used here.
#pragma once

#include <benchctl/shared_library.hpp>

#include <string>

namespace benchctl::nvml {

/// NVML's answer to every call; 0 is success.
using Code = int;
constexpr Code success = 0;
constexpr Code not_supported = 3;
constexpr Code no_permission = 4;
constexpr Code not_found = 6;

using Device = void*;

/// NVML's numbers for what a clock drives.
enum class Clock : int { sm = 1, memory = 2 };

/// A bit for each reason why a clock is lower than it could be.
namespace reason {
constexpr unsigned long long power_cap = 0x4;          ///< the power limit, kept by the driver
constexpr unsigned long long slowdown = 0x8;           ///< hardware, whatever made it
constexpr unsigned long long driver_thermal = 0x20;    ///< the driver, because of heat
constexpr unsigned long long hardware_thermal = 0x40;  ///< hardware, because of heat
constexpr unsigned long long power_brake = 0x80;       ///< an outside signal, as from a power supply
}  // namespace reason

/// One field that NVML is asked for, in the layout of its C interface.
struct FieldValue {
  unsigned field = 0;
  unsigned scope = 0;  ///< the whole card
  long long timestamp_us = 0;
  long long latency_us = 0;
  int type = 0;
  Code code = 0;  ///< NVML's answer for this field
  union {
    unsigned long long bits = 0;
    unsigned number;  ///< the value, if its type is unsigned_number
  };
};
constexpr unsigned power_instant = 186;  ///< in milliwatts
constexpr int unsigned_number = 1;

/// NVML's number for the first architecture whose plain power reading is an average over a second.
constexpr unsigned ampere = 7;

/// One use of NVML, from nvmlInit to nvmlShutdown. Functions that a version of NVML lacks are null.
class Library {
 public:
  /// Opens BENCHCTL_NVML_LIBRARY if that is set, else libnvidia-ml.so.1. Throws LibraryError.
  Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  /// What a code means, in NVML's words.
  [[nodiscard]] std::string text(Code code) const;

  Code (*device_by_pci)(const char* address, Device*) = nullptr;  ///< never null
  Code (*clock)(Device, int clock, unsigned* megahertz) = nullptr;
  Code (*power)(Device, unsigned* milliwatts) = nullptr;
  Code (*fields)(Device, int count, FieldValue*) = nullptr;
  Code (*architecture)(Device, unsigned* number) = nullptr;
  Code (*temperature)(Device, int sensor, unsigned* celsius) = nullptr;
  Code (*clock_reasons)(Device, unsigned long long* bits) = nullptr;
  Code (*energy)(Device, unsigned long long* millijoules) = nullptr;
  Code (*mig_mode)(Device, unsigned* current, unsigned* pending) = nullptr;

 private:
  Code (*init_)() = nullptr;
  Code (*shutdown_)() = nullptr;
  const char* (*error_string_)(Code) = nullptr;
};

}  // namespace benchctl::nvml
