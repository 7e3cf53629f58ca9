// Values of parameters: their text, their order, sets that many points share, keys for tables in memory.
#pragma once

#include <benchctl/types.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace benchctl {

/// `3`, `0.5`, `true`, `f32`: a value as users write it, without quotes.
[[nodiscard]] std::string to_text(const Value& value);
/// `n=512 tile=16`.
[[nodiscard]] std::string to_text(const Parameters& parameters);

[[nodiscard]] inline bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// The value of an integer or a real, 0 for anything else.
[[nodiscard]] inline double as_number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

/// `number` as a type of whole numbers has it; nothing if it is not whole, or the type does not hold it.
[[nodiscard]] inline std::optional<std::int64_t> whole_in(DType type, double number) {
  if (number != std::floor(number) || std::abs(number) >= 0x1p63) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(number);
  return holds(type, whole) ? std::optional(whole) : std::nullopt;
}

/// Numbers by size, other values by type and then by their own order.
struct ValueOrder {
  bool operator()(const Value& a, const Value& b) const {
    if (is_number(a) && is_number(b)) return as_number(a) < as_number(b);
    return a < b;
  }
};

/// The same names with values that are equal in the sense of ValueOrder.
[[nodiscard]] inline bool equal(const Parameters& a, const Parameters& b) {
  const ValueOrder less;
  return std::ranges::equal(a, b, [&](const auto& x, const auto& y) {
    return x.first == y.first && !less(x.second, y.second) && !less(y.second, x.second);
  });
}

/// Adds to a hash.
[[nodiscard]] inline std::size_t mixed(std::size_t hash, std::size_t more) {
  return (hash ^ more) * 0x9e3779b97f4a7c15U ^ (hash >> 29U);
}

/// The same for parameters that are equal().
[[nodiscard]] inline std::size_t hash_of(const Parameters& parameters) {
  std::size_t hash = parameters.size();
  for (const auto& [name, value] : parameters) {
    hash =
        mixed(hash, is_number(value) ? std::hash<double>{}(as_number(value)) : std::hash<Value>{}(value));
  }
  return hash;
}

/// Parameters that many points have in common: a copy of them is a pointer. Reads as the Parameters that it
/// is made from.
class SharedParameters {
 public:
  SharedParameters() = default;
  SharedParameters(Parameters values) : values_(std::make_shared<Parameters>(std::move(values))) {}
  SharedParameters(std::initializer_list<Parameters::value_type> values)
      : SharedParameters(Parameters(values)) {}

  operator const Parameters&() const { return get(); }
  [[nodiscard]] const Parameters& get() const {
    static const Parameters none;
    return values_ ? *values_ : none;
  }
  [[nodiscard]] auto begin() const { return get().begin(); }
  [[nodiscard]] auto end() const { return get().end(); }
  [[nodiscard]] auto find(std::string_view name) const { return get().find(name); }
  [[nodiscard]] bool contains(std::string_view name) const { return get().contains(name); }
  [[nodiscard]] const Value& at(const std::string& name) const { return get().at(name); }
  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] std::size_t size() const { return get().size(); }

  /// Changes this object alone; nothing where it has that value already.
  void set(const std::string& name, const Value& value) {
    if (const auto found = find(name); found != end() && found->second == value) return;
    if (values_.use_count() != 1) values_ = std::make_shared<Parameters>(get());
    values_->insert_or_assign(name, value);
  }

  friend bool operator==(const SharedParameters& a, const SharedParameters& b) {
    return a.values_ == b.values_ || a.get() == b.get();
  }
  friend auto operator<=>(const SharedParameters& a, const SharedParameters& b) {
    return a.get() <=> b.get();
  }

 private:
  std::shared_ptr<Parameters> values_;  ///< null: none; never changed while others have it
};

/// Joins texts so that no other list of texts gives the same key, whatever characters they have: each
/// stands behind its length.
class KeyText {
 public:
  KeyText& add(std::string_view part);
  /// Names and values, the values as users write them.
  KeyText& add(const Parameters& parameters);
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace benchctl
