// Texts and blobs that columns of the store hold. Decoding throws std::invalid_argument for what no
// encoder here has written.
#pragma once

#include <benchctl/backend.hpp>

#include "model/measure.hpp"
#include "model/published.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::codec {

/// Metric id to one value per sample. A NaN is null in JSON.
using Readings = std::map<std::string, std::vector<double>, std::less<>>;

// What columns of JSON hold.
[[nodiscard]] std::string encode(const Parameters& parameters);
[[nodiscard]] std::string encode(const DeviceInfo& device);
[[nodiscard]] std::string encode(const std::vector<Published>& published);
[[nodiscard]] std::string encode(const MeasureSettings& settings);
[[nodiscard]] std::string encode(const Readings& readings);
void decode(const std::string& text, Parameters& parameters);
void decode(const std::string& text, DeviceInfo& device);
void decode(const std::string& text, std::vector<Published>& published);
void decode(const std::string& text, MeasureSettings& settings);
void decode(const std::string& text, Readings& readings);

/// Little-endian float64, one after the other.
[[nodiscard]] std::string encode_doubles(std::span<const double> values);
[[nodiscard]] std::vector<double> decode_doubles(std::string_view bytes);

}  // namespace benchctl::codec
