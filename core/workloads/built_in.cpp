#include "workloads/built_in.hpp"

#include <algorithm>
#include <limits>

namespace benchctl {

namespace {

const Value& value_of(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw ProblemError(fmt::format("parameter '{}' is missing", name));
  return found->second;
}

}  // namespace

ParameterInfo integer_parameter(std::string name, std::string doc, std::string default_value,
                                double minimum, double maximum) {
  return {.name = std::move(name),
          .doc = std::move(doc),
          .default_value = std::move(default_value),
          .choices = {},
          .minimum = minimum,
          .maximum = maximum,
          .is_integer = true};
}

ParameterInfo word_parameter(std::string name, std::string doc, std::vector<std::string> choices) {
  std::string first = choices.at(0);
  return {std::move(name), std::move(doc), std::move(first), true, std::move(choices)};
}

ParameterInfo dtype_parameter(std::vector<std::string> choices) {
  return word_parameter("dtype", "element type", std::move(choices));
}

ParameterInfo values_parameter(std::initializer_list<ValueKind> kinds) {
  std::vector<std::string> names;
  for (const ValueKind kind : kinds) names.emplace_back(to_string(kind));
  return word_parameter("values", "what the inputs hold", std::move(names));
}

std::uint64_t integer_of(const Parameters& parameters, std::string_view name, std::uint32_t least) {
  const auto* value = std::get_if<std::int64_t>(&value_of(parameters, name));
  if (value == nullptr) throw ProblemError(fmt::format("parameter '{}' must be an integer", name));
  if (*value < static_cast<std::int64_t>(least) || *value > std::numeric_limits<std::int32_t>::max()) {
    throw ProblemError(fmt::format(
        "parameter '{}' is {}, but kernels take 32-bit sizes: it must lie between {} and 2147483647", name,
        *value, least));
  }
  return static_cast<std::uint64_t>(*value);
}

const std::string& word_of(const Parameters& parameters, std::string_view name) {
  const auto* word = std::get_if<std::string>(&value_of(parameters, name));
  if (word == nullptr) throw ProblemError(fmt::format("parameter '{}' must be a word", name));
  return *word;
}

DType dtype_of(const Parameters& parameters, std::initializer_list<DType> taken) {
  const std::string& name = word_of(parameters, "dtype");
  const auto type = parse_enum<DType>(name);
  if (type && std::ranges::find(taken, *type) != taken.end()) return *type;
  std::string names;
  for (const DType one : taken) names += (names.empty() ? "" : " or ") + std::string(to_string(one));
  throw ProblemError(fmt::format("parameter 'dtype' is '{}', but must be {}", name, names));
}

ValueKind value_kind_of(const Parameters& parameters) {
  return parameters.contains("values") ? enum_of<ValueKind>(parameters, "values") : ValueKind::uniform;
}

void check_size(std::string_view what, double count, DType type) {
  if (count * static_cast<double>(size_of(type)) > 0x1p62) {
    throw ProblemError(fmt::format("{} of {:.0f} elements takes more than 2^62 bytes", what, count));
  }
}

BufferSpec input_buffer(std::string name, DType type, std::uint64_t count) {
  return {std::move(name), type, count, BufferRole::in, Space::device};
}

BufferSpec output_buffer(std::string name, DType type, std::uint64_t count) {
  return {std::move(name), type, count, BufferRole::out, Space::device};
}

ScalarSpec integer_scalar(std::string name, std::uint64_t value) {
  return {std::move(name), DType::i32, static_cast<std::int64_t>(value)};
}

Cost cost_of_buffers(const ProblemSpec& spec) {
  Cost cost;
  for (const BufferSpec& buffer : spec.buffers) {
    if (buffer.role != BufferRole::out) cost.bytes_read += static_cast<double>(buffer.bytes());
    if (buffer.role != BufferRole::in) cost.bytes_written += static_cast<double>(buffer.bytes());
  }
  return cost;
}

ProblemSpec BuiltInWorkload::problem(const Parameters& parameters, const std::string& layout) const {
  if (layouts().empty() && !layout.empty()) {
    throw ProblemError(fmt::format("{} has one layout only, not '{}'", name(), layout));
  }
  if (!layouts().empty() && std::ranges::find(layouts(), layout) == layouts().end()) {
    throw ProblemError(fmt::format("layout '{}' is not one of {}", layout, fmt::join(layouts(), ", ")));
  }
  ProblemSpec spec;
  spec.workload = name();
  spec.parameters = parameters;
  spec.layout = layout;
  define(spec);
  return spec;
}

Cost BuiltInWorkload::cost(const Parameters& parameters) const {
  return cost_of_buffers(problem(parameters, {}));
}

void BuiltInWorkload::generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed,
                               std::uint64_t first, std::span<std::byte> out) const {
  draw_bytes(RandomStream(seed, buffer), value_kind_of(spec.parameters), spec.buffers.at(buffer).type,
             first, out);
}

Reference ElementwiseWorkload::reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const {
  return seed_reference(seed);
}

Verification ElementwiseWorkload::check(const ProblemSpec& spec, std::string_view precision,
                                        const Reference& reference, const BufferReader& read) const {
  return check_elements(spec, spec.buffers.size() - 1, truth(spec, precision, seed_of(reference)), read);
}

}  // namespace benchctl
