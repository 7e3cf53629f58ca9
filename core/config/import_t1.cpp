// Source of the format: the JSON schema of tuning problems that KTT's TuningLoader checks inputs with, and
// Kernel Tuner's benchmark suite, whose files say `Constraints` for `Conditions` and give parameters a
// `Default`.
#include "config/import_t1.hpp"

#include "config/config.hpp"
#include "config/document.hpp"
#include "config/expressions.hpp"
#include "config/t1_arguments.hpp"
#include "config/t1_values.hpp"
#include "model/json.hpp"
#include "model/values.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace benchctl {

namespace t1 {

using nlohmann::json;

namespace {

/// Values of all lists of a file that are written as texts, with those made on the way.
constexpr std::size_t most_values = 100'000;

constexpr std::array<const char*, 3> axes{"X", "Y", "Z"};

/// A member that is null is absent.
void remove_nulls(json& value) {
  if (!value.is_structured()) return;
  for (auto one = value.begin(); one != value.end();) {
    if (value.is_object() && one->is_null()) {
      one = value.erase(one);
    } else {
      remove_nulls(*one++);
    }
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
    remove_nulls(document_);
  }

  ImportedConfig run() {
    const json& space = member(document_, "ConfigurationSpace", "the document");
    const json& kernel = member(document_, "KernelSpecification", "the document");
    note_unread(left_out_, document_, "the document",
                {"ConfigurationSpace", "KernelSpecification", "General"});
    note_unread(left_out_, space, "ConfigurationSpace", {"TuningParameters", "Conditions", "Constraints"});
    read_parameters(member(space, "TuningParameters", "ConfigurationSpace"));
    if (kernel.contains("ProblemSize")) read_problem_size(kernel.at("ProblemSize"));
    read_conditions(space);
    read_kernel(kernel);
    ImportedConfig config;
    config.toml = text();
    config.left_out = left_out_;
    return config;
  }

 private:
  void read_parameters(const json& list) {
    if (!list.is_array() || list.empty()) refuse("TuningParameters", "is not a list of parameters");
    for (const json& entry : list) {
      Parameter parameter;
      parameter.name = name_of(member(entry, "Name", "TuningParameters"), "Name in TuningParameters");
      const std::string place = fmt::format("parameter {}", parameter.name);
      parameter.values = values_of(member(entry, "Values", place), "Values of " + place, room_);
      std::set<Value, ValueOrder> seen;
      std::erase_if(parameter.values, [&](const Value& value) { return !seen.insert(value).second; });
      parameter.start = parameter.values.front();
      if (entry.contains("Default")) parameter.start = default_of(entry.at("Default"), parameter, room_);
      note_unread(left_out_, entry, place, {"Name", "Values", "Default", "Type"});
      if (space_.find(parameter.name) != nullptr)
        refuse("TuningParameters", fmt::format("has {} twice", parameter.name));
      space_.parameters.push_back(std::move(parameter));
    }
  }

  void read_problem_size(const json& size) {
    if (size.is_string() && size.get<std::string>().starts_with('[')) {
      for (const Value& value : values_of(size, "ProblemSize", room_))
        space_.problem_size.push_back(to_text(value));
      return;
    }
    std::vector<std::string> sizes;
    for (const json& one : size.is_array() ? size : json::array({size}))
      sizes.push_back(expression_of(one, "ProblemSize", space_));
    space_.problem_size = std::move(sizes);
  }

  void read_conditions(const json& space) {
    for (const char* key : {"Conditions", "Constraints"}) {
      if (!space.contains(key)) continue;
      const json& list = space.at(key);
      if (!list.is_array()) refuse(key, "is not a list");
      for (const json& entry : list) {
        const json& expression = entry.is_object() ? member(entry, "Expression", key) : entry;
        conditions_.push_back(expression_of(expression, fmt::format("an expression in {}", key), space_));
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
    file_ = path_in(kernel_folder_, text_of(member(kernel, "KernelFile", place), "KernelFile"));
    entry_ = name_;
    if (kernel.contains("KernelTypeNames")) read_template(kernel.at("KernelTypeNames"));
    read_blocks(kernel);
    read_grid(kernel, language);
    if (kernel.contains("SharedMemory"))
      shared_ = expression_of(kernel.at("SharedMemory"), "SharedMemory", space_);
    if (kernel.contains("CompilerOptions")) read_options(kernel.at("CompilerOptions"));
    const bool is_opencl = language == "OpenCL";
    arguments_ = read_arguments(member(kernel, "Arguments", place), space_,
                                {.symbols = !is_opencl, .local = is_opencl, .pads_threes = is_opencl},
                                kernel_folder_, left_out_);
    if (kernel.contains("ReferenceArguments"))
      truth_ = read_references(kernel.at("ReferenceArguments"), arguments_, kernel_folder_, left_out_);
    for (const Argument& argument : arguments_) {
      if (!truth_.files.empty() && argument.is_random())
        left_out_.push_back(fmt::format(
            "the inputs that the reference files belong to: {} is drawn at random", argument.name));
    }
    note_unread(left_out_, kernel, place,
                {"Language", "KernelName", "KernelFile", "KernelTypeNames", "GlobalSizeType", "GlobalSize",
                 "LocalSize", "GridDivX", "GridDivY", "GridDivZ", "ProblemSize", "SharedMemory",
                 "CompilerOptions", "Arguments", "ReferenceArguments", "BenchmarkName"});
  }

  /// Kernel Tuner's name of the block's size where a file has no other.
  [[nodiscard]] std::string usual_block(std::size_t axis) const {
    const std::string name = fmt::format("block_size_{}", "xyz"[axis]);
    return space_.find(name) != nullptr ? name : "1";
  }

  void read_blocks(const json& kernel) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (!kernel.contains("LocalSize")) {
        blocks_.push_back(usual_block(axis));
        continue;
      }
      const json& size = kernel.at("LocalSize");
      blocks_.push_back(
          size.contains(axes[axis])
              ? expression_of(size.at(axes[axis]), fmt::format("LocalSize {}", axes[axis]), space_)
              : "1");
    }
  }

  /// What `GridDivX` divides by, multiplied; 1 if it is empty.
  [[nodiscard]] std::string divisor_of(const json& kernel, std::size_t axis) const {
    const std::string key = fmt::format("GridDiv{}", axes[axis]);
    if (!kernel.contains(key) || kernel.at(key).empty()) return usual_block(axis);
    const json& given = kernel.at(key);
    std::string product;
    for (const json& one : given.is_array() ? given : json::array({given}))
      product += fmt::format("{}({})", product.empty() ? "" : " * ", expression_of(one, key, space_));
    return product;
  }

  /// The sizes of GlobalSize, of which OpenCL counts threads and CUDA blocks; or, as in Kernel Tuner, the
  /// problem's sizes over the divisors, rounded up.
  void read_grid(const json& kernel, const std::string& language) {
    const std::string kind = kernel.contains("GlobalSizeType")
                                 ? text_of(kernel.at("GlobalSizeType"), "GlobalSizeType")
                                 : language;
    if (kind != "CUDA" && kind != "OpenCL")
      refuse("GlobalSizeType", fmt::format("'{}' is not supported, only CUDA and OpenCL", kind));
    const bool has_global = kernel.contains("GlobalSize");
    const bool has_problem = !space_.problem_size.empty();
    if (!has_global && !has_problem)
      refuse("KernelSpecification", "has neither 'GlobalSize' nor 'ProblemSize'");
    const bool divides = !has_global || std::ranges::any_of(axes, [&](const char* axis) {
      const std::string key = fmt::format("GridDiv{}", axis);
      return kernel.contains(key) && !kernel.at(key).empty();
    });
    if (divides && has_global && has_problem)
      left_out_.emplace_back(
          "'GlobalSize' was not imported: 'ProblemSize' and 'GridDiv' say how many blocks");
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      std::string size = "1";
      if (divides && has_problem) {
        if (axis < space_.problem_size.size()) size = space_.problem_size[axis];
      } else if (const json& global = kernel.at("GlobalSize"); global.contains(axes[axis])) {
        size = expression_of(global.at(axes[axis]), fmt::format("GlobalSize {}", axes[axis]), space_);
      }
      const std::string divisor = divides            ? divisor_of(kernel, axis)
                                  : kind == "OpenCL" ? blocks_[axis]
                                                     : "1";
      const bool whole = divisor == "1" || (divides && size == "1");
      grids_.push_back(whole ? size : fmt::format("ceil_div({}, {})", size, divisor));
    }
  }

