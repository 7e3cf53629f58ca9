#include "workloads/declared_json.hpp"

#include "model/json_depth.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace {

template <class Enum>
Enum enum_at(const json& object, const char* key) {
  const auto text = object.at(key).get<std::string>();
  const auto value = parse_enum<Enum>(text);
  if (!value) throw std::invalid_argument(fmt::format("'{}' is no value of '{}'", text, key));
  return *value;
}

json to_json(const ParameterInfo& parameter) {
  return {
      {"name", parameter.name},       {"doc", parameter.doc},         {"default", parameter.default_value},
      {"is_text", parameter.is_text}, {"choices", parameter.choices}, {"minimum", parameter.minimum},
      {"maximum", parameter.maximum}};
}

ParameterInfo parameter_from(const json& object) {
  return {object.at("name").get<std::string>(),
          object.at("doc").get<std::string>(),
          object.at("default").get<std::string>(),
          object.at("is_text").get<bool>(),
          object.at("choices").get<std::vector<std::string>>(),
          object.at("minimum").get<double>(),
          object.at("maximum").get<double>(),
          false};
}

json to_json(const BufferDeclaration& buffer) {
  return {{"name", buffer.name},
          {"type", buffer.type},
          {"count", buffer.count},
          {"role", std::string(to_string(buffer.role))},
          {"fill",
           {{"kind", std::string(to_string(buffer.fill.kind))},
            {"first", buffer.fill.first},
            {"second", buffer.fill.second}}}};
}

BufferDeclaration buffer_from(const json& object) {
  BufferDeclaration buffer;
  object.at("name").get_to(buffer.name);
  object.at("type").get_to(buffer.type);
  object.at("count").get_to(buffer.count);
  buffer.role = enum_at<BufferRole>(object, "role");
  const json& fill = object.at("fill");
  buffer.fill.kind = enum_at<FillSpec::Kind>(fill, "kind");
  fill.at("first").get_to(buffer.fill.first);
  fill.at("second").get_to(buffer.fill.second);
  return buffer;
}

}  // namespace

std::string to_json_text(const WorkloadDeclaration& declaration) {
  json parameters = json::array();
  for (const ParameterInfo& parameter : declaration.parameters) parameters.push_back(to_json(parameter));
  json buffers = json::array();
  for (const BufferDeclaration& buffer : declaration.buffers) buffers.push_back(to_json(buffer));
  json scalars = json::array();
  for (const ScalarDeclaration& scalar : declaration.scalars) {
    scalars.push_back({{"name", scalar.name}, {"type", scalar.type}, {"value", scalar.value}});
  }
  json files = json::array();
  for (const ReferenceFile& file : declaration.check.files) {
    files.push_back({{"buffer", file.buffer}, {"path", file.path}, {"digest", file.digest}});
  }
  const json document = {{"name", declaration.name},
                         {"doc", declaration.doc},
                         {"parameters", parameters},
                         {"buffers", buffers},
                         {"scalars", scalars},
                         {"flops", declaration.flops},
                         {"bytes_read", declaration.bytes_read},
                         {"bytes_written", declaration.bytes_written},
                         {"check",
                          {{"kernel", declaration.check.kernel},
                           {"kernel_digest", declaration.check.kernel_digest},
                           {"files", files},
                           {"relative", declaration.check.relative},
                           {"absolute", declaration.check.absolute}}}};
  return document.dump();
}

WorkloadDeclaration workload_declaration_from_json_text(std::string_view text) {
  refuse_deep_json(text);
  try {
    const json document = json::parse(text);
    WorkloadDeclaration declaration;
    document.at("name").get_to(declaration.name);
    document.at("doc").get_to(declaration.doc);
    for (const json& entry : document.at("parameters"))
      declaration.parameters.push_back(parameter_from(entry));
    for (const json& entry : document.at("buffers")) declaration.buffers.push_back(buffer_from(entry));
    for (const json& entry : document.at("scalars")) {
      declaration.scalars.push_back({entry.at("name").get<std::string>(),
                                     entry.at("type").get<std::string>(),
                                     entry.at("value").get<std::string>()});
    }
    document.at("flops").get_to(declaration.flops);
    document.at("bytes_read").get_to(declaration.bytes_read);
    document.at("bytes_written").get_to(declaration.bytes_written);
    const json& check = document.at("check");
    check.at("kernel").get_to(declaration.check.kernel);
    check.at("kernel_digest").get_to(declaration.check.kernel_digest);
    for (const json& file : check.at("files")) {
      declaration.check.files.push_back({file.at("buffer").get<std::string>(),
                                         file.at("path").get<std::string>(),
                                         file.at("digest").get<std::string>()});
    }
    check.at("relative").get_to(declaration.check.relative);
    check.at("absolute").get_to(declaration.check.absolute);
    return declaration;
  } catch (const json::exception& error) {
    throw std::invalid_argument(fmt::format("this is no declaration of a workload: {}", error.what()));
  }
}

}  // namespace benchctl
