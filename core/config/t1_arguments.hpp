// Arguments of a T1 kernel, and what their results are compared with. All throw ImportError.
#pragma once

#include "config/t1_json.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace benchctl::t1 {

struct Argument {
  std::string name;
  std::string type;  ///< our name of it
  bool is_scalar = false;
  std::string value;        ///< the value, if it is a scalar
  std::uint64_t count = 0;  ///< elements, components of vectors counted each
  std::string role = "in";
  std::string fill;
  [[nodiscard]] bool is_random() const { return !fill.empty() && !fill.starts_with("{ constant"); }
  [[nodiscard]] bool is_output() const { return !is_scalar && role != "in"; }
};

/// Reference files of all outputs, or none.
struct Truth {
  std::map<std::string, std::string> files;
  std::optional<double> absolute;
  std::optional<double> relative;
};

/// A file of the T1 file, as seen from the config. `folder`: as import_t1 takes it.
[[nodiscard]] std::string path_in(const std::filesystem::path& folder, const std::string& file);

/// `pads_threes`: vectors of three elements have the size of those of four, as in OpenCL. `left_out` gets a
/// sentence for all that is not read.
[[nodiscard]] std::vector<Argument> read_arguments(const nlohmann::json& list, const Space& space,
                                                   bool pads_threes, std::vector<std::string>& left_out);
[[nodiscard]] Truth read_references(const nlohmann::json& list, const std::vector<Argument>& arguments,
                                    const std::filesystem::path& folder,
                                    std::vector<std::string>& left_out);

}  // namespace benchctl::t1
