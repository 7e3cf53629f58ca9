#include "workloads/declared.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/expression.hpp"
#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/values.hpp"
#include "model/words.hpp"
#include "workloads/built_in.hpp"

namespace benchctl {

using nlohmann::json;

/// `default` is a word of C++.
template <>
struct JsonForm<ParameterInfo> {
  static json to(const ParameterInfo& parameter) {
    return {{"name", parameter.name},
            {"doc", parameter.doc},
            {"default", parameter.default_value},
            {"is_text", parameter.is_text},
            {"choices", parameter.choices},
            {"minimum", parameter.minimum},
            {"maximum", parameter.maximum}};
  }
  static void from(const json& object, ParameterInfo& parameter) {
    benchctl::read(object.at("name"), parameter.name);
    benchctl::read(object.at("doc"), parameter.doc);
    benchctl::read(object.at("default"), parameter.default_value);
    benchctl::read(object.at("is_text"), parameter.is_text);
    benchctl::read(object.at("choices"), parameter.choices);
    benchctl::read(object.at("minimum"), parameter.minimum);
    benchctl::read(object.at("maximum"), parameter.maximum);
  }
};
BENCHCTL_JSON_RECORD(ArrayFile, buffer, path, digest)
BENCHCTL_JSON_RECORD(FillSpec, kind, first, second, numbers, file)
BENCHCTL_JSON_RECORD(BufferDeclaration, name, type, count, role, fill)
BENCHCTL_JSON_RECORD(ScalarDeclaration, name, type, value)
BENCHCTL_JSON_RECORD(CheckDeclaration, kernel, kernel_digest, files, relative, absolute, any_order)
BENCHCTL_JSON_RECORD(WorkloadDeclaration, name, doc, parameters, buffers, scalars, flops, bytes_read,
                     bytes_written, check)

std::string to_json_text(const WorkloadDeclaration& declaration) { return written(declaration).dump(); }

WorkloadDeclaration workload_declaration_from_json_text(std::string_view text) {
  refuse_deep_json(text);
  try {
    return read_as<WorkloadDeclaration>(json::parse(text));
  } catch (const json::exception& error) {
    throw std::invalid_argument(fmt::format("this is not a workload declaration: {}", error.what()));
  }
}

namespace {

/// `what` names the place in messages.
template <class Use>
auto evaluated(const std::string& what, const std::string& text, Use use) {
  try {
    return use(parsed_expression(text));
  } catch (const ExpressionError& error) {
    throw ProblemError(fmt::format("{} = \"{}\": {}", what, text, error.what()));
  }
}

double real_of(const std::string& what, const std::string& text, const Parameters& values) {
  const Value value =
      evaluated(what, text, [&](const Expression& expression) { return expression.evaluate(values); });
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw ProblemError(fmt::format("{} = \"{}\" is not a number", what, text));
}

DType type_of(const std::string& type, const Parameters& parameters) {
  const std::string& name = type == "dtype" ? word_of(parameters, "dtype") : type;
  if (const auto found = parse_enum<DType>(name)) return *found;
  throw ProblemError(fmt::format("'{}' is not an element type", name));
}

/// What counts name beside parameters. Throws std::invalid_argument if a count cannot be parsed.
Names size_tunables_of(const WorkloadDeclaration& declaration) {
  Names tunables;
  for (const BufferDeclaration& buffer : declaration.buffers) {
    try {
      for (const std::string& name : parsed_expression(buffer.count).names()) {
        if (std::ranges::find(declaration.parameters, name, &ParameterInfo::name) ==
            declaration.parameters.end())
          add_once(tunables, name);
      }
    } catch (const ExpressionError& error) {
      throw std::invalid_argument(
          fmt::format("count of buffer {} = \"{}\": {}", buffer.name, buffer.count, error.what()));
    }
  }
  return tunables;
}

/// Whole numbers beyond a type's range stay at its ends.
template <class T>
T narrowed(double value) {
  if constexpr (std::is_integral_v<T>) {
    using Range = std::numeric_limits<T>;
    // The highest of 64 bits is rounded up.
    if (value >= static_cast<double>(Range::max())) return Range::max();
    return static_cast<T>(std::fmax(std::floor(value), static_cast<double>(Range::lowest())));
  } else {
    return static_cast<T>(value);
  }
}

/// 53 random bits as a number in [0, 1).
double unit(const RandomStream& stream, std::uint64_t index) {
  return static_cast<double>(stream.bits(index) >> 11) * 0x1p-53;
}

/// By size, those that are not a number last.
void sort_elements(DType type, std::span<std::byte> bytes) {
  with_element_type(type, [&]<class T>(std::type_identity<T>) {
    const auto less = [](T a, T b) {
      if constexpr (std::is_integral_v<T>) {
        return a < b;
      } else {
        const auto x = static_cast<double>(a);
        const auto y = static_cast<double>(b);
        return std::isnan(y) ? !std::isnan(x) : x < y;
      }
    };
    std::ranges::sort(std::span(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)), less);
  });
}

class DeclaredWorkload final : public Workload {
 public:
  explicit DeclaredWorkload(WorkloadDeclaration declaration)
      : declaration_(std::move(declaration)),
        definition_(to_json_text(declaration_)),
        size_tunables_(size_tunables_of(declaration_)) {}

