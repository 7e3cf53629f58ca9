// Declared workloads as JSON: for other processes, and for keys.
#include "workloads/declared.hpp"

#include <fmt/format.h>

#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/words.hpp"

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
BENCHCTL_JSON_RECORD(FillSpec, kind, first, second, numbers, file, other)
BENCHCTL_JSON_RECORD(BufferDeclaration, name, type, count, role, fill)
BENCHCTL_JSON_RECORD(ScalarDeclaration, name, type, value)
BENCHCTL_JSON_RECORD(DataProgram, run, digests, folder, is_judge, written, seconds, file, line, column)
BENCHCTL_JSON_RECORD(CheckDeclaration, kernel, kernel_digest, files, program, relative, absolute, share,
                     max_abs, rel_l2, any_order)
BENCHCTL_JSON_RECORD(WorkloadDeclaration, name, doc, parameters, buffers, scalars, flops, bytes_read,
                     bytes_written, check, data)

std::string to_json_text(const WorkloadDeclaration& declaration) { return written(declaration).dump(); }

WorkloadDeclaration workload_declaration_from_json_text(std::string_view text) {
  refuse_deep_json(text);
  try {
    return read_as<WorkloadDeclaration>(json::parse(text));
  } catch (const json::exception& error) {
    throw std::invalid_argument(fmt::format("this is not a workload declaration: {}", error.what()));
  }
}

}  // namespace benchctl
