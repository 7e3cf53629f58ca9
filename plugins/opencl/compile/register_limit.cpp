#include "compile/register_limit.hpp"

#include <benchctl/failure.hpp>

#include <charconv>
#include <string>

namespace benchctl::opencl {

std::optional<std::uint64_t> register_limit(const Defines& defines) {
  const auto found = defines.find("REGISTERS");
  if (found == defines.end()) return std::nullopt;
  const std::string& text = found->second;
  std::uint64_t limit = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    throw Failure(FailureKind::compile_error,
                  "the definition REGISTERS is '" + text + "'; it limits registers and has to be a number");
  }
  if (limit == 0) return std::nullopt;
  return limit;
}

}  // namespace benchctl::opencl
