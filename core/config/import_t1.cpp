// Source of the format: the JSON schema of tuning problems that KTT's TuningLoader checks inputs with, and
// Kernel Tuner's benchmark suite, whose files say `Constraints` for `Conditions` and give parameters a
// `Default`.
#include "config/import_t1.hpp"

#include "config/expressions.hpp"
#include "config/t1_values.hpp"
#include "model/json.hpp"
#include "model/point.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace benchctl {

using nlohmann::json;

namespace {

/// Values of all lists of a file that are written as texts, with those made on the way.
constexpr std::size_t most_values = 100'000;

// Values in a T1 document: what they must be. `place` says in messages where in the document a value
// stands.

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw ImportError(fmt::format("{}: {}", place, why));
}

/// An expression that is not one of ours, with the place in it.
[[noreturn]] void refuse(const std::string& place, const std::string& text, const ExpressionError& error) {
  const std::string before = text.substr(0, error.offset());
  const auto characters = std::ranges::count_if(before, [](char c) { return (c & '\xc0') != '\x80'; });
  refuse(place, fmt::format("\"{}\", column {}: {}; Python beyond our own expressions is not evaluated",
                            text, characters + 1, error.what()));
}

const json& member(const json& object, const char* key, const std::string& place) {
  if (!object.is_object()) refuse(place, "is not an object");
  const auto found = object.find(key);
  if (found == object.end()) refuse(place, fmt::format("has no '{}'", key));
  return *found;
}

std::string text_of(const json& value, const std::string& place) {
  if (!value.is_string()) refuse(place, "is not a string");
  return value.get<std::string>();
}

/// A name of letters, digits and '_'.
std::string name_of(const json& value, const std::string& place) {
  std::string name = text_of(value, place);
  if (!is_identifier(name))
    refuse(place, fmt::format("'{}' is not a name of letters, digits and '_'", name));
  return name;
}

/// A number, a word or a truth value.
Value scalar_of(const json& value, const std::string& place) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>())) {
    refuse(place, fmt::format("{} is too large", value.get<std::uint64_t>()));
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  refuse(place, "is neither a number nor a word");
}

/// An expression of ours, checked; a number stands for itself.
std::string expression_of(const json& value, const std::string& place,
                          const std::vector<std::string>& names) {
  if (value.is_number()) return to_text(scalar_of(value, place));
  std::string text = text_of(value, place);
  try {
    const Expression expression = Expression::parse(text);
    for (const std::string& name : expression.names()) {
      if (std::ranges::find(names, name) == names.end()) {
        refuse(place, fmt::format("\"{}\" mentions '{}', which is not a tuning parameter", text, name));
      }
    }
    return text;
  } catch (const ExpressionError& error) {
    refuse(place, text, error);
  }
}

/// A list, or a text with one.
std::vector<Value> values_of(const json& given, const std::string& place, std::size_t& room) {
  if (given.is_string()) {
    const auto text = given.get<std::string>();
    try {
      return python_list(text, room);
    } catch (const ExpressionError& error) {
      refuse(place, text, error);
    }
  }
  if (!given.is_array()) refuse(place, "is not a list");
  std::vector<Value> values;
  for (const json& element : given) values.push_back(scalar_of(element, place));
  return values;
}

/// Our name of an element type.
std::string type_of(const std::string& name, const std::string& place) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> types{{{"half", "f16"},
                                                                                 {"float", "f32"},
                                                                                 {"double", "f64"},
                                                                                 {"int8", "i8"},
                                                                                 {"int16", "i16"},
                                                                                 {"int32", "i32"},
                                                                                 {"int64", "i64"},
                                                                                 {"uint8", "u8"},
                                                                                 {"uint16", "u16"},
                                                                                 {"uint32", "u32"},
                                                                                 {"uint64", "u64"}}};
  std::string known;
  for (const auto& [theirs, ours] : types) {
    if (theirs == name) return std::string(ours);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", theirs);
  }
  refuse(place, fmt::format("element type '{}' is not supported, only {}", name, known));
}

struct Parameter {
  std::string name;
  std::vector<Value> values;
  Value start;
};

