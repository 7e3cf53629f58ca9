// How fields of records are written as JSON and read from it. A record names its fields once:
//
//     BENCHCTL_JSON_RECORD(SampleBlock, ns, batch, gated, readings, note)
//
// after which `written(block)` gives an object and `read(json, block)` or `read_as<SampleBlock>(json)` read
// one. Unlike the library's own macros, these refuse integers that their type does not hold, and know
// enumerators as words.
#pragma once

#include <benchctl/types.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace benchctl {

/// Throws std::invalid_argument for a word that does not spell one.
template <class Enum>
[[nodiscard]] Enum enum_from(const nlohmann::json& value) {
  const auto parsed = parse_enum<Enum>(value.get<std::string>());
  if (!parsed) throw std::invalid_argument("unknown word '" + value.get<std::string>() + "' in a message");
  return *parsed;
}

/// Throws std::invalid_argument for anything but an integer, and for one that the type does not hold. (The
/// library converts both, with results that the language leaves undefined.)
template <std::integral Integer>
[[nodiscard]] Integer integer_from(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.get<std::uint64_t>(); std::in_range<Integer>(number)) {
      return static_cast<Integer>(number);
    }
  } else if (value.is_number_integer()) {
    if (const auto number = value.get<std::int64_t>(); std::in_range<Integer>(number)) {
      return static_cast<Integer>(number);
    }
  }
  throw std::invalid_argument("something else where an integer must be, or one that is too large");
}

/// How a type looks in JSON: `to` writes, `from` reads. What is not said below is the library's business.
template <class T>
struct JsonForm {
  static nlohmann::json to(const T& value) { return value; }
  static void from(const nlohmann::json& json, T& value) { json.get_to(value); }
};

template <class T>
[[nodiscard]] nlohmann::json written(const T& value) {
  return JsonForm<T>::to(value);
}

/// Throws nlohmann::json::exception or std::invalid_argument.
template <class T>
void read(const nlohmann::json& json, T& value) {
  JsonForm<T>::from(json, value);
}

template <class T>
[[nodiscard]] T read_as(const nlohmann::json& json) {
  T value{};
  read(json, value);
  return value;
}

template <std::integral Integer>
requires(!std::same_as<Integer, bool>) struct JsonForm<Integer> {
  static nlohmann::json to(Integer value) { return value; }
  static void from(const nlohmann::json& json, Integer& value) { value = integer_from<Integer>(json); }
};

template <class Enum>
requires std::is_enum_v<Enum>
struct JsonForm<Enum> {
  static nlohmann::json to(Enum value) { return std::string(to_string(value)); }
  static void from(const nlohmann::json& json, Enum& value) { value = enum_from<Enum>(json); }
};

template <class Item, std::size_t N>
struct JsonForm<std::array<Item, N>> {
  static nlohmann::json to(const std::array<Item, N>& items) { return items; }
  static void from(const nlohmann::json& json, std::array<Item, N>& items) {
    for (std::size_t i = 0; i < N; ++i) read(json.at(i), items[i]);
  }
};

template <class Item>
struct JsonForm<std::vector<Item>> {
  static nlohmann::json to(const std::vector<Item>& items) {
    nlohmann::json array = nlohmann::json::array();
    for (const Item& item : items) array.push_back(written(item));
    return array;
  }
  static void from(const nlohmann::json& json, std::vector<Item>& items) {
    if (!json.is_array()) throw std::invalid_argument("something else where a list must be");
    items.clear();
    items.reserve(json.size());
    for (const nlohmann::json& item : json) items.push_back(read_as<Item>(item));
  }
};

template <class Item>
struct JsonForm<std::map<std::string, Item, std::less<>>> {
  static nlohmann::json to(const std::map<std::string, Item, std::less<>>& items) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, item] : items) object[name] = written(item);
    return object;
  }
  static void from(const nlohmann::json& json, std::map<std::string, Item, std::less<>>& items) {
    items.clear();
    for (const auto& [name, item] : json.items()) read(item, items[name]);
  }
};

/// `null` for nothing.
template <class Item>
struct JsonForm<std::optional<Item>> {
  static nlohmann::json to(const std::optional<Item>& item) {
    return item ? written(*item) : nlohmann::json();
  }
  static void from(const nlohmann::json& json, std::optional<Item>& item) {
    item.reset();
    if (!json.is_null()) item = read_as<Item>(json);
  }
};

template <>
struct JsonForm<Value> {
  static nlohmann::json to(const Value& value) {
    return std::visit([](const auto& alternative) { return nlohmann::json(alternative); }, value);
  }
  static void from(const nlohmann::json& json, Value& value) {
    if (json.is_boolean()) {
      value = json.get<bool>();
    } else if (json.is_number_integer()) {
      value = integer_from<std::int64_t>(json);
    } else if (json.is_number_float()) {
      value = json.get<double>();
    } else {
      value = json.get<std::string>();
    }
  }
};

// Only a macro knows a field by its name and as a word.
#define BENCHCTL_JSON_TO(field) object[#field] = written(record.field);
#define BENCHCTL_JSON_FROM(field) benchctl::read(object.at(#field), record.field);
/// In namespace benchctl: the JSON form of a record is an object with these of its fields, all needed.
#define BENCHCTL_JSON_RECORD(Type, ...)                                          \
  template <>                                                                    \
  struct JsonForm<Type> {                                                        \
    static nlohmann::json to(const Type& record) {                               \
      nlohmann::json object;                                                     \
      NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(BENCHCTL_JSON_TO, __VA_ARGS__))   \
      return object;                                                             \
    }                                                                            \
    static void from(const nlohmann::json& object, Type& record) {               \
      NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(BENCHCTL_JSON_FROM, __VA_ARGS__)) \
    }                                                                            \
  };

}  // namespace benchctl