  [[nodiscard]] std::string_view name() const override { return declaration_.name; }
  [[nodiscard]] std::string_view doc() const override { return declaration_.doc; }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override {
    return declaration_.parameters;
  }
  [[nodiscard]] std::span<const std::string> size_tunables() const override { return size_tunables_; }
  [[nodiscard]] std::string trusted_kernel() const override { return declaration_.check.kernel; }
  [[nodiscard]] bool keeps_inputs() const override { return !declaration_.check.files.empty(); }
  [[nodiscard]] std::string definition() const override { return definition_; }
  [[nodiscard]] std::string content() const override {
    WorkloadDeclaration content = declaration_;
    for (ArrayFile& file : content.check.files) file.path.clear();
    for (BufferDeclaration& buffer : content.buffers) buffer.fill.file.path.clear();
    return to_json_text(content);
  }

  [[nodiscard]] ProblemSpec problem(const Parameters& parameters,
                                    const std::string& layout) const override {
    if (!layout.empty()) throw ProblemError(fmt::format("{} has one layout only", name()));
    // A tolerance, a cost or contents that cannot be had rule the point out, before anything is measured in
    // vain.
    static_cast<void>(allowed(parameters, "f32"));
    static_cast<void>(declared_cost(parameters, {}));
    ProblemSpec spec;
    spec.workload = name();
    spec.parameters = parameters;
    for (const BufferDeclaration& buffer : declaration_.buffers) {
      const DType type = type_of(buffer.type, parameters);
      const std::uint64_t count =
          evaluated(fmt::format("count of buffer {}", buffer.name), buffer.count,
                    [&](const Expression& expression) { return expression.count(parameters); });
      if (count == 0) throw ProblemError(fmt::format("buffer {} would have no elements", buffer.name));
      check_size(buffer.name, static_cast<double>(count), type);
      check_fill(buffer, type, count, parameters);
      spec.buffers.push_back({buffer.name, type, count, buffer.role, Space::device});
    }
    for (const ScalarDeclaration& scalar : declaration_.scalars) {
      spec.scalars.push_back(scalar_of(scalar, parameters));
    }
    return spec;
  }

  [[nodiscard]] Cost cost(const Parameters& parameters) const override {
    return declared_cost(parameters, cost_of_buffers(problem(parameters, {})));
  }

