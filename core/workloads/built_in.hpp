// What the workloads of the program share: their parameters, and most of what they do.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "workloads/checks.hpp"
#include "workloads/values.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

/// A whole number; `default_value` is an expression. Kernels take 32-bit sizes, so `maximum` is at most
/// 2^31 - 1.
[[nodiscard]] ParameterInfo integer_parameter(std::string name, std::string doc, std::string default_value,
                                              double minimum = 1, double maximum = 2147483647);
/// One of some words, the first by default.
[[nodiscard]] ParameterInfo word_parameter(std::string name, std::string doc,
                                           std::vector<std::string> choices);
/// One word of an enum.
template <class Enum>
[[nodiscard]] ParameterInfo enum_parameter(std::string name, std::string doc) {
  std::vector<std::string> choices;
  for (const auto& [value, word] : detail::Spellings<Enum>::table) choices.emplace_back(word);
  return word_parameter(std::move(name), std::move(doc), std::move(choices));
}
/// `dtype`, the element type.
[[nodiscard]] ParameterInfo dtype_parameter(std::vector<std::string> choices = {"f32", "f64"});
/// `values`, with the kinds that a workload takes; the first is the default.
[[nodiscard]] ParameterInfo values_parameter(std::initializer_list<ValueKind> kinds);

/// These read complete parameters. Throw ProblemError when one is missing, no integer from `least` to
/// 2^31 - 1, no word of the enum, or none of the types that are taken.
[[nodiscard]] std::uint64_t integer_of(const Parameters& parameters, std::string_view name,
                                       std::uint32_t least = 1);
[[nodiscard]] const std::string& word_of(const Parameters& parameters, std::string_view name);
template <class Enum>
[[nodiscard]] Enum enum_of(const Parameters& parameters, std::string_view name) {
  const std::string& word = word_of(parameters, name);
  if (const auto value = parse_enum<Enum>(word)) return *value;
  throw ProblemError(fmt::format("parameter '{}' is '{}', which is not one of its words", name, word));
}
[[nodiscard]] DType dtype_of(const Parameters& parameters,
                             std::initializer_list<DType> taken = {DType::f32, DType::f64});
/// `uniform` where the workload has no parameter `values`.
[[nodiscard]] ValueKind value_kind_of(const Parameters& parameters);

/// Throws ProblemError when `count` elements, given as a real so that it cannot overflow, take more than
/// 2^62 bytes. `what` names them.
void check_size(std::string_view what, double count, DType type);

/// Buffers on the device, and a scalar that is passed as i32.
[[nodiscard]] BufferSpec input_buffer(std::string name, DType type, std::uint64_t count);
[[nodiscard]] BufferSpec output_buffer(std::string name, DType type, std::uint64_t count);
[[nodiscard]] ScalarSpec integer_scalar(std::string name, std::uint64_t value);

/// Each byte of what is read and of what is written, once.
[[nodiscard]] Cost cost_of_buffers(const ProblemSpec& spec);

/// Element i is to be `value(i)`, and may be off by `relative` of that and by `absolute`; by default it is
/// right to the bit or wrong.
template <class Function>
[[nodiscard]] ElementTruth each_element(Function value, double relative = 0, double absolute = 0) {
  return [=](std::uint64_t first, std::span<double> truth, std::span<double> tolerance) {
    for (std::size_t i = 0; i < truth.size(); ++i) {
      truth[i] = value(first + i);
      tolerance[i] = relative > 0 ? Tolerance{relative, absolute}.of(truth[i]) : absolute;
    }
  };
}

/// A workload of the program. It adds what is its own: buffers, reference, check.
class BuiltInWorkload : public Workload {
 public:
  struct Traits {
    std::string name;
    std::string doc;
    std::uint32_t version = 1;
    std::vector<ParameterInfo> parameters;
    std::vector<std::string> layouts = {};
  };

  [[nodiscard]] std::string_view name() const final { return traits_.name; }
  [[nodiscard]] std::string_view doc() const final { return traits_.doc; }
  [[nodiscard]] std::uint32_t version() const final { return traits_.version; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const final { return traits_.parameters; }
  [[nodiscard]] std::span<const std::string> layouts() const final { return traits_.layouts; }
  [[nodiscard]] ProblemSpec problem(const Parameters& parameters, const std::string& layout) const final;
  /// That of the buffers.
  [[nodiscard]] Cost cost(const Parameters& parameters) const override;
  /// Each input has the stream of its number, and numbers of the kind that `values` says.
  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override;

 protected:
  explicit BuiltInWorkload(Traits traits) : traits_(std::move(traits)) {}

 private:
  /// Adds buffers and scalars to a problem that has its parameters and layout. Throws ProblemError.
  virtual void define(ProblemSpec& spec) const = 0;

  Traits traits_;
};

/// A workload whose last buffer is its output, and whose every element has a truth of its own that is cheap
/// to compute from the inputs: maps, copies, permutations. The seed is all of the reference.
class ElementwiseWorkload : public BuiltInWorkload {
 public:
  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const final;
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override;

 protected:
  using BuiltInWorkload::BuiltInWorkload;

 private:
  [[nodiscard]] virtual ElementTruth truth(const ProblemSpec& spec, std::string_view precision,
                                           std::uint64_t seed) const = 0;
};

}  // namespace benchctl