  void read_template(const json& types) {
    if (!types.is_array()) refuse("KernelTypeNames", "is not a list");
    if (types.empty()) return;
    if (backend_ != "cuda") refuse("KernelTypeNames", "only kernels in CUDA can be templates");
    std::string names;
    for (const json& type : types)
      names += (names.empty() ? "" : ", ") + text_of(type, "an element of KernelTypeNames");
    entry_ = fmt::format("{}<{}>", name_, names);
  }

  /// `-D` becomes a definition. The compiler refuses those that it must not have when the kernel is
  /// compiled.
  void read_options(const json& options) {
    const std::string place = "CompilerOptions";
    if (!options.is_array()) refuse(place, "is not a list");
    for (const json& element : options) {
      const std::string given = text_of(element, "an element of " + place);
      if (given.find('{') != std::string::npos)
        refuse(place, fmt::format("'{}' has braces, in which our options have expressions", given));
      std::istringstream words(given);
      for (std::string option; words >> option;) {
        if (option.starts_with("-D")) {
          read_definition(option.substr(2));
        } else if (option.starts_with("-I") || option.find("arch") != std::string::npos) {
          left_out_.push_back(fmt::format("the compiler option '{}' was not imported: {}", option,
                                          option.starts_with("-I")
                                              ? "headers are found beside the kernel"
                                              : "kernels are compiled for the device"));
        } else {
          options_.push_back(option);
        }
      }
    }
  }

