#include "workloads/basic.hpp"

#include <algorithm>
#include <limits>

#include "expr/expression.hpp"

namespace benchctl {

namespace {

const Value& value_of(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw ProblemError(fmt::format("parameter '{}' is missing", name));
  return found->second;
}

DType type_of(const std::string& type, const Parameters& parameters) {
  const std::string& name = type == "dtype" ? word_of(parameters, "dtype") : type;
  if (const auto found = parse_enum<DType>(name)) return *found;
  throw ProblemError(fmt::format("'{}' is not an element type", name));
}

BufferSpec buffer_of(const BufferDeclaration& buffer, const Parameters& parameters) {
  const DType type = type_of(buffer.type, parameters);
  std::uint64_t count = 0;
  try {
    count = parsed_expression(buffer.count).count(parameters);
  } catch (const ExpressionError& error) {
    throw ProblemError(
        fmt::format("count of buffer {} = \"{}\": {}", buffer.name, buffer.count, error.what()));
  }
  if (count == 0) throw ProblemError(fmt::format("buffer {} would have no elements", buffer.name));
  return {buffer.name, type, count, buffer.role, Space::device};
}

ScalarSpec scalar_of(const ScalarDeclaration& scalar, const Parameters& parameters) {
  const std::string what = fmt::format("scalar {}", scalar.name);
  const DType type = type_of(scalar.type, parameters);
  const double number = real_of(what, scalar.value, parameters);
  if (!is_whole(type)) return {scalar.name, type, number};
  if (const auto whole = whole_in(type, number)) return {scalar.name, type, *whole};
  throw ProblemError(fmt::format("{} = \"{}\" is {}, no {}", what, scalar.value, number, to_string(type)));
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

BufferSpec input_buffer(std::string name, DType type, std::uint64_t count) {
  return {std::move(name), type, count, BufferRole::in, Space::device};
}

BufferSpec output_buffer(std::string name, DType type, std::uint64_t count) {
  return {std::move(name), type, count, BufferRole::out, Space::device};
}

ScalarSpec integer_scalar(std::string name, std::uint64_t value) {
  return {std::move(name), DType::i32, static_cast<std::int64_t>(value)};
}

double counted(const std::string& what, const std::string& text, const Parameters& values) {
  const double number = real_of(what, text, values);
  if (number < 0) throw ProblemError(fmt::format("{} = \"{}\" is negative", what, text));
  return number;
}

ProblemSpec BasicWorkload::problem(const Parameters& parameters, const std::string& layout) const {
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
  for (const BufferDeclaration& buffer : traits_.buffers)
    spec.buffers.push_back(buffer_of(buffer, parameters));
  for (const ScalarDeclaration& scalar : traits_.scalars)
    spec.scalars.push_back(scalar_of(scalar, parameters));
  define(spec);
  static_cast<void>(cost_of(spec));  // one that cannot be had rules the problem out
  return spec;
}

Cost BasicWorkload::cost(const Parameters& parameters) const {
  return cost_of(problem(parameters, layouts().empty() ? std::string() : layouts().front()));
}

Cost BasicWorkload::cost_of(const ProblemSpec& spec) const {
  const auto bytes = [&](const std::string& what, const std::string& text, BufferRole without) {
    if (!text.empty()) return counted(what, text, spec.parameters);
    double sum = 0;
    for (const BufferSpec& buffer : spec.buffers)
      sum += buffer.role != without ? static_cast<double>(buffer.bytes()) : 0;
    return sum;
  };
  return {counted("cost: flops", traits_.flops, spec.parameters),
          bytes("cost: bytes_read", traits_.bytes_read, BufferRole::out),
          bytes("cost: bytes_written", traits_.bytes_written, BufferRole::in),
          counted("cost: accesses", traits_.accesses, spec.parameters)};
}

void BasicWorkload::generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed,
                             std::uint64_t first, std::span<std::byte> out) const {
  const RandomStream stream(seed, buffer);
  const DType type = spec.buffers.at(buffer).type;
  if (is_whole(type)) return random_bytes(stream, first * size_of(type), out);
  draw_bytes(stream, value_kind_of(spec.parameters), type, first, out);
}

Reference ElementwiseWorkload::reference(const ProblemSpec& /*spec*/, std::uint64_t seed) const {
  return seed_reference(seed);
}

Verification ElementwiseWorkload::check(const ProblemSpec& spec, std::string_view precision,
                                        const Reference& reference, const BufferReader& read) const {
  return check_elements(spec, spec.buffers.size() - 1, truth_(spec, precision, seed_of(reference)), read);
}

Reference ElementwiseWorkload::known_outputs(const ProblemSpec& spec, const Reference& reference) const {
  const BufferSpec& out = spec.buffers.back();
  std::vector<double> tolerance(out.count);
  Reference truth;
  truth_(spec, "f64", seed_of(reference))(0, truth.reals[out.name] = std::vector<double>(out.count),
                                          tolerance);
  return truth;
}

}  // namespace benchctl
