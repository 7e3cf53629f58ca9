// What workloads share: their parameters, buffers, scalars and costs as data, and most of what they do.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "workloads/checks.hpp"
#include "workloads/fills.hpp"
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

/// A buffer as a workload declares it. `type` is the name of an element type, or `dtype`: that of the
/// problem.
struct BufferDeclaration {
  std::string name;
  std::string type = "f32";
  std::string count;  ///< elements, an expression over parameters and tunables of kernels
  BufferRole role = BufferRole::in;
  FillSpec fill = {};  ///< contents of in and inout buffers, where a config declares the workload
};

struct ScalarDeclaration {
  std::string name;
  std::string type = "i32";
  std::string value;  ///< an expression
};

/// One that has the value of the parameter of its name.
[[nodiscard]] inline ScalarDeclaration passed(const std::string& parameter) {
  return {parameter, "i32", parameter};
}

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

/// Buffers on the device, and a scalar that is passed as i32.
[[nodiscard]] BufferSpec input_buffer(std::string name, DType type, std::uint64_t count);
[[nodiscard]] BufferSpec output_buffer(std::string name, DType type, std::uint64_t count);
[[nodiscard]] ScalarSpec integer_scalar(std::string name, std::uint64_t value);

/// The number that an expression gives, 0 or more. Throws ProblemError, in which `what` names the place.
[[nodiscard]] double counted(const std::string& what, const std::string& text, const Parameters& values);

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

/// A workload by its data. It adds what is its own: reference, check.
class BasicWorkload : public Workload {
 public:
  struct Traits {
    std::string name;
    std::string doc;
    std::uint32_t version = 1;
    std::vector<ParameterInfo> parameters;
    std::vector<std::string> layouts = {};
    std::vector<BufferDeclaration> buffers = {};
    std::vector<ScalarDeclaration> scalars = {};
    // Costs, as expressions over the parameters. Where bytes are empty: those of the buffers.
    std::string flops = "0";
    std::string bytes_read = {};
    std::string bytes_written = {};
    std::string accesses = "0";
  };

  [[nodiscard]] std::string_view name() const final { return traits_.name; }
  [[nodiscard]] std::string_view doc() const final { return traits_.doc; }
  [[nodiscard]] std::uint32_t version() const final { return traits_.version; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const final { return traits_.parameters; }
  [[nodiscard]] std::span<const std::string> layouts() const final { return traits_.layouts; }
  [[nodiscard]] ProblemSpec problem(const Parameters& parameters, const std::string& layout) const final;
  [[nodiscard]] Cost cost(const Parameters& parameters) const override;
  /// Each input has the stream of its number: random bits as whole numbers, else numbers of the kind that
  /// `values` says.
  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override;

 protected:
  explicit BasicWorkload(Traits traits) : traits_(std::move(traits)) {}

 private:
  /// Adds what the declarations do not say to a problem that has what they say. Throws ProblemError.
  virtual void define(ProblemSpec& spec) const { static_cast<void>(spec); }

  [[nodiscard]] Cost cost_of(const ProblemSpec& spec) const;

  Traits traits_;
};

/// A workload whose last buffer is its output, and whose every element has a truth of its own that is cheap
/// to compute from the inputs: maps, copies, permutations. The seed is all of the reference.
class ElementwiseWorkload : public BasicWorkload {
 public:
  using Truth =
      std::function<ElementTruth(const ProblemSpec& spec, std::string_view precision, std::uint64_t seed)>;

  ElementwiseWorkload(Traits traits, Truth truth)
      : BasicWorkload(std::move(traits)), truth_(std::move(truth)) {}
  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const final;
  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override;
  [[nodiscard]] Reference known_outputs(const ProblemSpec& spec, const Reference& reference) const override;

 private:
  Truth truth_;
};

}  // namespace benchctl