  void generate(const ProblemSpec& spec, std::size_t buffer, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    const BufferSpec& target = spec.buffers.at(buffer);
    const FillSpec& fill = declaration_.buffers.at(buffer).fill;
    const RandomStream stream(seed, buffer);
    const auto kind = parse_enum<ValueKind>(to_string(fill.kind));
    if (kind && *kind != ValueKind::uniform) return draw_bytes(stream, *kind, target.type, first, out);
    if (fill.kind == FillSpec::Kind::file)
      return read_array(fill.file, target.type, target.count, first, out);
    const std::string what = fill_of(target.name);
    const double a = real_of(what, fill.first, spec.parameters);
    const double b = real_of(what, fill.second, spec.parameters);
    with_element_type(target.type, [&]<class T>(std::type_identity<T>) {
      const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
      for (std::size_t i = 0; i < elements.size(); ++i) {
        elements[i] = narrowed<T>(fill.kind == FillSpec::Kind::values
                                      ? real_of(what, fill.numbers.at(first + i), spec.parameters)
                                      : value_at(fill.kind, stream, first + i, a, b));
      }
    });
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t /*seed*/) const override {
    Reference reference;
    for (const ArrayFile& file : declaration_.check.files) {
      const auto index = spec.buffer_index(file.buffer);
      const BufferSpec& buffer = spec.buffers.at(index.value());
      read_array(file, buffer.type, buffer.count, 0, {});  // before there is memory for what is not there
      std::vector<std::byte> bytes(buffer.bytes());
      read_array(file, buffer.type, buffer.count, 0, bytes);
      append(reference, buffer, bytes);
    }
    return reference;
  }

  [[nodiscard]] Reference reference_from(const ProblemSpec& spec, const BufferReader& read) const override {
    Reference reference;
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      const BufferSpec& buffer = spec.buffers[i];
      if (buffer.role == BufferRole::in) continue;
      std::vector<std::byte> bytes(buffer.bytes());
      read(i, 0, bytes);
      append(reference, buffer, bytes);
    }
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view precision,
                                   const Reference& reference, const BufferReader& read) const override {
    const Tolerance tolerance = allowed(spec.parameters, precision);
    std::optional<Verification> outcome;
    for (std::size_t buffer = 0; buffer < spec.buffers.size(); ++buffer) {
      const std::string& output = spec.buffers[buffer].name;
      if (!reference.reals.contains(output) && !reference.indices.contains(output)) continue;
      const Verification one = contains(declaration_.check.any_order, output)
                                   ? check_in_any_order(spec, buffer, reference, tolerance, read)
                                   : check_one(spec, buffer, reference, tolerance, read);
      outcome = outcome ? merge(*outcome, one) : one;
    }
    if (!outcome) throw ProblemError(fmt::format("there is no reference for the outputs of {}", name()));
    return *outcome;
  }

 private:
  static double value_at(FillSpec::Kind kind, const RandomStream& stream, std::uint64_t index, double a,
                         double b) {
    switch (kind) {
      case FillSpec::Kind::constant:
        return a;
      case FillSpec::Kind::index:
        return a + static_cast<double>(index) * b;
      case FillSpec::Kind::integers:
        return a + std::floor(unit(stream, index) * (b - a + 1));
      default:
        return a + unit(stream, index) * (b - a);
    }
  }

  /// The costs that the table has, the others as given. Throws ProblemError for one that cannot be.
  [[nodiscard]] Cost declared_cost(const Parameters& parameters, Cost cost) const {
    cost.flops = counted("cost: flops", declaration_.flops, parameters);
    if (!declaration_.bytes_read.empty())
      cost.bytes_read = counted("cost: bytes_read", declaration_.bytes_read, parameters);
    if (!declaration_.bytes_written.empty())
      cost.bytes_written = counted("cost: bytes_written", declaration_.bytes_written, parameters);
    return cost;
  }

  /// Contents that cannot be had rule the point out.
  static void check_fill(const BufferDeclaration& buffer, DType type, std::uint64_t count,
                         const Parameters& parameters) {
    const FillSpec& fill = buffer.fill;
    const std::string what = fill_of(buffer.name);
    for (const std::string* text : {&fill.first, &fill.second})
      static_cast<void>(real_of(what, *text, parameters));
    for (const std::string& text : fill.numbers) static_cast<void>(real_of(what, text, parameters));
    if (fill.kind == FillSpec::Kind::file) read_array(fill.file, type, count, 0, {});
    if (fill.kind != FillSpec::Kind::values || fill.numbers.size() == count) return;
    throw ProblemError(
        fmt::format("{} lists {} numbers, but it has {} elements", what, fill.numbers.size(), count));
  }