  void read_definition(const std::string& text) {
    const std::string name = text.substr(0, text.find('='));
    std::string value = name.size() < text.size() ? text.substr(name.size() + 1) : "1";
    const bool is_plain = std::ranges::all_of(value, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '+' || c == '-' || c == ' ';
    });
    if (!is_identifier(name) || !is_plain || value.empty())
      refuse("CompilerOptions", fmt::format("'-D{}' is not NAME=VALUE with a number or a word", text));
    const bool is_number = std::isdigit(static_cast<unsigned char>(value.front())) != 0;
    defines_.push_back(fmt::format("{} = {}", name, quoted(is_number ? value : "'" + value + "'")));
  }

  /// More combinations than a sweep may have.
  [[nodiscard]] bool is_large() const {
    std::size_t combinations = 1;
    for (const Parameter& parameter : space_.parameters) {
      combinations *= parameter.values.size();
      if (combinations > max_combinations) return true;
    }
    return false;
  }

  [[nodiscard]] std::string check_text() const {
    std::string truth = fmt::format("kernel = {}", quoted(name_));
    std::string files;
    for (const auto& [name, file] : truth_.files)
      files += fmt::format("{}{} = {}", files.empty() ? "" : ", ", name, quoted(file));
    if (!files.empty()) truth = fmt::format("files = {{ {} }}", files);
    const bool has_threshold = !files.empty() && truth_.absolute;
    return fmt::format("\n[workload.{}_t1.check]\n{}\nrelative = {}\nabsolute = {}\n", name_, truth,
                       has_threshold ? truth_.relative.value_or(0) : 1e-3,
                       has_threshold ? *truth_.absolute : 1e-5);
  }

  [[nodiscard]] std::string text() const {
    std::string toml = "# Made from a T1 file.";
    toml += truth_.files.empty() ? " Not in it, and so not checked: whether the kernel is right. Every\n"
                                   "# configuration is compared with the one with the default parameters.\n"
                                 : " The truth is in its reference files.\n";
    for (const std::string& sentence : left_out_) toml += "# Left out: " + visible(sentence) + "\n";
    toml += fmt::format("\n[experiment]\nname = {}\n", quoted(name_));
    if (is_large())
      toml +=
          "\n# More combinations than can be measured: some are tried.\n[search]\nstrategy = "
          "\"hill_climb\"\n";
    toml += fmt::format("\n[workload.{0}_t1]\ndoc = {1}\n", name_,
                        quoted("what kernel " + name_ + " computes"));
    for (const Argument& argument : arguments_) {
      if (!argument.is_buffer()) continue;
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
    toml += check_text();
    toml +=
        fmt::format("\n[[kernel]]\nname = {}\nworkload = {}\nbackend = {}\nsource = {}\nentry = {}\n",
                    quoted(name_), quoted(name_ + "_t1"), quoted(backend_), quoted(file_), quoted(entry_));
    std::vector<std::string> passed;
    std::vector<std::string> constants;
    for (const Argument& argument : arguments_) {
      (argument.is_symbol ? constants : passed)
          .push_back(argument.is_symbol ? fmt::format("{0} = {1}", argument.name, quoted(argument.name))
                     : argument.local_bytes > 0
                         ? fmt::format("{{ local_bytes = {} }}", argument.local_bytes)
                         : quoted(argument.name));
    }
    toml += "arguments = " + list(passed, std::identity());
    if (!constants.empty()) toml += fmt::format("constants = {{ {} }}\n", fmt::join(constants, ", "));
    if (!options_.empty()) toml += "options = " + list(options_, quoted);
    std::vector<std::string> defines = defines_;
    for (const Parameter& one : space_.parameters)
      defines.push_back(fmt::format("{} = {}", one.name, quoted(one.name)));
    toml += fmt::format("defines = {{ {} }}\n", fmt::join(defines, ", "));
    toml += "block = " + list(blocks_, quoted);
    toml += "grid = " + list(grids_, quoted);
    if (!shared_.empty()) toml += fmt::format("shared_bytes = {}\n", quoted(shared_));
    toml += "\n[kernel.tunables]\n";
    for (const Parameter& parameter : space_.parameters)
      toml += fmt::format("{} = {}\n", parameter.name, toml_of(parameter.start));
    toml += fmt::format("\n[[sweep]]\nworkload = {}\nvariants = [{}]\nbackends = [{}]\n",
                        quoted(name_ + "_t1"), quoted(name_), quoted(backend_));
    if (!conditions_.empty()) toml += "where = " + list(conditions_, quoted);
    toml += "\n[sweep.parameters]\n";
    for (const Parameter& parameter : space_.parameters)
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
  Space space_;
  std::vector<std::string> conditions_;
  std::string backend_;
  std::string name_;
  std::string file_;
  std::string entry_;
  std::string shared_;
  std::vector<std::string> options_;
  std::vector<std::string> defines_;  ///< beside the parameters
  std::vector<std::string> blocks_;
  std::vector<std::string> grids_;
  std::vector<Argument> arguments_;
  Truth truth_;
};

}  // namespace

}  // namespace t1

ImportedConfig import_t1(const std::string& text, const std::filesystem::path& kernel_folder) {
  return t1::Import(text, kernel_folder).run();
}

}  // namespace benchctl
