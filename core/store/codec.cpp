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

template <class Convert>
auto parse(const std::string& text, const Convert& convert) {
  refuse_deep_json(text);
  try {
    return convert(json::parse(text));
  } catch (const json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace

std::string encode(const Parameters& parameters) { return dump(to_json(parameters)); }
Parameters decode_parameters(const std::string& text) { return parse(text, parameters_from_json); }

std::string encode(const DeviceInfo& device) { return dump(to_json(device)); }
DeviceInfo decode_device(const std::string& text) { return parse(text, device_from_json); }

std::string encode(const std::vector<Published>& published) {
  json list = json::array();
  for (const Published& figures : published) list.push_back(to_json(figures));
  return dump(list);
}

std::vector<Published> decode_published(const std::string& text) {
  return parse(text, [](const json& list) {
    std::vector<Published> published;
    for (const json& figures : list) published.push_back(published_from_json(figures));
    return published;
  });
}

std::string encode(const MeasureSettings& settings) { return dump(to_json(settings)); }
MeasureSettings decode_measure_settings(const std::string& text) {
  return parse(text, measure_settings_from_json);
}

std::string encode(const Readings& readings) { return dump(json(readings)); }
Readings decode_readings(const std::string& text) {
  return parse(text, [](const json& object) {
    Readings readings;
    for (const auto& [metric, values] : object.items()) {
      std::vector<double>& series = readings[metric];
      for (const json& value : values) {
        series.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
      }
    }
    return readings;
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
