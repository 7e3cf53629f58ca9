#include "driver/identity.hpp"

#include <array>
#include <map>
#include <utility>

namespace benchctl::opencl {

std::string platform_slug(std::string_view platform_name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known{
      {{"portable-computing-language", "pocl"},
       {"nvidia", "nvidia"},
       {"intel", "intel"},
       {"amd", "amd"},
       {"oclgrind", "oclgrind"}}};
  const std::string name = gpu::slug(platform_name);
  for (const auto& [start, short_name] : known) {
    if (name.starts_with(start)) return std::string(short_name);
  }
  const std::string word = name.substr(0, name.find('-'));
  return word.empty() ? "platform" : word;
}

std::string pocl_target(std::string_view device_version) {
  constexpr std::string_view mark = "HSTR: ";
  const std::size_t at = device_version.find(mark);
  if (at == std::string_view::npos) return "";
  const std::string name = gpu::slug(device_version.substr(at + mark.size()));
  return name.substr(name.find('-') + 1);  // PoCL's driver comes first
}

std::vector<std::string> unique_slugs(const std::vector<std::string>& platform_names) {
  std::map<std::string, int, std::less<>> seen;
  std::vector<std::string> slugs;
  for (const std::string& name : platform_names) {
    std::string text = platform_slug(name);
    if (const int times = ++seen[text]; times > 1) text += '-' + std::to_string(times);
    slugs.push_back(std::move(text));
  }
  return slugs;
}

gpu::PciAddress pci_from_nvidia(std::uint32_t domain, std::uint32_t bus, std::uint32_t slot) {
  return {domain, bus, slot >> 3, slot & 7};
}

}  // namespace benchctl::opencl
