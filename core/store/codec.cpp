#include "store/codec.hpp"

#include "model/json.hpp"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>
#include <limits>

namespace benchctl::codec {

using nlohmann::json;

namespace {

/// Compact; bytes that are no UTF-8 (a driver's log may hold such) become U+FFFD.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class Value, class Convert>
void parse(const std::string& text, Value& value, const Convert& convert) {
  refuse_deep_json(text);
  try {
    value = convert(json::parse(text));
  } catch (const json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace

std::string encode(const Parameters& parameters) { return dump(to_json(parameters)); }
std::string encode(const DeviceInfo& device) { return dump(to_json(device)); }
std::string encode(const std::vector<Published>& published) {
  return dump(list_of(published, [](const Published& figures) { return to_json(figures); }));
}
std::string encode(const MeasureSettings& settings) { return dump(to_json(settings)); }
std::string encode(const Readings& readings) { return dump(json(readings)); }

void decode(const std::string& text, Parameters& parameters) {
  parse(text, parameters, parameters_from_json);
}
void decode(const std::string& text, DeviceInfo& device) { parse(text, device, device_from_json); }
void decode(const std::string& text, std::vector<Published>& published) {
  parse(text, published, [](const json& list) {
    std::vector<Published> all;
    for (const json& figures : list) all.push_back(published_from_json(figures));
    return all;
  });
}
void decode(const std::string& text, MeasureSettings& settings) {
  parse(text, settings, measure_settings_from_json);
}
void decode(const std::string& text, Readings& readings) {
  parse(text, readings, [](const json& object) {
    Readings all;
    for (const auto& [metric, values] : object.items()) {
      std::vector<double>& series = all[metric];
      for (const json& value : values) {
        series.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
      }
    }
    return all;
  });
}

static_assert(std::endian::native == std::endian::little, "sample blobs are written as they lie in memory");

std::string encode_doubles(std::span<const double> values) {
  std::string bytes(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<double> decode_doubles(std::string_view bytes) {
  if (bytes.size() % sizeof(double) != 0) throw std::invalid_argument("a torn array of samples");
  std::vector<double> values(bytes.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace benchctl::codec