struct Argument {
  std::string name;
  std::string type;
  bool is_scalar = false;
  std::string value;  ///< the value, if it is a scalar
  std::uint64_t count = 0;
  std::string role = "in";
  std::string fill;
};

void read_vector(const json& entry, const std::string& place, Argument& argument) {
  const json& size = member(entry, "Size", place);
  if (!size.is_number_unsigned() || size.get<std::uint64_t>() == 0)
    refuse(place, "Size is not a positive integer");
  argument.count = size.get<std::uint64_t>();
  const std::string access =
      entry.contains("AccessType") ? text_of(entry.at("AccessType"), place) : "ReadOnly";
  if (access == "WriteOnly") {
    argument.role = "out";
    return;
  }
  if (access == "ReadWrite") {
    argument.role = "inout";
  } else if (access != "ReadOnly") {
    refuse(place, fmt::format("access type '{}' is unknown", access));
  }
  const std::string fill = entry.contains("FillType") ? text_of(entry.at("FillType"), place) : "Constant";
  if (fill == "Random") {
    argument.fill = argument.type.starts_with('f') ? "{ uniform = [0, 1] }" : "\"integers\"";
  } else if (fill == "Constant") {
    const Value value =
        entry.contains("FillValue") ? scalar_of(entry.at("FillValue"), place) : Value(std::int64_t{0});
    argument.fill = fmt::format("{{ constant = {} }}", to_text(value));
  } else {
    refuse(place, fmt::format("fill type '{}' is not supported, only Constant and Random", fill));
  }
}

class Import {
 public:
  Import(const std::string& text, const std::filesystem::path& kernel_folder)
      : kernel_folder_(kernel_folder) {
    try {
      refuse_deep_json(text);
    } catch (const std::invalid_argument& error) {
      throw ImportError(error.what());
    }
    document_ = json::parse(text, nullptr, false);
    if (document_.is_discarded()) throw ImportError("this is not a JSON document");
  }

  ImportedConfig run() {
    const json& space = member(document_, "ConfigurationSpace", "the document");
    const json& kernel = member(document_, "KernelSpecification", "the document");
    note_unread(document_, "the document", {"ConfigurationSpace", "KernelSpecification", "General"});
    note_unread(space, "ConfigurationSpace", {"TuningParameters", "Conditions", "Constraints"});
    read_parameters(member(space, "TuningParameters", "ConfigurationSpace"));
    read_conditions(space);
    read_kernel(kernel);
    ImportedConfig config;
    config.toml = text();
    config.left_out = left_out_;
    return config;
  }