  static std::string fill_of(const std::string& buffer) { return "fill of buffer " + buffer; }

  /// What is right for an output that may be in any order is kept in the order of its size.
  void append(Reference& reference, const BufferSpec& output, std::span<std::byte> elements) const {
    if (contains(declaration_.check.any_order, output.name)) sort_elements(output.type, elements);
    append_elements(reference, output.name, output.type, elements);
  }

  static Verification check_in_any_order(const ProblemSpec& spec, std::size_t buffer,
                                         const Reference& reference, const Tolerance& allowed,
                                         const BufferReader& read) {
    std::vector<std::byte> sorted(spec.buffers[buffer].bytes());
    read(buffer, 0, sorted);
    sort_elements(spec.buffers[buffer].type, sorted);
    Verification outcome =
        check_one(spec, buffer, reference, allowed,
                  [&](std::size_t /*index*/, std::uint64_t offset, std::span<std::byte> out) {
                    std::ranges::copy(std::span(sorted).subspan(offset, out.size()), out.begin());
                  });
    if (!outcome.ok) outcome.reason += ", all in order of size";
    return outcome;
  }

  static Verification check_one(const ProblemSpec& spec, std::size_t buffer, const Reference& reference,
                                const Tolerance& allowed, const BufferReader& read) {
    const std::string& name = spec.buffers[buffer].name;
    const auto whole = reference.indices.find(name);
    if (whole != reference.indices.end()) return check_whole(spec, buffer, whole->second, allowed, read);
    const std::vector<double>& right = reference.reals.at(name);
    const auto truth_of = [&](std::uint64_t first, std::span<double> truth, std::span<double> tolerance) {
      for (std::size_t i = 0; i < truth.size(); ++i) {
        truth[i] = right.at(first + i);
        tolerance[i] = allowed.of(truth[i]);
      }
    };
    return check_elements(spec, buffer, truth_of, read);
  }

  /// `relative` and `absolute` of the check. Throws ProblemError for an invalid tolerance.
  [[nodiscard]] Tolerance allowed(const Parameters& parameters, std::string_view precision) const {
    Parameters values = parameters;
    values["roundoff"] = unit_roundoff(precision);
    return {counted("check: relative", declaration_.check.relative, values),
            counted("check: absolute", declaration_.check.absolute, values)};
  }

  static double counted(const std::string& what, const std::string& text, const Parameters& parameters) {
    const double number = real_of(what, text, parameters);
    if (number < 0) throw ProblemError(fmt::format("{} = \"{}\" is negative", what, text));
    return number;
  }

  static ScalarSpec scalar_of(const ScalarDeclaration& scalar, const Parameters& parameters) {
    const std::string what = fmt::format("scalar {}", scalar.name);
    const DType type = type_of(scalar.type, parameters);
    const double number = real_of(what, scalar.value, parameters);
    if (!is_whole(type)) return {scalar.name, type, number};
    if (const auto whole = whole_in(type, number)) return {scalar.name, type, *whole};
    throw ProblemError(
        fmt::format("{} = \"{}\" is {}, no {}", what, scalar.value, number, to_string(type)));
  }

  WorkloadDeclaration declaration_;
  std::string definition_;
  Names size_tunables_;
};

}  // namespace

std::unique_ptr<Workload> make_workload(WorkloadDeclaration declaration) {
  return std::make_unique<DeclaredWorkload>(std::move(declaration));
}

std::unique_ptr<Workload> make_workload(std::string_view definition) {
  return make_workload(workload_declaration_from_json_text(definition));
}

}  // namespace benchctl
