// A library with NVML's functions that says what FAKE_NVML tells it to: words `name=value,value,…`, one
// value a call, the last one from then on; `!4` is the error code 4. What is not in it is not supported.
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr int success = 0;
constexpr int not_supported = 3;
constexpr int not_found = 6;

std::string script() {
  const char* text = std::getenv("FAKE_NVML");
  return text != nullptr ? text : "";
}

/// The values of a word of the script, split at commas; nothing if there is no such word.
std::map<std::string, int>& calls() {
  static std::map<std::string, int> counts;
  static std::string last;
  if (last != script()) counts.clear();  // a new script begins anew
  last = script();
  return counts;
}

std::string next(const std::string& name) {
  int call = calls()[name]++;
  std::istringstream words(script());
  for (std::string word; words >> word;) {
    if (!word.starts_with(name + '=')) continue;
    std::istringstream values(word.substr(name.size() + 1));
    std::string value;
    do {
      std::getline(values, value, ',');
    } while (call-- > 0 && values.peek() != std::istringstream::traits_type::eof());
    return value;
  }
  return {};
}

template <class Number>
int answer(const std::string& name, Number* out) {
  const std::string value = next(name);
  if (value.empty()) return not_supported;
  if (value[0] == '!') return std::atoi(value.c_str() + 1);
  *out = static_cast<Number>(std::strtoull(value.c_str(), nullptr, 0));
  return success;
}

[[maybe_unused]] int card;

}  // namespace

#if !defined(FAKE_NVML_NONE)

EXPORT int nvmlInit_v2() {
  const std::string value = next("init");
  return value.empty() ? success : std::atoi(value.c_str() + 1);
}
EXPORT int nvmlShutdown() { return success; }
EXPORT const char* nvmlErrorString(int code) { return code == 15 ? "GPU is lost" : "scripted error"; }

EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  if (const std::string value = next("handle"); !value.empty()) return std::atoi(value.c_str() + 1);
  *device = &card;
  return std::string(address) == "0000:65:00.0" ? success : not_found;
}

EXPORT int nvmlDeviceGetClockInfo(void*, int type, unsigned* megahertz) {
  return answer(type == 1 ? "sm" : type == 2 ? "memory" : "unknown", megahertz);
}
EXPORT int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return answer("power", milliwatts); }
EXPORT int nvmlDeviceGetArchitecture(void*, unsigned* number) { return answer("architecture", number); }
EXPORT int nvmlDeviceGetTemperature(void*, int sensor, unsigned* celsius) {
  return sensor == 0 ? answer("temperature", celsius) : not_supported;
}

#if defined(FAKE_NVML_OLD)
// Before the word "throttle" was given up, and before cards counted energy or could be divided.
EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  return answer("reasons", bits);
}
#else
EXPORT int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* bits) {
  return answer("reasons", bits);
}
EXPORT int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  return answer("energy", millijoules);
}
// In the layout that the driver's header has: two numbers, two long ones, two enumerators, a union.
struct Field {
  unsigned id, scope;
  long long timestamp, latency;
  int type, code;
  union {
    double real;
    unsigned number;
  } value;
};
EXPORT int nvmlDeviceGetFieldValues(void*, int count, Field* fields) {
  if (count != 1 || fields->id != 186 || fields->scope != 0) return not_supported;
  unsigned milliwatts = 0;
  fields->code = answer("instant", &milliwatts);
  fields->type = 1;
  fields->value.number = milliwatts;
  return success;
}
EXPORT int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
  *pending = 0;
  return answer("mig", current);
}
#endif

#endif