 private:
  void note_unread(const json& object, const std::string& place, const std::vector<std::string>& read) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(read, key) == read.end()) {
        left_out_.push_back(fmt::format("'{}' of {} was not imported", key, place));
      }
    }
  }

  void read_parameters(const json& list) {
    if (!list.is_array() || list.empty()) refuse("TuningParameters", "is not a list of parameters");
    for (const json& entry : list) {
      Parameter parameter;
      parameter.name = name_of(member(entry, "Name", "TuningParameters"), "Name in TuningParameters");
      const std::string place = fmt::format("Values of parameter {}", parameter.name);
      parameter.values =
          values_of(member(entry, "Values", fmt::format("parameter {}", parameter.name)), place, room_);
      if (parameter.values.empty()) refuse(place, "is empty");
      parameter.start = parameter.values.front();
      if (entry.contains("Default"))
        parameter.start =
            scalar_of(entry.at("Default"), fmt::format("Default of parameter {}", parameter.name));
      note_unread(entry, fmt::format("parameter {}", parameter.name),
                  {"Name", "Values", "Default", "Type"});
      if (std::ranges::find(names_, parameter.name) != names_.end()) {
        refuse("TuningParameters", fmt::format("has {} twice", parameter.name));
      }
      names_.push_back(parameter.name);
      parameters_.push_back(std::move(parameter));
    }
  }

  void read_conditions(const json& space) {
    for (const char* key : {"Conditions", "Constraints"}) {
      if (!space.contains(key)) continue;
      const json& list = space.at(key);
      if (!list.is_array()) refuse(key, "is not a list");
      for (const json& entry : list) {
        const json& expression = entry.is_object() ? member(entry, "Expression", key) : entry;
        conditions_.push_back(expression_of(expression, fmt::format("an expression in {}", key), names_));
      }
    }
  }

  void read_kernel(const json& kernel) {
    const std::string place = "KernelSpecification";
    const std::string language = text_of(member(kernel, "Language", place), "Language");
    if (language == "CUDA") {
      backend_ = "cuda";
    } else if (language == "OpenCL") {
      backend_ = "opencl";
    } else {
      refuse("Language", fmt::format("'{}' is not supported, only CUDA and OpenCL", language));
    }
    name_ = name_of(member(kernel, "KernelName", place), "KernelName");
    file_ = (kernel_folder_ / text_of(member(kernel, "KernelFile", place), "KernelFile"))
                .lexically_normal()
                .generic_string();
    if (kernel.contains("KernelTypeNames") && !kernel.at("KernelTypeNames").empty()) {
      refuse("KernelTypeNames",
             "template kernels are not supported: write an extern \"C\" kernel with definitions");
    }
    const std::string sizes = kernel.contains("GlobalSizeType")
                                  ? text_of(kernel.at("GlobalSizeType"), "GlobalSizeType")
                                  : language;
    if (sizes != "CUDA" && sizes != "OpenCL")
      refuse("GlobalSizeType", fmt::format("'{}' is not supported, only CUDA and OpenCL", sizes));
    read_sizes(member(kernel, "GlobalSize", place), member(kernel, "LocalSize", place), sizes == "OpenCL");
    if (kernel.contains("SharedMemory"))
      shared_ = expression_of(kernel.at("SharedMemory"), "SharedMemory", names_);
    if (kernel.contains("CompilerOptions")) read_options(kernel.at("CompilerOptions"));
    read_arguments(member(kernel, "Arguments", place));
    note_unread(kernel, place,
                {"Language", "KernelName", "KernelFile", "KernelTypeNames", "GlobalSizeType", "GlobalSize",
                 "LocalSize", "SharedMemory", "CompilerOptions", "Arguments", "BenchmarkName"});
  }

  /// OpenCL counts all threads, CUDA blocks.
  void read_sizes(const json& global, const json& local, bool counts_threads) {
    for (const char* axis : {"X", "Y", "Z"}) {
      const std::string block =
          local.contains(axis) ? expression_of(local.at(axis), fmt::format("LocalSize {}", axis), names_)
                               : "1";
      std::string grid = global.contains(axis)
                             ? expression_of(global.at(axis), fmt::format("GlobalSize {}", axis), names_)
                             : "1";
      if (counts_threads && (grid != "1" || block != "1"))
        grid = fmt::format("ceil_div({}, {})", grid, block);
      blocks_.push_back(block);
      grids_.push_back(grid);
    }
  }

  void read_options(const json& options) {
    if (!options.is_array()) refuse("CompilerOptions", "is not a list");
    for (const json& option : options) {
      left_out_.push_back(fmt::format("the compiler option {} was not imported", option.dump()));
    }
  }

  void read_arguments(const json& list) {
    if (!list.is_array() || list.empty()) refuse("Arguments", "is not a list of arguments");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const json& entry = list[i];
      Argument argument;
      argument.name = entry.contains("Name")
                          ? name_of(entry.at("Name"), fmt::format("Name of argument {}", i))
                          : fmt::format("argument_{}", i);
      const std::string place = fmt::format("argument {}", argument.name);
      argument.type = type_of(text_of(member(entry, "Type", place), place), place);
      const std::string memory = text_of(member(entry, "MemoryType", place), place);
      if (memory == "Scalar") {
        argument.is_scalar = true;
        argument.value = to_text(scalar_of(member(entry, "FillValue", place), place));
      } else if (memory == "Vector") {
        read_vector(entry, place, argument);
      } else {
        refuse(place, fmt::format("memory type '{}' is not supported, only Scalar and Vector", memory));
      }
      note_unread(entry, place,
                  {"Name", "Type", "MemoryType", "FillType", "FillValue", "Size", "AccessType"});
      arguments_.push_back(std::move(argument));
    }
    const bool any_output = std::ranges::any_of(
        arguments_, [](const Argument& argument) { return !argument.is_scalar && argument.role != "in"; });
    if (!any_output) refuse("Arguments", "no vector is WriteOnly or ReadWrite, so nothing can be checked");
  }

  [[nodiscard]] std::string text() const {
    std::string toml =
        "# Made from a T1 file. Not in it, and so not checked: whether the kernel is right. Every\n"
        "# configuration is compared with the one with the default parameters.\n";
    for (const std::string& sentence : left_out_) toml += "# Left out: " + visible(sentence) + "\n";
    toml += fmt::format("\n[experiment]\nname = {}\n", quoted(name_));
    toml += fmt::format("\n[workload.{0}_t1]\ndoc = {1}\n", name_,
                        quoted("what kernel " + name_ + " computes"));
    for (const Argument& argument : arguments_) {
      if (argument.is_scalar) continue;
      toml +=
          fmt::format("\n[[workload.{}_t1.buffer]]\nname = {}\ntype = {}\ncount = {}\nrole = {}\n", name_,
                      quoted(argument.name), quoted(argument.type), argument.count, quoted(argument.role));
      if (!argument.fill.empty()) toml += fmt::format("fill = {}\n", argument.fill);
    }
    for (const Argument& argument : arguments_) {
      if (!argument.is_scalar) continue;
      toml += fmt::format("\n[[workload.{}_t1.scalar]]\nname = {}\ntype = {}\nvalue = {}\n", name_,
                          quoted(argument.name), quoted(argument.type), argument.value);
    }
    toml += fmt::format("\n[workload.{0}_t1.check]\nkernel = {1}\nrelative = 1e-3\nabsolute = 1e-5\n",
                        name_, quoted(name_));
    toml +=
        fmt::format("\n[[kernel]]\nname = {0}\nworkload = {1}\nbackend = {2}\nsource = {3}\nentry = {0}\n",
                    quoted(name_), quoted(name_ + "_t1"), quoted(backend_), quoted(file_));
    toml +=
        "arguments = " + list(arguments_, [](const Argument& argument) { return quoted(argument.name); });
    toml += "defines = " + list(names_, quoted);
    toml += "block = " + list(blocks_, quoted);
    toml += "grid = " + list(grids_, quoted);
    if (!shared_.empty()) toml += fmt::format("shared_bytes = {}\n", quoted(shared_));
    toml += "\n[kernel.tunables]\n";
    for (const Parameter& parameter : parameters_)
      toml += fmt::format("{} = {}\n", parameter.name, toml_of(parameter.start));
    toml += fmt::format("\n[[sweep]]\nworkload = {}\nvariants = [{}]\nbackends = [{}]\n",
                        quoted(name_ + "_t1"), quoted(name_), quoted(backend_));
    if (!conditions_.empty()) toml += "where = " + list(conditions_, quoted);
    toml += "\n[sweep.parameters]\n";
    for (const Parameter& parameter : parameters_)
      toml += fmt::format("{} = ", parameter.name) + list(parameter.values, toml_of);
    return toml;
  }

  template <class Range, class Text>
  static std::string list(const Range& range, Text text) {
    std::string result;
    for (const auto& element : range) result += (result.empty() ? "[" : ", ") + text(element);
    return result + "]\n";
  }

  std::filesystem::path kernel_folder_;
  json document_;
  std::size_t room_ = most_values;
  std::vector<std::string> left_out_;
  std::vector<std::string> names_;  // of tuning parameters
  std::vector<Parameter> parameters_;
  std::vector<std::string> conditions_;
  std::string backend_;
  std::string name_;
  std::string file_;
  std::string shared_;
  std::vector<std::string> blocks_;
  std::vector<std::string> grids_;
  std::vector<Argument> arguments_;
};

}  // namespace

ImportedConfig import_t1(const std::string& text, const std::filesystem::path& kernel_folder) {
  return Import(text, kernel_folder).run();
}

}  // namespace benchctl
