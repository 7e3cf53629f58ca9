#include "gpu/identity.hpp"

#include <cctype>
#include <cstdio>

namespace benchctl::gpu {

std::string slug(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      result += static_cast<char>(std::tolower(byte));
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result;
}

std::string physical_identity(const PciAddress& address) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "pci:%04x:%02x:%02x.%x", address.domain, address.bus,
                address.device, address.function);
  return text.data();
}

std::string unproven(std::string_view vendor, const std::string& backend) {
  if (slug(vendor).starts_with("nvidia")) return "";
  return "no result of a GPU of this maker has reached the project. Run `benchctl plugin check " + backend +
         "` and `benchctl selftest --backend " + backend +
         "`, and send what they and `benchctl export` print.";
}

std::string uuid_text(const std::array<std::uint8_t, 16>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[bytes[i] >> 4U];
    text += digits[bytes[i] & 15U];
  }
  return text;
}

}  // namespace benchctl::gpu
