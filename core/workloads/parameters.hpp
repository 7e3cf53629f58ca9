// Parameters that many workloads have, and how a workload reads them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/workload.hpp"

namespace benchctl {

/// A whole number; `default_value` is an expression. Kernels take 32-bit sizes, so `maximum` is at most
/// 2^31 - 1.
[[nodiscard]] ParameterInfo integer_parameter(std::string name, std::string doc, std::string default_value,
                                              double minimum = 1, double maximum = 2147483647);
/// One of some words, the first by default.
[[nodiscard]] ParameterInfo word_parameter(std::string name, std::string doc,
                                           std::vector<std::string> choices);
/// `dtype`, the element type.
[[nodiscard]] ParameterInfo dtype_parameter(std::vector<std::string> choices = {"f32", "f64"});

/// These read complete parameters. Throw ProblemError when one is missing, no integer from `least` to
/// 2^31 - 1, or none of the types that are taken.
[[nodiscard]] std::uint64_t integer_of(const Parameters& parameters, std::string_view name,
                                       std::uint32_t least = 1);
[[nodiscard]] const std::string& word_of(const Parameters& parameters, std::string_view name);
[[nodiscard]] DType dtype_of(const Parameters& parameters,
                             std::initializer_list<DType> taken = {DType::f32, DType::f64});

/// Throws ProblemError when `count` elements, given as a real so that it cannot overflow, take more than
/// 2^62 bytes. `what` names them.
void check_size(std::string_view what, double count, DType type);

}  // namespace benchctl
