#include "workloads/fills.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "expr/expression.hpp"
#include "workloads/values.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

namespace {

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

/// Does the type hold all whole numbers from 0 to this one?
bool counts_to(DType type, double last) {
  return with_element_type(type, [&]<class T>(std::type_identity<T>) {
    return static_cast<double>(narrowed<T>(last)) == last &&
           static_cast<double>(narrowed<T>(std::fmax(0, last - 1))) == std::fmax(0, last - 1);
  });
}

/// Cells side by side, and the part of [0, 1] that they cover.
struct Cells {
  std::uint64_t begin;
  std::uint64_t end;
  double from;
  double to;
};

/// Where cells of random width border on each other: out[i] is the lower end of cell number `first` + i,
/// as far as that lies between two of `cells`. Halves are up to a quarter wider or narrower than their
/// share, down to single cells: no element can be told from its place, and any slice is drawn alone.
void draw_borders(const RandomStream& stream, const Cells& cells, std::uint64_t first,
                  std::span<double> out) {
  if (cells.end - cells.begin < 2 || cells.end <= first || cells.begin + 1 >= first + out.size()) return;
  const std::uint64_t middle = cells.begin + (cells.end - cells.begin) / 2;
  const double share = static_cast<double>(middle - cells.begin) /
                       static_cast<double>(cells.end - cells.begin) * (0.75 + 0.5 * unit(stream, middle));
  const double border = cells.from + (cells.to - cells.from) * share;
  if (middle >= first && middle < first + out.size()) out[middle - first] = border;
  draw_borders(stream, {cells.begin, middle, cells.from, border}, first, out);
  draw_borders(stream, {middle, cells.end, border, cells.to}, first, out);
}

}  // namespace

double real_of(const std::string& what, const std::string& text, const Parameters& values) {
  try {
    const Value value = parsed_expression(text).evaluate(values);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
  } catch (const ExpressionError& error) {
    throw ProblemError(fmt::format("{} = \"{}\": {}", what, text, error.what()));
  }
  throw ProblemError(fmt::format("{} = \"{}\" is not a number", what, text));
}

void write_constant(DType type, double value, std::span<std::byte> out) {
  with_element_type(type, [&]<class T>(std::type_identity<T>) {
    std::ranges::fill(std::span(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T)),
                      narrowed<T>(value));
  });
}

Fill::Fill(const FillSpec& spec, const BufferSpec& target, const Parameters& parameters)
    : spec_(spec), target_(target) {
  using Kind = FillSpec::Kind;
  const std::string what = "fill of buffer " + target.name;
  first_ = real_of(what, spec.first, parameters);
  second_ = real_of(what, spec.second, parameters);
  for (const std::string& text : spec.numbers) numbers_.push_back(real_of(what, text, parameters));
  if (spec.kind == Kind::file) read_array(spec.file, target.type, target.count, 0, {});
  if (spec.kind == Kind::values && numbers_.size() != target.count) {
    throw ProblemError(
        fmt::format("{} lists {} numbers, but it has {} elements", what, numbers_.size(), target.count));
  }
  const bool is_range =
      spec.kind == Kind::sorted || spec.kind == Kind::uniform || spec.kind == Kind::integers;
  if (is_range && first_ > second_)
    throw ProblemError(fmt::format("{} goes from {} to {}, which is less", what, first_, second_));
  if (spec.kind == Kind::permutation) second_ = static_cast<double>(target.count - 1);
  if (spec.kind == Kind::offsets && (first_ < 0 || first_ > second_ || std::floor(first_) != first_ ||
                                     std::floor(second_) != second_ || target.count < 2)) {
    throw ProblemError(
        fmt::format("{} needs two elements or more and ascends between whole numbers from 0 "
                    "on, not with {} elements from {} to {}",
                    what, target.count, first_, second_));
  }
  if ((spec.kind == Kind::permutation || spec.kind == Kind::offsets) && !counts_to(target.type, second_)) {
    throw ProblemError(fmt::format("{} counts to {}, which {} does not hold: take a wider type", what,
                                   second_, to_string(target.type)));
  }
}

void Fill::write(const RandomStream& stream, std::uint64_t first, std::span<std::byte> out) const {
  using Kind = FillSpec::Kind;
  const auto drawn = parse_enum<ValueKind>(to_string(spec_.kind));
  if (drawn && *drawn != ValueKind::uniform) return draw_bytes(stream, *drawn, target_.type, first, out);
  if (spec_.kind == Kind::file) return read_array(spec_.file, target_.type, target_.count, first, out);
  with_element_type(target_.type, [&]<class T>(std::type_identity<T>) {
    const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    if (spec_.kind == Kind::sorted || spec_.kind == Kind::offsets)
      return write_ascending(stream, first, elements);
    if (spec_.kind == Kind::permutation) {
      const RandomOrder order(stream, target_.count);
      for (std::size_t i = 0; i < elements.size(); ++i)
        elements[i] = narrowed<T>(static_cast<double>(order.place(first + i)));
      return;
    }
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = narrowed<T>(value_at(stream, first + i));
  });
}

/// Offsets are the ends of cells, both ends of the range included; sorted numbers lie between them.
template <class T>
void Fill::write_ascending(const RandomStream& stream, std::uint64_t first, std::span<T> out) const {
  const bool sorted = spec_.kind == FillSpec::Kind::sorted;
  const std::uint64_t cells = sorted ? target_.count + 1 : target_.count - 1;
  const std::uint64_t skipped = sorted ? 1 : 0;
  std::vector<double> places(out.size(), 0);
  draw_borders(stream, {0, cells, 0, 1}, first + skipped, places);
  if (!sorted && first + out.size() == target_.count) places.back() = 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    double value = first_ + places[i] * (second_ - first_);
    if (sorted && std::is_integral_v<T>) {
      value = std::fmin(second_, first_ + places[i] * (second_ - first_ + 1));
    }
    out[i] = narrowed<T>(sorted ? value : std::floor(value));
  }
}

double Fill::value_at(const RandomStream& stream, std::uint64_t index) const {
  switch (spec_.kind) {
    case FillSpec::Kind::values:
      return numbers_.at(index);
    case FillSpec::Kind::constant:
      return first_;
    case FillSpec::Kind::index:
      return first_ + static_cast<double>(index) * second_;
    case FillSpec::Kind::integers:
      return first_ + std::floor(unit(stream, index) * (second_ - first_ + 1));
    default:
      return first_ + unit(stream, index) * (second_ - first_);
  }
}

void write_like(const std::string& layout, const Fill& source, const BufferSpec& other,
                const Parameters& parameters, const RandomStream& stream, std::uint64_t first,
                std::span<std::byte> out) {
  const std::size_t size = size_of(other.type);
  Parameters values = parameters;
  Value& own = values["i"];
  for (std::size_t at = 0; at < out.size(); at += size) {
    const std::uint64_t i = first + at / size;
    own = static_cast<std::int64_t>(i);
    const double element = real_of("layout", layout, values);
    const std::span target = out.subspan(at, size);
    if (element < 0) {
      std::ranges::fill(target, std::byte{0});
    } else if (element < static_cast<double>(other.count) && std::floor(element) == element) {
      source.write(stream, static_cast<std::uint64_t>(element), target);
    } else {
      throw ProblemError(fmt::format("layout = \"{}\" is {} for i = {}: {} has elements 0 to {}", layout,
                                     element, i, other.name, other.count - 1));
    }
  }
}

}  // namespace benchctl
