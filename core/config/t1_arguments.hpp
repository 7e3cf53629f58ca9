// Arguments of a T1 kernel, and what their results are compared with. All throw ImportError.
#pragma once

#include "config/t1_values.hpp"

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
  bool is_symbol = false;         ///< a `__constant__` variable, which is not passed
  std::uint64_t local_bytes = 0;  ///< size of local memory; else 0
  std::string value;              ///< the value, if it is a scalar
  std::uint64_t count = 0;        ///< elements, components of vectors counted each
  std::string role = "in";
  std::string fill;
  [[nodiscard]] bool is_random() const {
    return !fill.empty() && !fill.starts_with("{ constant") && !fill.starts_with("{ file");
  }
  [[nodiscard]] bool is_buffer() const { return !is_scalar && local_bytes == 0; }
  [[nodiscard]] bool is_output() const { return is_buffer() && role != "in"; }
};

/// What the language of a kernel has.
struct Memories {
  bool symbols = false;      ///< `__constant__` variables that are filled by name
  bool local = false;        ///< local memory as an argument
  bool pads_threes = false;  ///< vectors of three elements have the size of those of four
};

/// Reference files of all outputs, or none.
struct Truth {
  std::map<std::string, std::string> files;
  std::optional<double> absolute;
  std::optional<double> relative;
};

/// A file of the T1 file, as seen from the config. `folder`: as import_t1 takes it.
[[nodiscard]] std::string path_in(const std::filesystem::path& folder, const std::string& file);

/// `left_out` gets a sentence for all that is not read.
[[nodiscard]] std::vector<Argument> read_arguments(const nlohmann::json& list, const Space& space,
                                                   const Memories& memories,
                                                   const std::filesystem::path& folder,
                                                   std::vector<std::string>& left_out);
[[nodiscard]] Truth read_references(const nlohmann::json& list, const std::vector<Argument>& arguments,
                                    const std::filesystem::path& folder,
                                    std::vector<std::string>& left_out);

}  // namespace benchctl::t1
