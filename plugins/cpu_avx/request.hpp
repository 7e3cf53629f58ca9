// Reading what is asked for. All throw Failure(unsupported) that names what is missing or out of range.
#pragma once

#include <benchctl/backend.hpp>

#include <string>
#include <string_view>

#include "machine.hpp"

namespace benchctl::cpu_avx {

[[noreturn]] void unsupported(const std::string& text);

[[nodiscard]] std::int64_t integer_tunable(const PrepareRequest& request, std::string_view name);
[[nodiscard]] const std::string& word_tunable(const PrepareRequest& request, std::string_view name);
/// The tunable `threads`: 1 up to the cores that the process may use.
[[nodiscard]] unsigned requested_threads(const PrepareRequest& request, const Machine& machine);
/// A scalar of the problem, a positive integer below 2^31.
[[nodiscard]] std::int32_t scalar_of(const ProblemSpec& spec, std::string_view name);
/// Position of a buffer of that type with exactly `count` elements.
[[nodiscard]] std::size_t buffer_of(const ProblemSpec& spec, std::string_view name, DType type,
                                    std::uint64_t count);

}  // namespace benchctl::cpu_avx
