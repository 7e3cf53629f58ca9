#include "gpu/ptxas_log.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace benchctl::gpu {

namespace {

/// The text between two markers, or nothing.
std::optional<std::string_view> between(std::string_view line, std::string_view before,
                                        std::string_view after) {
  const std::size_t start = line.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  line.remove_prefix(start + before.size());
  const std::size_t end = line.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return line.substr(0, end);
}

/// "Used 32 registers, used 1 barriers" → {32, "registers"}, {1, "barriers"}: every number with the text up
/// to the next comma.
std::vector<std::pair<std::uint64_t, std::string_view>> quantities(std::string_view line) {
  std::vector<std::pair<std::uint64_t, std::string_view>> found;
  while (!line.empty()) {
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view item = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
    const std::size_t digit = item.find_first_of("0123456789");
    if (digit == std::string_view::npos) continue;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(item.data() + digit, item.data() + item.size(), number);
    if (error != std::errc{} || end == item.data() + item.size()) continue;
    found.emplace_back(number, item.substr(static_cast<std::size_t>(end - item.data()) + 1));
  }
  return found;
}

void read_stack_line(std::string_view line, KernelUsage& usage) {
  for (const auto& [number, unit] : quantities(line)) {
    if (unit == "bytes stack frame") usage.local_bytes = number;
    if (unit == "bytes spill stores") usage.spill_store_bytes = number;
    if (unit == "bytes spill loads") usage.spill_load_bytes = number;
  }
}

void read_used_line(std::string_view line, KernelUsage& usage) {
  for (const auto& [number, unit] : quantities(line)) {
    if (unit == "registers") usage.registers = number;
    if (unit == "bytes smem") usage.shared_bytes = number;
    if (unit.starts_with("bytes cmem[")) {
      usage.constant_bytes = usage.constant_bytes.value_or(0) + (unit == "bytes cmem[0]" ? 0 : number);
    }
  }
}

}  // namespace

std::map<std::string, KernelUsage, std::less<>> parse_ptxas_log(std::string_view log) {
  std::map<std::string, KernelUsage, std::less<>> usage;
  KernelUsage* current = nullptr;  // the entry that is being compiled
  bool describes_entry = false;    // device functions have "Function properties" too
  std::string_view entry;
  KernelUsage module;  // what the first line says of the module's variables
  while (!log.empty()) {
    const std::size_t length = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, length);
    log.remove_prefix(std::min(length + 1, log.size()));
    if (line.find(" bytes gmem") != std::string_view::npos) {
      read_used_line(line, module);
    } else if (const auto name = between(line, "Compiling entry function '", "'")) {
      entry = *name;
      current = &usage[std::string(*name)];
      describes_entry = true;
    } else if (const std::size_t at = line.find("Function properties for "); at != std::string_view::npos) {
      describes_entry = line.substr(at + 24) == entry;
    } else if (current != nullptr && describes_entry &&
               line.find("bytes stack frame") != std::string_view::npos) {
      line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
      read_stack_line(line, *current);
    } else if (const std::size_t used = line.find(": Used ");
               current != nullptr && used != std::string_view::npos) {
      read_used_line(line.substr(used), *current);
    }
  }
  for (auto& [name, kernel] : usage) {
    if (kernel.constant_bytes) *kernel.constant_bytes += module.constant_bytes.value_or(0);
  }
  return usage;
}

}  // namespace benchctl::gpu
