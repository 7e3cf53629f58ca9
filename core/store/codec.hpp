// Texts and blobs that columns of the store hold. Decoding throws std::invalid_argument for what no
// encoder here has written.
#pragma once

#include <benchctl/backend.hpp>

#include "model/measure.hpp"
#include "model/published.hpp"

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::codec {

/// Metric id to one value per sample. A NaN is null in JSON.
using Readings = std::map<std::string, std::vector<double>, std::less<>>;

[[nodiscard]] std::string encode(const Parameters& parameters);
[[nodiscard]] Parameters decode_parameters(const std::string& text);
[[nodiscard]] std::string encode(const DeviceInfo& device);
[[nodiscard]] DeviceInfo decode_device(const std::string& text);
[[nodiscard]] std::string encode(const std::vector<Published>& published);
[[nodiscard]] std::vector<Published> decode_published(const std::string& text);
[[nodiscard]] std::string encode(const MeasureSettings& settings);
[[nodiscard]] MeasureSettings decode_measure_settings(const std::string& text);
[[nodiscard]] std::string encode(const Readings& readings);
[[nodiscard]] Readings decode_readings(const std::string& text);

/// Little-endian float64, one after the other.
[[nodiscard]] std::string encode_doubles(std::span<const double> values);
[[nodiscard]] std::vector<double> decode_doubles(std::string_view bytes);

/// The enumerator of that word; std::invalid_argument if there is none.
template <class Enum>
[[nodiscard]] Enum decode_enum(const std::string& word) {
  const auto value = parse_enum<Enum>(word);
  if (!value) throw std::invalid_argument("unknown word '" + word + "'");
  return *value;
}

}  // namespace benchctl::codec
