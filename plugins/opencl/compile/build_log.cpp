#include "compile/build_log.hpp"

#include <charconv>
#include <optional>
#include <sstream>

namespace benchctl::opencl {

namespace {

/// The number that stands before `unit`: 24 in "Used 24 registers, 8 barriers" for " registers".
std::optional<std::uint64_t> number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t space = line.rfind(' ', end == 0 ? 0 : end - 1);
  const std::size_t start = space == std::string_view::npos ? 0 : space + 1;
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(line.data() + start, line.data() + end, number);
  if (error != std::errc{} || stop != line.data() + end) return std::nullopt;
  return number;
}

/// The kernel in "Compiling entry function 'matmul_naive' for 'sm_90'", or nothing.
std::optional<std::string> entry_name(std::string_view line) {
  constexpr std::string_view before = "Compiling entry function '";
  const std::size_t start = line.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  line.remove_prefix(start + before.size());
  return std::string(line.substr(0, line.find('\'')));
}

}  // namespace

std::map<std::string, KernelUsage, std::less<>> parse_build_log(std::string_view log) {
  std::map<std::string, KernelUsage, std::less<>> usage;
  KernelUsage* current = nullptr;
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    if (const auto name = entry_name(line)) {
      current = &usage[*name];
    } else if (current != nullptr) {
      if (const auto registers = number_before(line, " registers")) current->registers = *registers;
      current->spill_bytes += number_before(line, " bytes spill stores").value_or(0);
      current->spill_bytes += number_before(line, " bytes spill loads").value_or(0);
    }
  }
  return usage;
}

}  // namespace benchctl::opencl
